#!/usr/bin/env python3
"""Counts what the tests compare with PyTorch, ONNX and the reference implementation, and writes docs/conformance.md.

    ./dev conformance                     runs the comparing tests of the release build and writes the page
    scripts/conformance.py --summary DIR  one line per group from the counts that a test run left in DIR

With TIDEPOOL_COUNTS_DIR set, the tests leave JSON files there: rows of source, op, dtype, pass, cases and mismatches. Tests that run every
kernel also count refusals (a kernel does not fit a problem) and, in a row without an op, invalid problems.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"


@dataclass(frozen=True)
class Group:
    name: str
    source: str  # of its rows
    pattern: str  # of its files
    program: str
    tests: str  # GoogleTest's filter
    how: str


GROUPS = [
    Group("golden", "PyTorch", "golden.json", "tidepool_golden_tests", "Golden.MatchesPyTorch",
          "[answers stored](../tests/golden/golden_test.cc) by [a script](../scripts/golden/generate.py)"),
    Group("onnx", "ONNX", "onnx.json", "tidepool_onnx_tests", "Onnx.*", "[its official vectors](../tests/onnx/onnx_vectors_test.cc)"),
    Group("onnx evaluator", "ONNX evaluator", "onnx_evaluator.json", "tidepool_onnx_tests", "Onnx.*",
          "[answers](../tests/onnx/onnx_vectors_test.cc) of ONNX's reference evaluator"),
    Group("exhaustive", "reference", "exhaustive.json", "tidepool_exhaustive_tests", "*",
          "[every small grid](../tests/exhaustive/exhaustive_test.cc)"),
    Group("reference", "reference", "reference_*.json", "tidepool_kernels_tests", "*MatchTheReference*",
          "[random problems](../tests/kernels/reference_match_test.cc), every kernel on every instruction set"),
]

# ONNX's ops by our names. Theirs have no number of dimensions.
ONNX_OPS = {"MaxPool": "max_pool", "AveragePool": "avg_pool", "LpPool": "lp_pool", "MaxUnpool": "max_unpool",
            "GlobalMaxPool": "global_max_pool", "GlobalAveragePool": "global_avg_pool", "GlobalLpPool": "global_lp_pool"}
FAMILIES = ["max_pool", "min_pool", "avg_pool", "sum_pool", "lp_pool", "adaptive_max_pool", "adaptive_avg_pool", "global_max_pool",
            "global_avg_pool", "global_sum_pool", "global_lp_pool", "fractional_max_pool", "max_unpool"]
DTYPES = ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"]
# Columns of the tables: source, title, passes.
COLUMNS = [
    ("PyTorch", "forward", ["forward"]),
    ("PyTorch", "indices", ["indices"]),
    ("PyTorch", "backward", ["backward"]),
    ("PyTorch", "double backward", ["double_backward", "double_backward_input"]),
    ("ONNX", "forward", ["forward"]),
    ("reference", "forward", ["forward"]),
    ("reference", "backward", ["backward"]),
    ("reference", "double backward", ["double_backward", "double_backward_input"]),
]


@dataclass
class Count:
    cases: int = 0
    mismatches: int = 0

    def add(self, row):
        self.cases += row["cases"]
        self.mismatches += row["mismatches"]

    def text(self):
        if not self.cases:
            return ""
        return f"{self.cases:,}" + (f", {self.mismatches:,} differ" if self.mismatches else "")


def read(folder):
    """The rows of each group whose tests have run."""
    found = {}
    for group in GROUPS:
        files = sorted(Path(folder).glob(group.pattern))
        if files:
            found[group] = [row for file in files for row in json.loads(file.read_text())]
    return found


def total(rows):
    count = Count()
    for row in rows:
        count.add(row)
    return count


def public_ops(root=ROOT):
    """Functions of the public headers that pool: max_pool1d, …, without their passes."""
    ops = set()
    for header in sorted((root / "include" / "tidepool" / "ops").glob("*.h")):
        text = header.read_text()
        ops.update(re.findall(r"^inline Tensor (\w+pool\dd)\(", text, re.MULTILINE))
    return ops


def family_of(op):
    return ONNX_OPS.get(op) or re.sub(r"\dd$", "", op)


def torch_version(root=ROOT):
    data = (root / "tests" / "golden" / "max_pool.bin").read_bytes()
    start = data.index(b"\n") + 1
    return data[start + 1 : start + 1 + data[start]].decode().split("+")[0]


def onnx_version():
    try:
        answer = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libonnx-testdata"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=True, text=True)
        return answer.stdout.split("-")[0]
    except (OSError, subprocess.CalledProcessError):
        return ""


def intended(root=ROOT):
    """The marks of golden cases where we differ on purpose, and why."""
    tree = ast.parse((root / "scripts" / "golden" / "results.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "INTENDED":
            return ast.literal_eval(node.value)
    return {}


def table(head, rows, align=1):
    """Markdown; the first `align` columns are words, the others numbers."""
    rule = ["---" if i < align else "--:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, rule, *rows])


def counted(found, key):
    """Count per key(row) and column."""
    counts = {}
    for rows in found.values():
        for row in rows:
            source = "ONNX" if row["source"].startswith("ONNX") else row["source"]
            for column, (wanted, _, passes) in enumerate(COLUMNS):
                if wanted == source and row["pass"] in passes:
                    counts.setdefault(key(row), {}).setdefault(column, Count()).add(row)
    return counts


def order(op):
    family = family_of(op)
    return (FAMILIES.index(family) if family in FAMILIES else len(FAMILIES), op)


def pass_table(counts, keys, words):
    """One row per key, and only the columns in which somebody counted."""
    used = [c for c in range(len(COLUMNS)) if any(c in counts[key] for key in keys)]
    head = [*words, *(f"{COLUMNS[c][0]} {COLUMNS[c][1]}" for c in used)]
    rows = [[*(key if isinstance(key, tuple) else (key,)), *(counts[key].get(c, Count()).text() for c in used)] for key in keys]
    return table(head, rows, len(words))


def summary_lines(found):
    for group, rows in found.items():
        count = total(rows)
        cases = sum(row["cases"] for row in rows if row["pass"] == "forward") if group.name == "golden" else 0
        extra = f"{cases:,} cases, " if cases else ""
        refusals, invalid = (sum(row.get(key, 0) for row in rows) for key in ("refusals", "invalid"))
        left_out = f", not compared: {refusals:,} refusals by kernels, {invalid:,} invalid problems" if refusals or invalid else ""
        yield f"{group.name}: {extra}{count.cases:,} comparisons with {'the reference implementation' if group.source == 'reference' else group.source}, {count.mismatches:,} mismatches{left_out}"


def marks_of(output):
    """How many golden cases carry each mark, from what the golden test printed."""
    match = re.search(r"^golden total: .* marked as intended:(.*)$", output, re.MULTILINE)
    words = match[1].split() if match else []
    return dict(zip(words[::2], map(int, words[1::2])))


def page(found, marks, targets):
    everything = total([row for rows in found.values() for row in rows])
    versions = {"PyTorch": f"PyTorch {torch_version()}", "ONNX": f"ONNX {onnx_version()}".strip()}
    top = []
    for group, rows in found.items():
        count = total(rows)
        cases = sum(row["cases"] for row in rows if row["pass"] == "forward")
        top.append([versions.get(group.source, group.source), group.how, f"{cases:,}", f"{count.cases:,}", f"{count.mismatches:,}"])
    ops = counted(found, lambda row: row["op"])
    public = public_ops()
    named = sorted((op for op in ops if op in public), key=order)
    unnamed = sorted((op for op in ops if op not in public and op not in ONNX_OPS), key=order)
    by_dtype = counted({g: [r for r in rows if r["op"] in public or r["op"] in ONNX_OPS] for g, rows in found.items()},
                       lambda row: (family_of(row["op"]), row["dtype"]))
    dtypes = sorted(by_dtype, key=lambda key: (order(key[0]), DTYPES.index(key[1])))
    parts = [
        "# Conformance",
        "Written by `./dev conformance`, which runs these tests and counts. `./dev test` runs them too and prints the totals.",
        f"**{everything.cases:,} comparisons, {everything.mismatches:,} mismatches.**",
        table(["compared with", "how", "forward cases", "comparisons", "mismatches"], top, 2),
        "A comparison is one array of one case: values, indices, or a gradient. Everything that copies cells (max, min, fractional, unpooling and "
        "their gradients) must agree in every bit; so must averages and sums, where a NaN is a NaN, except as the table below says, and "
        "except that large windows are added up in an order of their own ([ADR 9](adr/0009-large-sums.md)) and compared with a tolerance. Lp takes "
        "powers: it must agree with PyTorch within 16 units in the last place of what is added up, and with the reference implementation within a tolerance "
        "that it computes for every cell. The [reference implementation](../reference/reference.h) is written from the definitions and shares no "
        "code with the library."
        + (" ONNX sums in another order: its averages and norms are compared within 2e-6, or 1e-12 in f64, of their size or of 1, and one vector "
           "of four digits within 1e-4." if any(group.source.startswith("ONNX") for group in found) else "")
        + (f" It was compared on {len(targets)} instruction sets: {', '.join(targets)}." if targets else ""),
    ]
    if marks:
        reasons = intended()
        parts += ["## Where we differ from PyTorch on purpose",
                  "These golden cases are marked; the reason says what is compared instead. Everything else is compared as PyTorch has it.",
                  table(["mark", "why", "cases"], [[f"`{m}`", reasons.get(m, ""), f"{n:,}"] for m, n in sorted(marks.items())], 2)]
    parts += ["## By function",
              "Global pooling is adaptive pooling to one output and is counted there. ONNX's vectors do not say how many dimensions: see below.",
              pass_table({op: {c: n for c, n in ops[op].items() if COLUMNS[c][0] != "ONNX"} for op in named}, named, ["function"]),
              "## By dtype", pass_table(by_dtype, dtypes, ["op", "dtype"])]
    if unnamed:
        parts += ["## Without a function of their own",
                  "Windows that no function makes, reached through a problem's text or by global pooling alone.",
                  pass_table({op: ops[op] for op in unnamed}, unnamed, ["windows and reduction"])]
    return "\n\n".join(parts) + "\n"


def run_tests(build, folder):
    """Runs every group's tests with counting on. Returns what the golden test printed, and whether all passed."""
    env = {**os.environ, "TIDEPOOL_COUNTS_DIR": str(folder)}
    printed, ran, passed = "", set(), True
    for group in GROUPS:
        program = build / "tests" / group.program
        if program in ran or not program.exists():
            continue
        ran.add(program)
        print(f"conformance: {group.program}", file=sys.stderr)
        answer = subprocess.run([str(program), f"--gtest_filter={group.tests}"], env=env, stdout=subprocess.PIPE, text=True, check=False)
        if answer.returncode != 0:
            passed = False
            sys.stderr.write(answer.stdout[-4000:])
        if group.name == "golden":
            printed = answer.stdout
    return printed, passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--summary", type=Path, metavar="DIR", help="print one line per group from the counts in DIR")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="whose tests to run [build/release]")
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.summary:
        found = read(args.summary)
        passed = True
    else:
        with tempfile.TemporaryDirectory() as folder:
            printed, passed = run_tests(args.build, folder)
            found = read(folder)
            targets = sorted(f.stem.removeprefix("reference_random_") for f in Path(folder).glob("reference_random_*.json"))
        if not found:
            sys.exit("conformance: no test program is built, ./dev build makes them")
        args.out.write_text(page(found, marks_of(printed), targets), encoding="utf-8")
    for line in summary_lines(found):
        print(line)
    for group in GROUPS:
        if group not in found:
            print(f"{group.name}: no {group.pattern}, its tests did not run")
    return 0 if passed and not total([row for rows in found.values() for row in rows]).mismatches else 1


if __name__ == "__main__":
    sys.exit(main())
