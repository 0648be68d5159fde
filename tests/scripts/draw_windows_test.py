"""The drawings in docs/ops/img are what scripts/draw_windows.py makes of the library's windows today, byte for byte."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "ops" / "img"
PROGRAM = Path(os.environ.get("TIDEPOOL_WINDOWS") or ROOT / "build" / "release" / "bin" / "tidepool_windows")


class Drawings(unittest.TestCase):
    @unittest.skipUnless(PROGRAM.exists(), "tidepool_windows is not built")
    def test_they_are_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "draw_windows.py"), "--program", str(PROGRAM), "--out", folder],
                           stdout=subprocess.DEVNULL, check=True)
            drawn = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        self.assertEqual(sorted(drawn), sorted(path.name for path in IMAGES.iterdir()))
        for name, image in drawn.items():
            with self.subTest(name=name):
                self.assertTrue(image == (IMAGES / name).read_bytes(), "not what the library says now: run ./dev docs")

    def test_every_page_shows_its_own(self):
        for page in (ROOT / "docs" / "ops").glob("*.md"):
            with self.subTest(page=page.name):
                self.assertTrue(f"](img/{page.stem}.svg)" in page.read_text())

    def test_they_are_small_and_need_nothing_else(self):
        for path in IMAGES.iterdir():
            with self.subTest(name=path.name):
                text = path.read_text()
                xml.etree.ElementTree.fromstring(text)
                self.assertLess(len(text), 15000)
                self.assertNotIn("href", text)
                self.assertNotIn("@import", text)
                self.assertIn("prefers-color-scheme:dark", text)

    @unittest.skipUnless(PROGRAM.exists(), "tidepool_windows is not built")
    def test_the_program_refuses_in_words(self):
        for words, why in [(["max2d fwd f32 nchw 1x1x4x4 k2", "--values", "1,2"], "16 numbers are needed, got 2"),
                           (["max2d fwd f32 nchw 1x1x4x4 k2", "--values", "1,x"], "not a number: x"),
                           (["max2d bwd f32 nchw 1x1x4x4 k2 idx=plane"], "only a forward pass"),
                           (["max2d fwd f32 nchw 1x1x4x4 k2", "--nope", "1"], "no such option"),
                           (["max2d fwd f32 nchw 1x1x4x4 k2", "--seed"], "--seed needs a value"),
                           (["nonsense"], "")]:
            with self.subTest(words=words):
                answer = subprocess.run([str(PROGRAM), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(answer.returncode, 2)
                self.assertEqual(answer.stdout, "")
                self.assertIn(why, answer.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
