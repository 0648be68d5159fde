"""The options of a golden case, and the number of cases per op."""

from dataclasses import dataclass, field

FAMILIES = ["max_pool", "avg_pool", "lp_pool", "adaptive_max_pool", "adaptive_avg_pool", "fractional_max_pool", "max_unpool"]

# Number of cases per number of spatial dimensions.
COUNTS = {
    "max_pool": {1: 500, 2: 950, 3: 500},
    "avg_pool": {1: 400, 2: 800, 3: 400},
    "lp_pool": {1: 250, 2: 400, 3: 250},
    "adaptive_max_pool": {1: 250, 2: 450, 3: 250},
    "adaptive_avg_pool": {1: 250, 2: 450, 3: 250},
    "fractional_max_pool": {2: 350, 3: 300},
    "max_unpool": {1: 250, 2: 350, 3: 200},
}

# Properties that make a case hard. The counts are printed and checked.
HARD = [
    "ceil_overhang", "ceil_drop", "dilation", "unequal_window", "padding_limit", "empty_window", "nan", "infinity", "negative_zero", "ties",
    "empty_batch", "unbatched", "channels_last", "sliced", "transposed", "uneven_bins", "more_bins_than_cells", "duplicate_indices",
    "divisor_override",
]


@dataclass
class Case:
    family: str
    rank: int
    seed: int
    dtype: str = "f32"
    layout: str = "contiguous"
    contents: str = "eighths"
    batched: bool = True
    shape: tuple = ()  # N, C, spatial; N is 1 if there is no batch dimension
    output: tuple = ()  # spatial
    kernel: tuple = ()
    stride: tuple = ()  # 0: not given, defaults to the kernel
    padding: tuple = ()
    dilation: tuple = ()
    ceil_mode: bool = False
    count_include_pad: bool = True
    size_given: bool = True  # max_unpool: output_size is given; adaptive: no axis of it is None
    divisor: int = 0  # divisor_override; 0: not given
    norm: float = 0.0
    hard: set = field(default_factory=set)

    def steps(self):
        return tuple(s or k for s, k in zip(self.stride, self.kernel))

    def tensor_shape(self, spatial=None):
        return self.shape[0 if self.batched else 1 : 2] + tuple(self.shape[2:] if spatial is None else spatial)


def first_seed(family):
    return FAMILIES.index(family) * 2**20
