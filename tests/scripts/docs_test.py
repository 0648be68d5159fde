"""Programs and outputs shown in the pages are those that the examples compile and print, and links lead somewhere."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [p for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
BLOCK = re.compile(r"(?:<!-- (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


class Pages(unittest.TestCase):
    def test_blocks_are_the_files_they_name(self):
        named = 0
        for page in PAGES:
            for source, language, text in BLOCK.findall(page.read_text()):
                with self.subTest(page=page.name, source=source):
                    if language == "cpp":
                        self.assertTrue(source, "a program in a page must name its file in examples/")
                    if source:
                        named += 1
                        self.assertEqual((ROOT / source).read_text(), text)
        self.assertGreaterEqual(named, 4)

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in LINK.findall(BLOCK.sub("", page.read_text())):  # a lambda in a program looks like a link
                if "://" not in target:
                    with self.subTest(page=page.name, target=target):
                        self.assertTrue((page.parent / target).exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
