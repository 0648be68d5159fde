"""The pictures in docs/img/guide are what scripts/draw_guide.py makes of the library's windows today; docs/pooling.md shows them all."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "img" / "guide"
PROGRAM = Path(os.environ.get("TIDEPOOL_WINDOWS") or ROOT / "build" / "release" / "bin" / "tidepool_windows")


class Pictures(unittest.TestCase):
    @unittest.skipUnless(PROGRAM.exists(), "tidepool_windows is not built")
    def test_they_are_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "draw_guide.py"), "--program", str(PROGRAM), "--out", folder],
                           stdout=subprocess.DEVNULL, check=True)
            drawn = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        self.assertEqual(sorted(drawn), sorted(path.name for path in IMAGES.iterdir()))
        for name, image in drawn.items():
            with self.subTest(name=name):
                self.assertTrue(image == (IMAGES / name).read_bytes(), "not what the library says now: run ./dev docs")

    def test_the_page_shows_them(self):
        page = (ROOT / "docs" / "pooling.md").read_text()
        for path in IMAGES.iterdir():
            with self.subTest(name=path.name):
                self.assertIn(f"](img/guide/{path.name})", page)

    def test_they_are_small_and_need_nothing_else(self):
        for path in IMAGES.iterdir():
            with self.subTest(name=path.name):
                text = path.read_text()
                xml.etree.ElementTree.fromstring(text)
                self.assertLess(len(text), 15000)
                self.assertNotIn("href", text)
                self.assertNotIn("@import", text)
                self.assertIn("prefers-color-scheme:dark", text)

    # The pictures repeat examples of the page, so their numbers must be those that the programs print.
    def test_their_numbers_are_those_of_the_programs(self):
        for picture, program, numbers in [("window", "guide_window", ["2.5", "6.5"]),
                                          ("padding", "guide_padding", ["16", "24", "36"]),
                                          ("gradient", "guide_gradients", ["2.5", "7.5", "10", "20", "30", "40"])]:
            shown = [text.text.replace("−", "-") for text in xml.etree.ElementTree.parse(IMAGES / f"{picture}.svg").iter()
                     if text.tag.endswith("text")]
            printed = (ROOT / "examples" / f"{program}.out").read_text()
            for number in numbers:
                with self.subTest(picture=picture, number=number):
                    self.assertIn(number, printed)
                    self.assertTrue(number in shown or f"-{number}" in shown)


if __name__ == "__main__":
    sys.exit(unittest.main())
