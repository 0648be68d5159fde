"""The public functions as a person and an editor see them: source, signature, documentation, examples."""

import ast
import doctest
import importlib
import inspect
import pydoc
import re
import subprocess
import sys
import unittest
from pathlib import Path

import tidepool
from tidepool import _core

try:
    import tidepool.torch as tt
except ImportError:
    tt = None

PYTHON = Path(__file__).resolve().parents[1]
RANKS = {"max_pool", "min_pool", "avg_pool", "sum_pool", "lp_pool", "max_unpool", "adaptive_avg_pool", "adaptive_max_pool",
         "global_avg_pool", "global_sum_pool", "global_max_pool", "global_lp_pool", "fractional_max_pool"}

# What the sources in bindings/python/src may use of Python's C API: all of it is in the stable ABI of Python 3.12. Before adding a name,
# look it up at https://docs.python.org/3/c-api/stable.html.
STABLE_ABI = set("""
    PyBUF_RECORDS PyBUF_RECORDS_RO PyBool_Check PyBuffer_Release PyCapsule_CheckExact PyCapsule_GetPointer PyErr_Clear PyErr_Occurred
    PyExc_ValueError PyFloat_AsDouble PyIndex_Check PyList_Check PyLong_AsLongLongAndOverflow PyLong_AsUnsignedLongLongMask PyNumber_Index
    PyObject PyObject_CheckBuffer PyObject_GetAttrString PyObject_GetBuffer PyObject_IsTrue PyObject_VectorcallMethod PySequence_Check
    PySequence_Tuple PyTuple_Check PyTypeObject PyType_GetFlags PyUnicode_Check PyUnicode_InternFromString Py_INCREF Py_TYPE
    Py_TPFLAGS_HEAPTYPE Py_True Py_buffer Py_ssize_t
""".split())


def public(module):
    """(name, function) for the functions of a module's __all__."""
    return [(name, value) for name in module.__all__ if not inspect.isclass(value := getattr(module, name)) and callable(value)]


class Functions(unittest.TestCase):
    def setUp(self):
        self.functions = [(f"tidepool.{n}", f) for n, f in public(tidepool)] + ([(f"tidepool.torch.{n}", f) for n, f in public(tt)] if tt else [])

    def test_names(self):
        ranks = lambda op: (2, 3) if op == "fractional_max_pool" else (1, 2, 3)
        forward = {f"{op}{rank}d" for op in RANKS for rank in ranks(op)}
        names = {name for name, _ in public(tidepool)}
        self.assertEqual({n for n in names if re.fullmatch(r"\w+[123]d", n)}, forward)
        for name in forward:
            self.assertLessEqual({f"{name}_backward", f"{name}_double_backward"}, names)
        if tt:
            self.assertEqual({name for name, _ in public(tt)}, forward | {"enable", "disable", "enabled", "is_enabled"})

    def test_are_real_functions(self):
        """Written as a def of this name in a file: no closure, no replaced name or docstring."""
        for path, function in self.functions:
            with self.subTest(function=path):
                function = inspect.unwrap(function)
                name = path.rpartition(".")[2]
                self.assertTrue(inspect.isfunction(function))
                self.assertEqual((function.__name__, function.__qualname__, function.__closure__), (name, name, None))
                module = importlib.import_module(function.__module__)
                self.assertIs(inspect.unwrap(getattr(module, name)), function)
                (node,) = ast.parse(inspect.getsource(function)).body
                self.assertEqual((node.name, ast.get_docstring(node)), (name, inspect.getdoc(function)))
                written = [a.arg for a in node.args.args + node.args.kwonlyargs]
                self.assertEqual(written, list(inspect.signature(function).parameters))

    def test_are_annotated_and_documented(self):
        for path, function in self.functions:
            with self.subTest(function=path):
                signature = inspect.signature(function)
                self.assertIsNot(signature.return_annotation, signature.empty)
                text = inspect.getdoc(function)
                self.assertIn(text.splitlines()[0], pydoc.render_doc(function, renderer=pydoc.plaintext))
                for parameter in signature.parameters.values():
                    self.assertIsNot(parameter.annotation, parameter.empty)
                    self.assertNotIn("Any", str(parameter.annotation))
                    self.assertRegex(text, rf"(?m)^    {parameter.name}: \S")
                self.assertNotIn("Any", str(signature.return_annotation))

    def test_examples(self):
        """Every function has an example, and it is right."""
        modules = [("tidepool", tidepool)] + ([("tidepool.torch", tt)] if tt else [])
        for path, value in self.functions + modules:
            with self.subTest(function=path):
                tests = doctest.DocTestFinder(recurse=False).find(value, path, globs={})
                results = [doctest.DocTestRunner(verbose=False).run(test) for test in tests]
                self.assertGreater(sum(r.attempted for r in results), 1)
                self.assertEqual(sum(r.failed for r in results), 0)

    def test_every_option_of_the_library_has_a_keyword(self):
        self.assertEqual(len(_core.option_names), 6)
        for family, options in _core.option_names.items():
            parameters = inspect.signature(getattr(tidepool, family.replace("pool", "pool2d", 1))).parameters
            self.assertGreater(len(options), 4)
            self.assertLessEqual(set(options), set(parameters), family)

    def test_torch_functions_take_what_the_others_take(self):
        for name, function in public(tt) if tt else []:
            if "pool" in name:
                ours = inspect.signature(getattr(tidepool, name)).parameters
                theirs = inspect.signature(function).parameters
                left_out = set(ours) - set(theirs)
                self.assertLessEqual(left_out, {"out", "rounding"}, name)
                self.assertEqual([(p.name, p.default, p.kind) for p in ours.values() if p.name not in left_out],
                                 [(p.name, p.default, p.kind) for p in theirs.values()], name)


