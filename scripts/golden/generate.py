"""Writes the golden results of PyTorch's pooling: python scripts/golden/generate.py OUT_DIR

Needs PyTorch and NumPy; tests/golden reads the files without them. The same version of PyTorch always gives the same bytes, and the files
contain the version. Format, little endian: a header (magic; version of PyTorch and name of the family, each with its length in a byte before
it; number of cases and seed of the first, four bytes each), then the cases as `encode` writes them. Inputs are not stored, because arrays.py
generates them from the seed.
"""

import argparse
import math
import struct
from collections import Counter
from pathlib import Path

import torch
from arrays import CONTENTS, DTYPES, LAYOUTS
from case import COUNTS, FAMILIES, HARD, first_seed
from cases import make_case
from results import INTENDED, run

MAGIC = b"tidepool golden 1\n"
PASSES = ["indices", "grad_input", "double_backward", "double_backward_input"]


def cells(t):
    t = t.contiguous()
    return (t.view(torch.int16) if t.dtype in (torch.float16, torch.bfloat16) else t).numpy().tobytes()


def index_cells(t, plane):
    """Indices as one byte each if they fit, else two. All bits set means -1."""
    assert plane < 2**15
    return cells(t.to(torch.int8) if plane < 255 else t.to(torch.int16))


def encode(case, result, marks):
    bits = lambda names, chosen: sum(1 << i for i, name in enumerate(names) if name in chosen)
    options = case.batched | case.ceil_mode << 1 | case.count_include_pad << 2 | case.size_given << 3
    names = DTYPES.index(case.dtype), LAYOUTS.index(case.layout), CONTENTS.index(case.contents)
    head = struct.pack("<BBBBBBBIbf", case.rank, *names, options, bits(PASSES, result), bits(list(INTENDED), marks), bits(HARD, case.hard),
                       case.divisor, case.norm)
    sizes = bytes([*case.shape, *case.output, *case.kernel, *case.stride, *case.padding, *case.dilation])
    indexed = case.output if case.family == "max_unpool" else case.shape[2:]
    plane = math.prod(indexed)
    body = cells(result["values"])
    if "indices" in result:
        body += index_cells(result["indices"], plane)
    return head + sizes + body + b"".join(cells(result[name]) for name in PASSES[1:] if name in result)


def write_family(folder, family):
    records, ops, kinds, reasons = [], Counter(), Counter(), Counter()
    for rank, count in COUNTS[family].items():
        name = f"{family}{rank}d"
        for _ in range(count):
            case = make_case(family, rank, len(records))
            result, marks = run(case)
            records.append(encode(case, result, marks))
            ops[name] += 1
            kinds.update((name, kind) for kind in case.hard)
            kinds[name, "hard"] += bool(case.hard)
            reasons.update(marks)
    text = lambda s: bytes([len(s)]) + s.encode()
    header = MAGIC + text(torch.__version__) + text(family) + struct.pack("<II", len(records), first_seed(family))
    (folder / f"{family}.bin").write_bytes(header + b"".join(records))
    for name, count in ops.items():
        found = ", ".join(f"{kind} {kinds[name, kind]}" for kind in HARD if kinds[name, kind])
        print(f"{name}: {count} cases, {kinds[name, 'hard']} hard: {found}")
    return ops, kinds, reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out_dir", type=Path)
    folder = parser.parse_args().out_dir
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # with more threads, the result for duplicate indices of max_unpool is not deterministic
    ops, kinds, reasons = Counter(), Counter(), Counter()
    for family in FAMILIES:
        for total, part in zip((ops, kinds, reasons), write_family(folder, family)):
            total.update(part)
    by_kind = Counter()
    for (_, kind), count in kinds.items():
        by_kind[kind] += count
    print(f"PyTorch {torch.__version__}: {sum(ops.values())} cases, {by_kind['hard']} hard")
    print("  " + ", ".join(f"{kind} {by_kind[kind]}" for kind in HARD))
    for mark, reason in INTENDED.items():
        print(f"  {reasons[mark]} marked {mark}: {reason}")


if __name__ == "__main__":
    main()
