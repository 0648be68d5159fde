#!/usr/bin/env python3
"""Writes tests/onnx/reference.bin: results of ONNX's reference evaluator for pooling nodes.

    pip install onnx numpy
    python3 scripts/golden/onnx_generate.py

There are two kinds of cases, both stored as ONNX messages so that the test can parse them with its reader for ONNX files:
  * the node tests of the onnx package that Debian's libonnx-testdata (1.12) does not contain, reduced to the first channel;
  * random nodes. Cases in which the evaluator deviates from the specification are excluded; `trusted` lists them with reasons.

File: for every case a count of messages, then for each its length and bytes (all little-endian uint32): the name, the NodeProto, then
the TensorProtos of inputs and outputs in the node's order.
"""

import struct
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.test.case import node as official
from onnx.reference import ReferenceEvaluator

OUTPUT = Path(__file__).resolve().parents[2] / "tests" / "onnx" / "reference.bin"
POOLING = {"MaxPool", "AveragePool", "LpPool", "MaxUnpool"}
IN_DEBIAN = """
    averagepool_1d_default averagepool_2d_ceil averagepool_2d_default averagepool_2d_pads averagepool_2d_pads_count_include_pad
    averagepool_2d_precomputed_pads averagepool_2d_precomputed_pads_count_include_pad averagepool_2d_precomputed_same_upper
    averagepool_2d_precomputed_strides averagepool_2d_same_lower averagepool_2d_same_upper averagepool_2d_strides
    averagepool_3d_default maxpool_1d_default maxpool_2d_ceil maxpool_2d_default maxpool_2d_dilations maxpool_2d_pads
    maxpool_2d_precomputed_pads maxpool_2d_precomputed_same_upper maxpool_2d_precomputed_strides maxpool_2d_same_lower
    maxpool_2d_same_upper maxpool_2d_strides maxpool_2d_uint8 maxpool_3d_default maxpool_with_argmax_2d_precomputed_pads
    maxpool_with_argmax_2d_precomputed_strides maxunpool_export_with_output_shape maxunpool_export_without_output_shape
""".split()
CASES = {"MaxPool": 110, "AveragePool": 110, "LpPool": 60, "GlobalLpPool": 12, "GlobalAveragePool": 8}
LARGEST = 20_000  # bytes per case


