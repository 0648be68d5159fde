"""Runs all tests of the Python package and writes how many passed, failed and were skipped into the file named first."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    sys.path.insert(0, str(HERE))
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py", top_level_dir=str(HERE))
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite)
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    Path(sys.argv[1]).write_text(f"{max(result.testsRun - bad - skipped, 0)} {bad} {skipped}\n")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
