"""The examples of the Python pages are run, in order, in one session a page."""

import doctest
import re
import unittest
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Pages(unittest.TestCase):
    def run_page(self, name):
        blocks = "\n".join(BLOCK.findall((DOCS / name).read_text(encoding="utf-8")))
        test = doctest.DocTestParser().get_doctest(blocks, {}, name, name, 0)
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
        self.assertGreater(result.attempted, 5)
        self.assertEqual(result.failed, 0)

    def test_python(self):
        self.run_page("python.md")

    def test_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no PyTorch here")
        self.run_page("pytorch.md")


if __name__ == "__main__":
    unittest.main()