class Sources(unittest.TestCase):
    def test_generated_files_are_fresh(self):
        sys.path.insert(0, str(PYTHON / "generator"))
        try:
            import generate
        finally:
            sys.path.pop(0)
        files = generate.files()
        for path, text in files.items():
            with self.subTest(file=str(path.relative_to(PYTHON))):
                self.assertTrue(path.read_text(encoding="utf-8") == text, "run bindings/python/generator/generate.py")
        found = {path for path in (PYTHON / "tidepool").rglob("*.py") if re.search(r"_pool\dd$", path.parent.name)}
        self.assertEqual(found - set(files), set(), "files that the generator does not write")
        self.assertGreater(len(files), 70)

    def test_oldest_syntax(self):
        """The sources compile with the oldest Python that pyproject.toml allows."""
        oldest = re.search(r'requires-python = ">=3\.(\d+)"', (PYTHON.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
        for path in (PYTHON / "tidepool").rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, int(oldest[1])))
            if any(isinstance(n, ast.AnnAssign) or isinstance(n, ast.arg) and n.annotation for n in ast.walk(tree)):
                self.assertIn("from __future__ import annotations", path.read_text(encoding="utf-8"), path)

    def test_stable_abi(self):
        used = {}
        for path in sorted((PYTHON / "src").glob("*.*")):
            code = re.sub(r"//[^\n]*|\"[^\"\n]*\"", "", path.read_text(encoding="utf-8"))
            used |= {name: path.name for name in re.findall(r"\bPy[A-Z_]\w+", code) if not name.startswith("PyTorch")}
            self.assertNotRegex(code, r"->tp_", path.name)
        self.assertGreater(len(used), 20)
        self.assertEqual({name: file for name, file in used.items() if name not in STABLE_ABI}, {})


class WithoutTorch(unittest.TestCase):
    def test_one_sentence(self):
        code = "import sys; sys.modules['torch'] = None; import tidepool; import tidepool.torch"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        sentence = "ModuleNotFoundError: tidepool.torch needs PyTorch 2.10 or newer, which is not installed: pip install torch"
        self.assertEqual(done.stderr.splitlines()[-1], sentence)
        self.assertNotIn("During handling", done.stderr)


if __name__ == "__main__":
    unittest.main()
