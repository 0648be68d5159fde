"""The networks of tidepool::nn against the PyTorch that is installed, with other weights than the checked-in files have."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build" / "release" / "tests" / "tidepool_nn_tests"

try:
    import torch  # noqa: F401
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "no PyTorch")
@unittest.skipUnless(PROGRAM.exists(), "tidepool::nn was not built")
class Networks(unittest.TestCase):
    def test_train_as_in_pytorch(self):
        seed = 11  # other weights than those of the checked-in files
        with tempfile.TemporaryDirectory() as folder:
            script = ROOT / "scripts" / "golden" / "networks.py"
            subprocess.run([sys.executable, "-B", script, folder, "--seed", str(seed)], check=True, capture_output=True)
            environment = os.environ | {"TIDEPOOL_NN_GOLDEN_DIR": folder}
            done = subprocess.run([PROGRAM, "--gtest_filter=*TrainAsInPyTorch*"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"networks.py --seed {seed}\n{done.stdout[-4000:]}")
        self.assertIn("[  PASSED  ] 8 tests", done.stdout)


if __name__ == "__main__":
    unittest.main()
