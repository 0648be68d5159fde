"""Input arrays of the golden cases. tests/golden/arrays.cc generates the same arrays, so that only results are stored."""

import numpy as np
import torch

DTYPES = ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "i32", "i64"]  # in the order of tidepool's DType
TORCH = dict(zip(DTYPES, [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16, torch.int32,
                          torch.int64]))
FLOATS = DTYPES[:4]
HALVES = ["f16", "bf16"]
MANTISSA = {"f32": 24, "f64": 53, "f16": 11, "bf16": 8}  # bits of the significand, including the hidden one
QUIET_NAN = {"f16": 0x7E00, "bf16": 0x7FC0}
INTEGER_BITS = {"i8": 8, "u8": 8, "i16": 16, "i32": 32, "i64": 40}  # i64 values are limited so that sums do not overflow

# Kinds of values. Each element is computed from its own 64 random bits u.
CONTENTS = [
    "eighths",    # multiples of 1/8 from -8 to 8: sums are exact in every dtype
    "full",       # all bits of the significand, magnitudes up to 16: sums depend on their order
    "ties",       # only 0, 1, 2, -1, so that windows have several maxima
    "specials",   # a quarter NaN, infinities and both zeros
    "minus_inf",  # three quarters -inf
    "zeros",      # -0.0 and +0.0
    "positive",   # multiples of 1/8 from 1/8 to 16
    "sparse",     # half zeros, half positive
    "unit",       # all bits of the significand, in [0, 1)
]
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, -np.inf, np.nan, 1.0])

LAYOUTS = ["contiguous", "channels_last", "sliced", "transposed"]
# The random streams of one case.
X, GRAD, GRAD_GRAD, SAMPLES = range(4)

GOLDEN_RATIO = 0x9E3779B97F4A7C15


def splitmix(seed, count):
    """SplitMix64: number i is a hash of seed + (i + 1) * GOLDEN_RATIO."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN_RATIO)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


class Rng:
    """A SplitMix64 generator for the options of a case."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        value = int(splitmix(self.state, 1)[0]) % n
        self.state = (self.state + GOLDEN_RATIO) % 2**64
        return value

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, items):
        return items[self.below(len(items))]

    def percent(self, p):
        return self.below(100) < p


def top(u, bits):
    """The highest bits of u as a signed number around 0."""
    return (u >> np.uint64(64 - bits)).astype(np.int64) - 2 ** (bits - 1)


def numbers(u, contents, dtype):
    eighths = top(u, 7) / 8
    if dtype in INTEGER_BITS:
        small = {"eighths": top(u, 7), "ties": np.array([0, 1, 2, -1])[(u >> np.uint64(62)).astype(int)]}
        values = small[contents] if contents in small else top(u, INTEGER_BITS[dtype])
        return values + (0 if dtype != "u8" else {"eighths": 64, "ties": 1}.get(contents, 128))
    bits = MANTISSA[dtype]
    positive = ((u >> np.uint64(57)).astype(np.int64) + 1) / 8
    if contents == "full":
        return np.ldexp(top(u, bits).astype(np.float64), (u & np.uint64(7)).astype(int) - 2 - bits)
    if contents == "ties":
        return np.array([0.0, 1.0, 2.0, -1.0])[(u >> np.uint64(62)).astype(int)]
    if contents == "specials":
        return np.where((u >> np.uint64(3)) & np.uint64(3) == 0, SPECIAL[(u & np.uint64(7)).astype(int)], eighths)
    if contents == "minus_inf":
        return np.where((u & np.uint64(3)) != 0, -np.inf, eighths)
    if contents == "zeros":
        return np.where((u & np.uint64(1)) != 0, -0.0, 0.0)
    if contents == "positive":
        return positive
    if contents == "sparse":
        return np.where((u & np.uint64(1)) != 0, 0.0, positive)
    if contents == "unit":
        return np.ldexp((u >> np.uint64(64 - bits)).astype(np.float64), -bits)
    return eighths


def array(seed, stream, shape, contents, dtype):
    """A random array. Its values depend on the seed of the case and on the stream."""
    values = numbers(splitmix(seed * 16 + stream, int(np.prod(shape))), contents, dtype)
    t = torch.from_numpy(np.asarray(values).reshape(shape)).to(TORCH[dtype])
    if dtype in QUIET_NAN:  # PyTorch's vector loop and its remainder loop convert NaN to different bits
        t.view(torch.int16)[t.isnan()] = QUIET_NAN[dtype]
    return t


def lay_out(t, layout, batched):
    """The same array with other strides."""
    if layout == "channels_last":  # channels innermost in memory
        channel = 1 if batched else 0
        return t.movedim(channel, -1).contiguous().movedim(-1, channel)
    if layout == "transposed":  # the last two dims swapped in memory
        return t.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "sliced":  # every second column of an array twice as wide
        wide = torch.zeros(*t.shape[:-1], 2 * t.shape[-1], dtype=t.dtype)
        wide[..., 1::2] = t
        return wide[..., 1::2]
    return t.contiguous()
