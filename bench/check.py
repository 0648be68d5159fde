"""Whether a rival computed what we did, before anybody is timed."""

import numpy as np

# Averages are added up in other orders; gradients of overlapping windows too. Relative to the value or to 1, the scale of the data.
TOLERANCE = {"f32": 1e-5, "f64": 1e-12, "f16": 4e-3, "bf16": 3e-2}


def numbers(array, dtype):
    """bf16 comes as its bits."""
    if dtype == "bf16" and array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def is_copying(about):
    """Maxima and unpooling copy cells and must agree in every bit; gradients of overlapping windows add."""
    return about["op"] in ("max", "min", "unpool") and about["pass"] == "fwd"


def difference(about, expected, got):
    """"" when equal enough, else what differs; and a note when equal enough is not equal."""
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
    wrong = ~(np.abs(expected - got) <= TOLERANCE[dtype] * np.maximum(1.0, np.abs(expected)))
    return (first(wrong, expected, got) if wrong.any() else ""), ""


def first(wrong, expected, got):
    place = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return f"{int(wrong.sum())} of {wrong.size} differ, first at {tuple(int(i) for i in place)}: {got[place]} instead of {expected[place]}"
