"""Compares tidepool with the PyTorch that is installed, on random cases of every op: ./dev parity --minutes 10

Every case is run by PyTorch and then three ways by tidepool: tidepool.torch with its own autograd, PyTorch's functions under enable(), and
NumPy arrays. The cases, and the one table of intended differences with their reasons, are those of the golden files (scripts/golden).
A mismatch prints the line that repeats it.
"""

import argparse
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts" / "golden"))

import cases
import numpy as np
import results
import torch
from arrays import FLOATS, GRAD, GRAD_GRAD, HALVES, X, array
from case import FAMILIES
from judge import difference

import tidepool
import tidepool.torch as tt

OPS = [f"{family}{rank}d" for family in FAMILIES for rank in (1, 2, 3) if (family, rank) != ("fractional_max_pool", 1)]


class OurFunctions:
    """tidepool.torch in the place of torch.nn.functional."""

    def __getattr__(self, name):
        function = getattr(tt, name)
        if not name.startswith("lp_pool"):
            return function
        return lambda x, p, k, s, ceil: function(x, p, k, s, ceil, signed_power=p != float("inf"))  # PyTorch's formula


def make(op, number, large):
    """The case, or None when a large one would only show how 16 bits round, or is beyond PyTorch: its channels-last kernels number the cells
    of a plane in the element's own type."""
    family, rank = op[:-2], int(op[-2])
    lengths, limit = cases.spatial_lengths, cases.cell_limit
    if large:
        cases.spatial_lengths = lambda rng, *rest: [n * rng.between(2, 6) for n in lengths(rng, *rest)]
        cases.cell_limit = lambda rng, _: 40_000
    try:
        case = cases.make_case(family, rank, number)
    finally:
        cases.spatial_lengths, cases.cell_limit = lengths, limit
    small_type = case.dtype in HALVES or case.dtype in ("i8", "u8", "i16") and case.layout == "channels_last"
    return None if large and (small_type or family == "lp_pool") else case


def ours(case, dtype):
    """The passes with tidepool.torch in PyTorch's place."""
    theirs, results.F = results.F, OurFunctions()
    try:
        return results.passes(case, dtype)
    finally:
        results.F = theirs


def numpy_forward(case):
    """Values of NumPy arrays, for the families whose functions take nothing but an array and options."""
    x = results.lay_out(array(case.seed, X, case.tensor_shape(), case.contents, case.dtype), case.layout, case.batched).numpy()
    function = getattr(tidepool, f"{case.family}{case.rank}d")
    if case.family == "max_pool":
        got = function(x, case.kernel, case.steps(), case.padding, case.dilation, case.ceil_mode)
    elif case.family == "avg_pool":
        got = function(x, case.kernel, case.steps(), case.padding, case.ceil_mode, case.count_include_pad, case.divisor or None)
    elif case.family.startswith("adaptive"):
        got = function(x, results.bins(case))
    else:
        return {}
    assert isinstance(got, np.ndarray)
    return dict(values=torch.from_numpy(got))


def magnitudes(case, name):
    """What was added up to make a cell: the same pass over absolute values."""
    kinds = {"values": (X, case.tensor_shape(), case.contents), "double_backward": (GRAD_GRAD, case.tensor_shape(), "full"),
             "grad_input": (GRAD, case.tensor_shape(case.output), "full" if case.seed % 2 else "eighths")}
    stream, shape, contents = kinds[name]
    cells = array(case.seed, stream, shape, contents, case.dtype).double().abs()
    if name == "grad_input":
        return getattr(tidepool, f"adaptive_avg_pool{case.rank}d_backward")(cells, case.tensor_shape())
    return getattr(tidepool, f"adaptive_avg_pool{case.rank}d")(cells, case.output)


def largest(t):
    return t[t.isfinite()].abs().max().item() if t.isfinite().any() else 0.0


def least(t):
    return min([v for v in t.double().abs().flatten().tolist() if v > 0], default=1.0)


def slope(case, expected):
    """A bound on the terms of a norm's first derivative along a direction, which can cancel: each is (x / norm)^(p - 1) times a component."""
    terms = largest(array(case.seed, GRAD_GRAD, case.tensor_shape(), "full", case.dtype)) * math.prod(case.kernel)
    x = array(case.seed, X, case.tensor_shape(), case.contents, case.dtype)
    return terms if case.norm >= 1 else terms * (least(x) / max(largest(expected["values"]), least(x))) ** (case.norm - 1)


