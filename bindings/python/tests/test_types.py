"""What a static type checker sees: mypy over the package, over calls it must accept and reject, and annotations against the run time."""

import importlib.util
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tidepool import _core

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "tidepool"
CACHE = HERE.parents[2] / "build" / "mypy"
HAS_TORCH = importlib.util.find_spec("torch") is not None

# What stubtest cannot compare: the functions and classes of nanobind (ExtensionModule below compares the functions), aliases of Literal, and
# a method behind a decorator of torch.
ALLOWED = r"""
tidepool\._core\.(\w+_(un)?pool\w*|num_threads|set_num_threads|Options|TorchLibrary|Network|Report(\.__init__)?|analyze|parse_network|read_onnx)
tidepool\.analysis\.types\.(Box|Range|Ranges)
tidepool\._types\.(IndexBase|Nan|NumpyIndices|Preset|Rounding)
tidepool\.torch\.autograd\.LpPoolBackward\.backward
"""


def run(*arguments):
    environment = os.environ | {"MYPYPATH": str(HERE.parent)}
    done = subprocess.run([sys.executable, "-B", "-m", *map(str, arguments)], env=environment, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, "\n".join(line for line in lines if ": note: " not in line)


def mypy(*arguments):
    return run("mypy", "--disallow-any-generics", "--disallow-incomplete-defs", "--warn-unused-ignores", "--cache-dir", CACHE, *arguments)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy here")
@unittest.skipUnless(HAS_TORCH, "no PyTorch here")
class Checker(unittest.TestCase):
    def test_package(self):
        code, text = mypy("-p", "tidepool")
        self.assertEqual(code, 0, text)
        self.assertIn("Success: no issues found", text)

    def test_accepted(self):
        code, text = mypy(HERE / "typing" / "accepted.py")
        self.assertEqual(code, 0, text)

    def test_accepted_calls_run(self):
        runpy.run_path(str(HERE / "typing" / "accepted.py"))

    def test_rejected(self):
        path = HERE / "typing" / "rejected.py"
        expected = {i: m[1] for i, line in enumerate(path.read_text().splitlines(), 1) if (m := re.search(r"# expect: ([\w-]+)", line))}
        self.assertGreater(len(expected), 10)
        _, text = mypy("--no-pretty", path)
        found = {int(line): code for line, code in re.findall(r"rejected\.py:(\d+): error: .*\[([\w-]+)\]$", text, re.MULTILINE)}
        self.assertEqual(found, expected, text)

    def test_annotations_agree_with_the_run_time(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
            allowed.write(ALLOWED)
            allowed.flush()
            code, text = run("mypy.stubtest", "tidepool", "--ignore-missing-stub", "--ignore-unused-allowlist", "--allowlist", allowed.name)
        self.assertEqual(code, 0, text)
        self.assertIn("Success", text)


class ExtensionModule(unittest.TestCase):
    def test_stub(self):
        """The names and the parameters in _core.pyi are those that the module was compiled with."""
        text = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
        stub = {name: re.findall(r"(\w+):", parameters) for name, parameters in re.findall(r"^def (\w+)\(([^)]*)\)", text, re.MULTILINE)}
        functions = {name: f for name, f in vars(_core).items() if type(f).__name__ == "nb_func"}
        self.assertEqual(set(stub), set(functions))
        for name, function in functions.items():
            (signature, *_), = function.__nb_signature__
            if "arg" not in signature:  # unnamed parameters
                self.assertEqual(stub[name], re.findall(r"(\w+):", signature.partition("(")[2].rpartition(")")[0]), name)


if __name__ == "__main__":
    unittest.main()
