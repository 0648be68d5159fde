"""docs/conformance.md lists every op without a mismatch, and scripts/conformance.py counts what the tests wrote."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "conformance.py"
sys.path.insert(0, str(SCRIPT.parent))
import conformance  # noqa: E402


def row(op, mismatches=0, source="reference", way="forward", cases=10, dtype="f32"):
    return {"source": source, "op": op, "dtype": dtype, "pass": way, "cases": cases, "mismatches": mismatches}


class Page(unittest.TestCase):
    text = conformance.PAGE.read_text()

    def test_nothing_differs(self):
        self.assertRegex(self.text, r"\*\*[\d,]+ comparisons, 0 mismatches\.\*\*")
        self.assertNotRegex(self.text, r"\d differ\b")
        for line in re.findall(r"^\| .*\|$", self.text.split("##")[0], re.MULTILINE)[2:]:
            self.assertTrue(line.endswith("| 0 |"), line)

    def test_every_op_is_there(self):
        by_function = self.text.split("## By function")[1].split("##")[0]
        ops = conformance.public_ops()
        self.assertGreaterEqual(len(ops), 26)
        for op in sorted(ops):
            # Global pooling is adaptive pooling to one output.
            if not op.startswith("global_"):
                with self.subTest(op=op):
                    self.assertIn(f"| {op} |", by_function)

    def test_every_dtype_is_there(self):
        for dtype in conformance.DTYPES:
            self.assertIn(f"| max_pool | {dtype} |", self.text)


class Summary(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in files.items():
                (Path(folder) / name).write_text(json.dumps(rows))
            return subprocess.run([sys.executable, "-B", str(SCRIPT), "--summary", folder], stdout=subprocess.PIPE, text=True, check=False)

    def test_a_line_per_group(self):
        answer = self.run_on({
            "golden.json": [row("max_pool2d", source="PyTorch", cases=7), row("max_pool2d", source="PyTorch", way="backward", cases=5)],
            "reference_random_AVX2.json": [row("max_pool2d", cases=3)],
            "reference_random_SSE4.json": [row("lp_pool1d", cases=4)],
        })
        self.assertEqual(answer.returncode, 0)
        self.assertIn("golden: 7 cases, 12 comparisons with PyTorch, 0 mismatches\n", answer.stdout)
        self.assertIn("reference: 7 comparisons with the reference implementation, 0 mismatches\n", answer.stdout)
        self.assertIn("exhaustive: no exhaustive.json, its tests did not run\n", answer.stdout)

    def test_what_was_not_compared_is_counted(self):
        invalid = row("", way="", cases=0, dtype="") | {"invalid": 2}
        answer = self.run_on({"reference_random_AVX2.json": [row("max_pool2d") | {"refusals": 1234}, row("lp_pool1d") | {"refusals": 1}, invalid]})
        self.assertEqual(answer.returncode, 0)
        self.assertIn("reference: 20 comparisons with the reference implementation, 0 mismatches, "
                      "not compared: 1,235 refusals by kernels, 2 invalid problems\n", answer.stdout)

    def test_a_mismatch_is_a_failure(self):
        answer = self.run_on({"golden.json": [row("max_pool2d", source="PyTorch", mismatches=1)]})
        self.assertEqual(answer.returncode, 1)
        self.assertIn("1 mismatches", answer.stdout)


class Tables(unittest.TestCase):
    def test_rows_without_an_op_are_not_listed(self):
        group = conformance.GROUPS[-1]
        rows = [row("max_pool2d"), row("", way="", cases=0, dtype="") | {"invalid": 2}]
        self.assertEqual(conformance.page({group: rows}, {}, []), conformance.page({group: rows[:1]}, {}, []))

    def test_mismatches_show(self):
        group = conformance.GROUPS[0]
        page = conformance.page({group: [row("max_pool2d", source="PyTorch", mismatches=2)]}, {"rounded_once": 3}, [])
        self.assertIn("**10 comparisons, 2 mismatches.**", page)
        self.assertIn("| max_pool2d | 10, 2 differ |", page)
        self.assertIn("| `rounded_once` |", page)

    def test_onnx_ops_have_our_names(self):
        group = conformance.GROUPS[1]
        page = conformance.page({group: [row("AveragePool", source="ONNX")], conformance.GROUPS[-1]: [row("avg_pool2d")]}, {}, ["AVX2"])
        self.assertIn("| avg_pool | f32 | 10 | 10 |", page)


if __name__ == "__main__":
    sys.exit(unittest.main())