def curvature(case, expected):
    """A bound on the terms of a norm's second derivative, which cancel, in a window of one cell to nothing."""
    x = array(case.seed, X, case.tensor_shape(), case.contents, case.dtype)
    grad = array(case.seed, GRAD, case.tensor_shape(case.output), "full" if case.seed % 2 else "eighths", case.dtype)
    terms = largest(grad) * largest(array(case.seed, GRAD_GRAD, case.tensor_shape(), "full", case.dtype)) * math.prod(case.kernel)
    p, values = case.norm, expected["values"]
    if p >= 2:
        return terms * p / least(values)
    return terms * 2 * least(x) ** (p - 2) * (largest(values) if p < 1 else least(values)) ** (1 - p)


def compare(case, marks, expected, got, stepwise=False):
    """Name of the first pass that differs, and how; None when none does."""
    for name, want in expected.items():
        if want is None or name not in got:
            continue
        sums = magnitudes(case, name) if "bin_division" in marks and name != "indices" else None
        if name == "double_backward_input":
            sums = curvature(case, expected)
        if name == "double_backward" and case.family == "lp_pool":
            sums = slope(case, expected)
        wrong = difference(case, marks, name, want.detach(), got[name].detach(), sums, stepwise)
        if wrong:
            return f"{name}: {wrong}"
    return None


def check(op, number, large):
    """What is wrong with one case, in words; and its marks."""
    case = make(op, number, large)
    if case is None:
        return None, None, set()
    dtype = array(case.seed, X, (0,), case.contents, case.dtype).dtype
    raw = results.passes(case, dtype)
    expected, marks = results.run(case)
    wrong = compare(case, marks, expected, ours(case, dtype))
    if wrong:
        return case, f"tidepool.torch, {wrong}", marks
    with tt.enabled():
        got = results.passes(case, dtype)
    # PyTorch composes lp_pool of several operators and rounds to the dtype after each of them.
    wrong = compare(case, marks, expected, got)
    if wrong and compare(case, marks, raw, got, stepwise=True):
        return case, f"under enable(), {wrong}", marks
    if case.dtype != "bf16":
        wrong = compare(case, marks, expected, numpy_forward(case))
        if wrong:
            return case, f"NumPy, {wrong}", marks
    return case, None, marks


def run(seconds, seed, only=None, out=sys.stdout):
    """Runs cases until the time is up and every op has had one. Returns the number of mismatches."""
    torch.set_num_threads(1)  # with several threads, which of two equal indices in unpooling is written last is random
    rng, end = random.Random(seed), time.monotonic() + seconds
    counts, reasons, passes, wrong = Counter(), Counter(), Counter(), 0
    ops = [op for op in OPS if only is None or op.startswith(only)]
    if not ops:
        raise SystemExit(f"parity: no op begins with {only}")
    while time.monotonic() < end or any(counts[op] == 0 for op in ops):
        for op in ops:
            number, large = rng.randrange(10_000, 2**30), rng.random() < 0.15
            case, difference_found, marks = check(op, number, large)
            if case is None:
                continue
            counts[op] += 1
            reasons.update(marks)
            passes[op, case.dtype in FLOATS] += 1
            if difference_found:
                wrong += 1
                if wrong <= 20:
                    print(f"./dev parity --case {op}:{number}{':large' * large}  # {difference_found}; {case}", file=out)
    for op in ops:
        print(f"parity {op}: {counts[op]} cases, {passes[op, True]} with gradients", file=out)
    for mark, reason in results.INTENDED.items():
        print(f"  {reasons[mark]} times {mark}: {reason}", file=out)
    print(f"parity with PyTorch {torch.__version__}: {sum(counts.values())} cases, {wrong} mismatches, seed {seed}", file=out)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(2**30))
    parser.add_argument("--only", help="an op, or how its name begins")
    parser.add_argument("--case", help="one case, as a mismatch names it")
    a = parser.parse_args()
    if a.case:
        op, number, *large = a.case.split(":")
        case, wrong, marks = check(op, int(number), bool(large))
        print(case, f"marks {sorted(marks)}", wrong or "equal", sep="\n")
        return wrong is not None
    return run(a.minutes * 60, a.seed, a.only) != 0


if __name__ == "__main__":
    sys.exit(main())
