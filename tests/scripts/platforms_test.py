#!/usr/bin/env python3
"""The counts of ./dev test --platforms, and its refusal of platforms that do not exist."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

JUNIT = """<testsuite tests="5">
<testcase name="unit/A" status="run"><system-out>fine</system-out></testcase>
<testcase name="unit/B" status="run"/>
<testcase name="unit/C" status="fail"><failure message="wrong"/></testcase>
<testcase name="unit/D" status="notrun"><skipped message="x"/><system-out>a_test.cc:7: Skipped
no 128-bit integers
[  SKIPPED ] D</system-out></testcase>
<testcase name="unit/E" status="notrun"><skipped message="x"/></testcase>
</testsuite>"""


class Platforms(unittest.TestCase):
    def test_counts_and_reasons(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tests.xml"
            path.write_text(JUNIT)
            lines = subprocess.run(
                [sys.executable, "-B", ROOT / "scripts/platforms_count.py", path], check=True, capture_output=True, text=True
            ).stdout.splitlines()
        self.assertEqual(lines, ["3 2 1 2", "1 skipped: no 128-bit integers", "1 skipped: no reason given"])

    def test_an_unknown_platform_is_refused_before_anything_is_built(self):
        run = subprocess.run([ROOT / "dev", "test", "--platforms", "gcc", "vax"], capture_output=True, text=True)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "")
        self.assertIn("no such platform: vax (there are gcc clang ", run.stderr)


if __name__ == "__main__":
    unittest.main()
