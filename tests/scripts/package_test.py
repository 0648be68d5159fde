"""./dev package: what it refuses, and that Ctrl-C leaves no process and nothing half-written. Packages themselves are tested by ./dev package."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts" / "package"
BEGIN = """
set -euo pipefail
out=$1
partial=$out/partial
. "$2/steps.sh"
begin_steps
"""
# A command that writes to a file for a minute, in a child process.
SLOW = """
slow() {
  mkdir "$partial/product" "$out/root-test"
  sh -c 'echo $$ >"$0/pid"; while sleep 0.1; do echo more; done >"$0/partial/product/file"' "$out"
}
step "make a product" slow slow
finish product
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "package"

    def start(self, script):
        return subprocess.Popen(["bash", "-c", BEGIN + script, "-", self.out, SCRIPTS], stderr=subprocess.PIPE, text=True, start_new_session=True)

    def wait_for(self, condition):
        end = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not happen")
            time.sleep(0.05)

    def test_signals_leave_nothing_half_written(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                (self.out / "product").mkdir(parents=True, exist_ok=True)
                (self.out / "product" / "file").write_text("old")
                (self.out / "pid").unlink(missing_ok=True)
                process = self.start(SLOW)
                file = self.out / "partial" / "product" / "file"
                self.wait_for(lambda: file.exists() and file.stat().st_size > 0)
                os.killpg(process.pid, number)  # as a terminal does
                self.assertIn("make a product …", process.communicate(timeout=20)[1])
                self.assertEqual(process.returncode, code)
                self.assertFalse(alive(int((self.out / "pid").read_text())))
                self.assertEqual(sorted(path.name for path in self.out.iterdir()), [".lock", "logs", "pid", "product"])
                self.assertEqual((self.out / "product" / "file").read_text(), "old")

    def test_a_finished_product_replaces_the_older_one(self):
        (self.out / "product").mkdir(parents=True)
        (self.out / "product" / "old").touch()
        process = self.start('make() { mkdir "$partial/product"; touch "$partial/product/new"; }\nstep make make make\nfinish product\n')
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertEqual([path.name for path in (self.out / "product").iterdir()], ["new"])
        self.assertFalse((self.out / "partial").exists())

    def test_a_command_that_fails_in_its_middle_fails(self):
        process = self.start("bad() { echo why; false; echo not reached; }\nstep 'do it' bad bad\n")
        said = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("why\npackage: do it failed, see build/package/logs/bad.log\n", said)
        self.assertNotIn("not reached", said)

    def test_what_a_failed_command_left_running_is_ended(self):
        process = self.start("bad() { sleep 60 & echo $! >\"$out/pid\"; false; }\nstep 'do it' bad bad\n")
        self.assertIn("do it failed", process.communicate(timeout=20)[1])
        self.assertFalse(alive(int((self.out / "pid").read_text())))

    def test_two_do_not_run_at_once(self):
        process = self.start(SLOW)
        self.wait_for((self.out / "pid").exists)
        second = self.start("")
        self.assertIn("package: another ./dev package is running", second.communicate(timeout=20)[1])
        self.assertEqual(second.returncode, 1)
        self.assertTrue((self.out / "partial" / "product").exists())
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=20)

    def test_an_unknown_step_is_refused_before_anything_is_made(self):
        result = subprocess.run(["bash", SCRIPTS / "package.sh", "source", "wheel"], capture_output=True, text=True, timeout=20)
        self.assertEqual(result.stderr, "package: no such step: wheel\n")
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
