"""Draws random options for every op. They are valid in PyTorch, and edge cases are frequent."""

import math

from arrays import FLOATS, Rng
from case import Case, first_seed

# Kinds of values for each p of the norm. If positive and negative terms cancel, the root amplifies rounding errors; fractional powers of negative
# numbers are NaN.
LP_CONTENTS = {
    1.0: ["eighths", "full", "ties", "sparse"],
    2.0: ["eighths", "full", "ties", "specials", "sparse", "full"],
    3.0: ["eighths", "positive", "sparse"],
    4.0: ["eighths", "full", "positive"],
    0.5: ["positive"],
    1.5: ["positive", "positive", "eighths"],
    2.5: ["positive", "sparse"],
    math.inf: ["full", "specials"],
}


def windows(length, k, s, p, d, ceil):
    """The number of outputs, and the effect of ceil_mode."""
    room = length + 2 * p - d * (k - 1) - 1
    low, high = room // s + 1, -(-room // s) + 1
    if not ceil or high == low:
        return low, None
    if (high - 1) * s >= length + p:
        return high - 1, "ceil_drop"
    return high, "ceil_overhang"


def cell_limit(rng, rank):
    return 250 if rng.percent(4) else {1: 40, 2: 64, 3: 72}[rank]


def choose_shape(rng, case, spatial):
    """Chooses batch and channels so that the case stays small. 17 channels are enough for the vector loops of channels-last kernels."""
    limit = max(1, cell_limit(rng, case.rank) // max(math.prod(spatial), math.prod(case.output)))
    batch = 0 if rng.percent(5) else min(limit, rng.pick([1, 1, 2, 3]))
    channels = min(limit // max(batch, 1), rng.pick([1, 2, 3, 5, 17])) or 1
    case.batched = not rng.percent(15)
    case.shape = (batch if case.batched else 1, channels, *spatial)
    if case.batched and batch == 0:
        case.hard.add("empty_batch")
    if not case.batched:
        case.hard.add("unbatched")
    if rng.percent(40):
        case.layout = rng.pick(["channels_last", "channels_last", "sliced", "transposed"])
        case.hard.add(case.layout)


def spatial_lengths(rng, rank, wide, short=15):
    longest = {1: 40 if wide else 16, 2: 8, 3: 5}[rank]
    if rng.percent(short):
        longest = 3  # shorter than many windows
    lengths = [rng.between(1, longest) for _ in range(rank)]
    if wide and rank == 2:
        lengths = [rng.between(2, 4), rng.between(17, 40)]
    return lengths


def choose_windows(rng, case):
    """Chooses kernel, stride, padding, dilation, ceil_mode and spatial size. Returns False if PyTorch would refuse them."""
    rank, family = case.rank, case.family
    dilated = family == "max_pool" and rng.percent(45)
    padded = family in ("max_pool", "avg_pool") and rng.percent(60)
    equal = rng.percent(40)
    lengths = spatial_lengths(rng, rank, rng.percent(5), 40 if dilated else 15)
    axes = []
    for _ in lengths:
        k = rng.pick([1, 2, 2, 3, 3, 3, 4, 5])
        d = rng.between(1, 3) if dilated else 1
        limit = k // 2  # PyTorch 2.13 compares the padding with the kernel size without dilation
        p = rng.pick([limit, limit, rng.between(0, limit)]) if padded else 0
        axes.append((k, rng.pick([0, 1, 2, 3]), p, d, limit))
    if equal:
        axes = [axes[0]] * rank
    case.kernel, case.stride, case.padding, case.dilation, limits = map(tuple, zip(*axes))
    case.ceil_mode = rng.percent(45)
    output = []
    for length, k, s, p, d in zip(lengths, case.kernel, case.steps(), case.padding, case.dilation):
        if family != "max_pool" and rank == 3 and length < k:
            return False
        o, ceil_effect = windows(length, k, s, p, d, case.ceil_mode)
        if o < 1:
            return False
        output.append(o)
        if ceil_effect:
            case.hard.add(ceil_effect)
    case.output = tuple(output)
    if any(d > 1 and k > 1 for d, k in zip(case.dilation, case.kernel)):
        case.hard.add("dilation")
    if any(p == limit > 0 for p, limit in zip(case.padding, limits)):
        case.hard.add("padding_limit")
    if len(set(axes)) > 1:
        case.hard.add("unequal_window")
    choose_shape(rng, case, lengths)
    return True


def choose_bins(rng, case):
    lengths = spatial_lengths(rng, case.rank, rng.percent(5))
    case.output = (1,) * case.rank if rng.percent(12) else tuple(rng.between(1, l + 2) if rng.percent(80) else l for l in lengths)
    case.size_given = case.rank == 1 or rng.percent(70)
    if any(l % o for l, o in zip(lengths, case.output)):
        case.hard.add("uneven_bins")
    if any(o > l for l, o in zip(lengths, case.output)):
        case.hard.add("more_bins_than_cells")
    choose_shape(rng, case, lengths)
    return True


def choose_fractions(rng, case):
    lengths = [max(2, l) for l in spatial_lengths(rng, case.rank, rng.percent(5))]
    case.kernel = tuple(rng.between(1, min(3, l - 1)) for l in lengths)
    slack = 1 if case.rank == 3 else 0  # PyTorch requires a strict inequality in 3-D
    case.output = tuple(rng.between(1, l - k + 1 - slack) for l, k in zip(lengths, case.kernel))
    if len(set(case.kernel)) > 1:
        case.hard.add("unequal_window")
    choose_shape(rng, case, lengths)
    return True


def choose_unpooling(rng, case):
    lengths = [rng.between(1, {1: 9, 2: 4, 3: 3}[case.rank]) for _ in range(case.rank)]
    case.kernel = tuple(rng.between(1, 3) for _ in lengths)
    case.stride = tuple(rng.pick([0, 1, 2, 3]) for _ in lengths)
    case.padding = tuple(rng.pick([0, k // 2]) for k in case.kernel)
    least = tuple((l - 1) * s + k - 2 * p for l, s, k, p in zip(lengths, case.steps(), case.kernel, case.padding))
    case.size_given = rng.percent(50)
    case.output = tuple(m + rng.between(1 - s, s - 1) for m, s in zip(least, case.steps())) if case.size_given else least
    if any(o < 1 for o in case.output):
        return False
    if len(set(zip(case.kernel, case.stride, case.padding))) > 1:
        case.hard.add("unequal_window")
    if any(p for p in case.padding):
        case.hard.add("padding_limit")
    choose_shape(rng, case, lengths)
    return True


def choose_numbers(rng, case):
    """Chooses dtype, contents and the options that concern values."""
    family = case.family
    case.dtype = rng.pick(["f32"] * 8 + ["f64"] * 3 + ["f16"] * 4 + ["bf16"] * 4)
    if family in ("avg_pool", "lp_pool") and case.rank == 3 and case.dtype in ("f16", "bf16"):
        case.dtype = "f32"  # PyTorch does not support f16 and bf16 here
    if family == "max_pool" and rng.percent(22):
        case.dtype = rng.pick(["i8", "u8", "i16", "i32", "i64"])
    if family == "avg_pool" and rng.percent(10):
        case.dtype = "i64"
    if family == "lp_pool":
        case.norm = rng.pick([1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 0.5, 1.5, 2.5, math.inf])
        case.contents = rng.pick(LP_CONTENTS[case.norm])
    elif case.dtype not in FLOATS:
        case.contents = rng.pick(["eighths", "full", "ties"])
    elif family == "avg_pool" or family == "adaptive_avg_pool":
        case.contents = rng.pick(["eighths", "full", "full", "full", "specials", "zeros"])
    else:
        case.contents = rng.pick(["eighths", "full", "full", "ties", "specials", "minus_inf", "zeros"])
    if family == "avg_pool":
        case.count_include_pad = rng.percent(55)
        if case.rank > 1 and rng.percent(20):
            case.divisor = rng.pick([1, 2, 3, 7, -3, -3])
            case.hard.add("divisor_override")
            if case.divisor < 0 and case.dtype in FLOATS and rng.percent(60):
                case.contents = "zeros"
    if case.contents == "ties":
        case.hard.add("ties")


CHOOSE = {"adaptive_max_pool": choose_bins, "adaptive_avg_pool": choose_bins, "fractional_max_pool": choose_fractions,
          "max_unpool": choose_unpooling}


def make_case(family, rank, number):
    """Case `number` of a family. Draws again until the options are valid."""
    seed = first_seed(family) + number
    rng = Rng(seed * 2**24)
    while True:
        case = Case(family, rank, seed, kernel=(1,) * rank, stride=(0,) * rank, padding=(0,) * rank, dilation=(1,) * rank)
        choose_numbers(rng, case)
        if CHOOSE.get(family, choose_windows)(rng, case):
            return case
