"""What a golden case is, and how many there are of each kind."""

from dataclasses import dataclass, field

FAMILIES = ["max_pool", "avg_pool", "lp_pool", "adaptive_max_pool", "adaptive_avg_pool", "fractional_max_pool", "max_unpool"]

# Cases per number of spatial dims.
COUNTS = {
    "max_pool": {1: 500, 2: 950, 3: 500},
    "avg_pool": {1: 400, 2: 800, 3: 400},
    "lp_pool": {1: 250, 2: 400, 3: 250},
    "adaptive_max_pool": {1: 250, 2: 450, 3: 250},
    "adaptive_avg_pool": {1: 250, 2: 450, 3: 250},
    "fractional_max_pool": {2: 350, 3: 300},
    "max_unpool": {1: 250, 2: 350, 3: 200},
}

# What makes a case hard.
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
    shape: tuple = ()  # N, C, spatial; N is 1 when there is no batch dim
    output: tuple = ()  # spatial
    kernel: tuple = ()
    stride: tuple = ()  # 0: left to default to the kernel
    padding: tuple = ()
    dilation: tuple = ()
    ceil_mode: bool = False
    count_include_pad: bool = True
    size_given: bool = True  # max_unpool: output_size is passed; adaptive: no axis says None
    divisor: int = 0  # 0: none
    norm: float = 0.0
    hard: set = field(default_factory=set)

    def steps(self):
        return tuple(s or k for s, k in zip(self.stride, self.kernel))

    def tensor_shape(self, spatial=None):
        return self.shape[0 if self.batched else 1 : 2] + tuple(self.shape[2:] if spatial is None else spatial)


def first_seed(family):
    return FAMILIES.index(family) * 2**20
