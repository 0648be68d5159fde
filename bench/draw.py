"""Draws problems as people have them, for --random: shapes, windows, layouts and dtypes that nobody tuned a kernel for.

Everything is drawn with the uniform numbers of random.Random, so that a seed gives the same problems with every version of Python.
"""

import math
import random
from typing import NamedTuple

FORWARD, RECORDING, BACKWARD = "forward", "recording forward", "backward"
PASSES = (FORWARD, RECORDING, BACKWARD)  # recording: with the indices that a backward pass needs, which only maxima have

CELLS = (10**4, 10**7)  # of the input
LAYOUTS = {1: ("ncl", "nlc"), 2: ("nchw", "nhwc"), 3: ("ncdhw", "ndhwc")}
MOST_OUTPUT = 32  # of adaptive windows, along every axis


class Axis(NamedTuple):
    kernel: int
    stride: int
    padding: int
    dilation: int
    output: int


class Drawn(NamedTuple):
    number: int
    problems: dict  # pass: problem, in the order of PASSES
    visits: int  # elements of all windows together, which a library that computes every window on its own reads


def log_uniform(rng, low, high):
    return round(low * (high / low) ** rng.random())


def pick(rng, choices):
    return choices[int(rng.random() * len(choices))]


def draw_shape(rng):
    """Batch, channels and sides. All are drawn again while the number of cells is outside its limits."""
    share = rng.random()
    rank = 2 if share < 0.8 else 1 if share < 0.9 else 3
    while True:
        shape = [log_uniform(rng, 1, 64), log_uniform(rng, 1, 512)] + [log_uniform(rng, 4, 512) for _ in range(rank)]
        if CELLS[0] <= math.prod(shape) <= CELLS[1]:
            return shape


def output_size(size, kernel, stride, padding, dilation, ceil):
    """The number of windows along an axis as PyTorch counts them; at most 0 if the window does not fit."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil else room // stride) + 1
    return count - (ceil and (count - 1) * stride >= size + padding)  # no window begins behind the input and the padding before it


def draw_windows(rng, sides, may_dilate):
    """The windows along every axis and ceil mode. All are drawn again while they do not fit into the input."""
    while True:
        size = pick(rng, (2, 3)) if rng.random() < 0.7 else pick(rng, range(4, 22))
        kernel = [size] * len(sides)
        if rng.random() < 0.1 and len(sides) > 1:
            kernel[int(rng.random() * len(sides))] = 1
        stride, padded = pick(rng, (1, 2, None)), rng.random() < 0.5  # None: as large as the window
        dilation, ceil = 1 + (rng.random() < 0.1 and may_dilate), rng.random() < 0.1
        axes = []
        for side, k in zip(sides, kernel, strict=True):
            step, padding = stride or k, k // 2 if padded else 0
            fits = side + 2 * padding >= dilation * (k - 1) + 1
            axes.append(Axis(k, step, padding, dilation, output_size(side, k, step, padding, dilation, ceil) if fits else 0))
        if all(axis.output > 0 for axis in axes):
            return axes, ceil


def per_axis(letter, values, usual=None):
    """`k3`, `k3x2`, or nothing if all are as usual."""
    values = list(values)
    if all(v == usual for v in values):
        return ""
    return letter + ("x".join(map(str, values)) if len(set(values)) > 1 else str(values[0]))


def draw(seed, number):
    """The problem with this number: one text for each pass that its op has."""
    rng = random.Random(f"{seed} {number}")
    share = rng.random()
    op, adaptive = ("max", False) if share < 0.6 else ("avg", False) if share < 0.85 else (pick(rng, ("max", "avg")), True)
    shape = draw_shape(rng)
    sides, last, share = shape[2:], rng.random() < 0.5, rng.random()
    dtype = "f32" if share < 0.8 else pick(rng, ("f64", "f16", "bf16"))
    if adaptive:
        size = log_uniform(rng, 1, MOST_OUTPUT)
        output = [min(side, size) for side in sides]
        windows = [per_axis("out=", output)]
        visits = math.prod(shape[:2]) * math.prod(map(max, sides, output))  # about: windows share few elements
    else:
        axes, ceil = draw_windows(rng, sides, op == "max")
        kernel, stride, padding, dilation, output = zip(*axes, strict=True)
        windows = [per_axis("k", kernel), per_axis("s", stride), per_axis("p", padding, 0), per_axis("d", dilation, 1), "ceil" if ceil else ""]
        visits = math.prod(shape[:2]) * math.prod(output) * math.prod(kernel)
    layout = LAYOUTS[len(sides)][last and shape[1] > 1]  # with one channel, both layouts are the same memory

    def problem(way, *more):
        return " ".join(filter(None, [f"{op}{len(sides)}d", way, dtype, layout, "x".join(map(str, shape)), *windows, *more]))

    if op == "max":
        problems = {FORWARD: problem("fwd"), RECORDING: problem("fwd", "idx=window"), BACKWARD: problem("bwd", "idx=window")}
    else:
        problems = {FORWARD: problem("fwd"), BACKWARD: problem("bwd")}
    return Drawn(number, problems, visits)


def pass_of(row):
    """Which of PASSES a row of the report is."""
    return BACKWARD if row["pass"] == "bwd" else RECORDING if row["indices"] else FORWARD
