"""./dev installs another build of PyTorch if the package index does not have the one for the CPU."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# An interpreter whose pip knows no package with a "+", as an index without the builds for the CPU alone.
PYTHON = """#!/bin/sh
echo "$@" >>"$(dirname "$0")/calls"
case "$*" in *+*) exit 1 ;; esac
"""


class Torch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copy(ROOT / "dev", self.root)
        self.venv = self.root / "build" / "venv"
        (self.venv / "bin").mkdir(parents=True)
        python = self.venv / "bin" / "python"
        python.write_text(PYTHON)
        python.chmod(0o755)
        needs = next(line for line in (ROOT / "dev").read_text().splitlines() if line.startswith("python_needs=("))
        (self.venv / ".ready").write_text(needs.removeprefix("python_needs=(").removesuffix(")"))

    def run_dev(self, **variables):
        # There is nothing to build here, so the command fails after the environment is made.
        environment = {key: value for key, value in os.environ.items() if key != "TIDEPOOL_TORCH"} | variables | {"PATH": "/usr/bin:/bin"}
        return subprocess.run(["./dev", "python"], cwd=self.root, env=environment, capture_output=True, text=True, timeout=50).stderr

    def test_falls_back_to_the_plain_version(self):
        said = self.run_dev(TIDEPOOL_TORCH="torch==9.9.9+cpu")
        self.assertIn("the package index has no torch==9.9.9+cpu: using torch==9.9.9\n", said)
        self.assertNotIn("NO PYTORCH", said)
        self.assertTrue((self.venv / ".torch").exists())
        self.assertTrue((self.venv / "bin" / "calls").read_text().strip().endswith("torch==9.9.9"))

    def test_says_when_there_is_none(self):
        python = self.venv / "bin" / "python"
        python.write_text("#!/bin/sh\nexit 1\n")
        self.assertIn("NO PYTORCH: the package index has no torch==9.9.9+cpu", self.run_dev(TIDEPOOL_TORCH="torch==9.9.9+cpu"))


if __name__ == "__main__":
    unittest.main()
