"""The examples of the Python pages are run, in order, in one session a page."""

import doctest
import importlib.util
import os
import re
import unittest
from pathlib import Path
from unittest import mock

DOCS = Path(__file__).resolve().parents[3] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


EMPTY_LINE = re.compile(r"\n(?=\n(?!>>>|\n|$))")  # inside an output, where doctest wants a word for it
TORCH = re.compile(r"^>>> from (classics|torch) import", re.MULTILINE)
HAS_TORCH = importlib.util.find_spec("torch") is not None


class Pages(unittest.TestCase):
    @mock.patch.dict(os.environ, COLUMNS="100")
    def run_page(self, name):
        blocks = BLOCK.findall((DOCS / name).read_text(encoding="utf-8"))
        text = "\n".join(EMPTY_LINE.sub("\n<BLANKLINE>", block) for block in blocks if HAS_TORCH or not TORCH.search(block))
        test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)
        self.assertGreater(result.attempted, 5)
        self.assertEqual(result.failed, 0)

    def test_python(self):
        self.run_page("python.md")

    def test_pytorch(self):
        if not HAS_TORCH:
            self.skipTest("no PyTorch here")
        self.run_page("pytorch.md")


if __name__ == "__main__":
    unittest.main()
