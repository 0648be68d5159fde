"""The table of options in docs/building.md lists all options of the CMake files, and no others."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def declared():
    files = [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake")), *sorted((ROOT / "src").rglob("CMakeLists.txt"))]
    names = set()
    for file in files:
        names |= set(re.findall(r"^\s*(?:option\(|set\()(\w+)(?= (?:\".*\"|\S+) CACHE| \"[^\"]*\" (?:\$\{|ON|OFF))", file.read_text(), re.M))
        names |= set(re.findall(r"^\s*find_(?:path|library|program|file)\((\w+)", file.read_text(), re.M))
    return names


def documented():
    page = (ROOT / "docs" / "building.md").read_text()
    section = page.split("## Options")[1].split("\n## ")[0]
    return [name for cell in re.findall(r"^\| (`.*?) \|", section, re.M) for name in re.findall(r"`(\w+)`", cell)]


class Options(unittest.TestCase):
    def test_the_table_is_complete(self):
        self.assertIn("TIDEPOOL_TBB", declared())
        self.assertIn("TIDEPOOL_SANITIZE", declared())
        self.assertIn("TIDEPOOL_ONEDNN_LIBRARY", declared())
        self.assertEqual(sorted(documented()), sorted(declared()))

    def test_names_are_listed_once(self):
        names = documented()
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
