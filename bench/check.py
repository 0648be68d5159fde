"""Checks that a rival library computes the same result as tidepool. This runs before any measurement."""

import math

import numpy as np

# Libraries sum averages, and gradients of overlapping windows, in different orders. The tolerance is relative to the larger of the value and 1.
TOLERANCE = {"f32": 1e-5, "f64": 1e-12, "f16": 4e-3, "bf16": 3e-2}


def numbers(array, dtype):
    """Converts bf16, which NumPy does not have and which arrives as uint16, to float32."""
    if dtype == "bf16" and array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def is_copying(about):
    """Whether results are copies of input elements, which must agree in every bit. Backward passes can add."""
    return about["op"] in ("max", "min", "unpool") and about["pass"] == "fwd"


def tolerance(about):
    """Gradients are sums of as many values as windows overlap. Some libraries round after every addition."""
    terms = 1
    if about["pass"] == "bwd" and about["windows"] == "regular":
        terms = math.prod(-(-axis["kernel"] // axis["stride"]) for axis in about["axes"])
    return TOLERANCE[about["dtype"]] * max(1, terms / 4)


def difference(about, expected, got):
    """Returns (fault, note). The fault is empty if the results agree within the tolerance; the note explains a tolerated difference."""
    dtype = about["dtype"]
    expected, got = numbers(expected, dtype), numbers(got, dtype)
    if expected.shape != got.shape:
        return f"shape {list(got.shape)} instead of {list(expected.shape)}", ""
    if np.array_equal(expected, got):
        return "", ""
    if is_copying(about):
        return first(expected != got, expected, got), ""
    if dtype not in TOLERANCE:
        apart = np.abs(expected.astype(np.int64) - got.astype(np.int64))
        note = "rounds to nearest where we truncate as PyTorch" if apart.any() else ""
        return (first(apart > 1, expected, got) if (apart > 1).any() else ""), note
    wide = np.promote_types(expected.dtype, np.float32)
    expected, got = expected.astype(wide, copy=False), got.astype(wide, copy=False)
    wrong = ~(np.abs(expected - got) <= tolerance(about) * np.maximum(1.0, np.abs(expected)))
    return (first(wrong, expected, got) if wrong.any() else ""), ""


def first(wrong, expected, got):
    place = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return f"{int(wrong.sum())} of {wrong.size} differ, first at {tuple(int(i) for i in place)}: {got[place]} instead of {expected[place]}"