def trusted(op, spatial, a, outputs):
    """Whether the evaluator follows the specification for this node. Checked axis by axis."""
    same = a["auto_pad"].startswith("SAME")
    for i, length in enumerate(spatial):
        k, s, d = a["kernel_shape"][i], a["strides"][i], a["dilations"][i]
        before, after = a["pads"][i], a["pads"][i + len(spatial)]
        effective = d * (k - 1) + 1
        if same:
            out = -(-length // s)
            total = (out - 1) * s + effective - length
            # If the stride exceeds the window, the evaluator applies negative padding; the specification has none.
            if total < 0:
                return False
            # With SAME_LOWER, MaxPool rounds the output size down and puts the odd padding element after the input.
            if op == "MaxPool" and a["auto_pad"] == "SAME_LOWER" and (length % s or total % 2):
                return False
            # AveragePool and LpPool compute automatic padding without the dilation.
            if op != "MaxPool" and d > 1:
                return False
            before = total // 2 if a["auto_pad"] == "SAME_UPPER" else total - total // 2
            after = total - before
        elif a["auto_pad"] == "VALID":
            # AveragePool and LpPool compute the output size without the dilation.
            if op != "MaxPool" and d > 1:
                return False
            out = (length - effective) // s + 1
        else:
            span = length + before + after - effective
            out = span // s + 1
            if a["ceil_mode"]:
                out = -(-span // s) + 1
                if (out - 1) * s >= length + before:
                    # AveragePool and LpPool reduce the output here, but use the windows of the larger output.
                    if op != "MaxPool":
                        return False
                    out -= 1
            overhang = (out - 1) * s + effective - (length + before + after)
            # AveragePool and LpPool split the overhang to both sides, so that an overhang of two or more shifts every window.
            if op != "MaxPool" and overhang > 1:
                return False
            # LpPool multiplies the average by the kernel size, which is too much for a window that reaches past the padding.
            if op == "LpPool" and overhang > 0:
                return False
        if out < 1:
            return False
        # For a window without elements MaxPool returns 0 or None and averages divide 0 by 0, so there is no result to compare with.
        for o in range(out):
            if not any(0 <= o * s - before + t * d < length for t in range(k)):
                return False
    # If all strides and dilations are 1, MaxPool uses an older implementation that reads pads in another order and returns wrong indices.
    if op == "MaxPool" and max(a["strides"] + a["dilations"]) == 1:
        return not same and not any(a["pads"]) and outputs == 1
    return True


def random_attributes(op, rng, rank):
    ints = lambda low, high: [int(v) for v in rng.integers(low, high + 1, rank)]
    a = {
        "kernel_shape": ints(1, 4),
        "strides": ints(1, 3),
        "dilations": ints(1, 3) if rng.random() < 0.5 else [1] * rank,
        "pads": ints(0, 2) + ints(0, 2) if rng.random() < 0.6 else [0] * (2 * rank),
        "ceil_mode": int(rng.random() < 0.5),
        "auto_pad": str(rng.choice(["NOTSET", "NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"])),
    }
    if a["auto_pad"] != "NOTSET":
        a["ceil_mode"], a["pads"] = 0, [0] * (2 * rank)
    if op == "MaxPool":
        a["storage_order"] = int(rng.random() < 0.3)
    if op == "AveragePool":
        a["count_include_pad"] = int(rng.random() < 0.5)
    if op == "LpPool":
        a["p"] = int(rng.integers(1, 6))
    return a


def random_case(op, rng):
    """(node, inputs, outputs), or None if the evaluator cannot be trusted for the drawn node."""
    rank = int(rng.integers(1, 4))
    spatial = [int(v) for v in rng.integers(2, (20, 9, 6)[rank - 1], rank)]
    shape = [int(rng.integers(1, 3)), int(rng.integers(1, 3)), *spatial]
    dtype = rng.choice(["float32", "float32", "float64", "float16", "int8", "uint8"] if op == "MaxPool" else ["float32", "float64"])
    # Few different values, so that windows often have several maxima.
    x = rng.integers(0, 12, shape) if op == "MaxPool" else rng.standard_normal(shape)
    x = x.astype(dtype)
    outputs = ["y", "i"] if op == "MaxPool" and rng.random() < 0.5 else ["y"]
    if op.startswith("Global"):
        a = {"p": int(rng.integers(1, 6))} if op == "GlobalLpPool" else {}
        asked = helper.make_node(op, ["x"], outputs, **a)
        # The evaluator has no GlobalLpPool. By the specification it equals LpPool with a kernel that covers the whole plane.
        run = helper.make_node("LpPool", ["x"], outputs, kernel_shape=spatial, **a) if op == "GlobalLpPool" else asked
    else:
        a = random_attributes(op, rng, rank)
        if not trusted(op, spatial, a, len(outputs)):
            return None
        if a["auto_pad"] != "NOTSET":
            del a["pads"]
        asked = run = helper.make_node(op, ["x"], outputs, **a)
    return asked, [x], ReferenceEvaluator(run).run(None, {"x": x})


def official_cases():
    for case in official.collect_testcases(None):
        nodes = case.model.graph.node
        name = case.name.removeprefix("test_")
        if len(nodes) != 1 or nodes[0].op_type not in POOLING or name in IN_DEBIAN:
            continue
        inputs, outputs = case.data_sets[0]
        if nodes[0].op_type != "MaxUnpool" and len(outputs) == 1:  # channels are independent, so one is enough
            inputs, outputs = [t[:1, :1] for t in inputs], [t[:1, :1] for t in outputs]
        if sum(t.nbytes for t in [*inputs, *outputs]) > LARGEST:
            print(f"skipped for its size: {name}", file=sys.stderr)
            continue
        yield name, nodes[0], inputs, outputs


def message(name, node, inputs, outputs):
    tensors = [numpy_helper.from_array(np.ascontiguousarray(t)) for t in [*inputs, *outputs]]
    parts = [name.encode(), node.SerializeToString(), *(t.SerializeToString() for t in tensors)]
    return struct.pack("<I", len(parts)) + b"".join(struct.pack("<I", len(p)) + p for p in parts)


def main():
    warnings.simplefilter("ignore")
    cases = list(official_cases())
    rng = np.random.default_rng(2024)
    for op, wanted in CASES.items():
        made = 0
        while made < wanted:
            if case := random_case(op, rng):
                made += 1
                cases.append((f"{op}_{made}", *case))
    OUTPUT.write_bytes(b"".join(message(*case) for case in cases))
    print(f"onnx {onnx.__version__}: {len(cases)} cases, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
