"""PyTorch's pooling modules, computed by tidepool: the same constructors, attributes and text."""

from torch import nn

from . import functional as F

__all__: list[str] = []


def max_forward(pool):
    return lambda self, input: pool(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


def avg_forward(pool):
    return lambda self, input: pool(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                                    getattr(self, "divisor_override", None))


def lp_forward(pool):
    return lambda self, input: pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


def adaptive_max_forward(pool):
    return lambda self, input: pool(input, self.output_size, self.return_indices)


def adaptive_avg_forward(pool):
    return lambda self, input: pool(input, self.output_size)


def unpool_forward(pool):
    return lambda self, input, indices, output_size=None: pool(input, indices, self.kernel_size, self.stride, self.padding, output_size)


def fractional_forward(pool):
    return lambda self, input: pool(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                    _random_samples=self._random_samples)


FORWARD = {
    "MaxPool": ("max_pool", max_forward, (1, 2, 3)),
    "AvgPool": ("avg_pool", avg_forward, (1, 2, 3)),
    "LPPool": ("lp_pool", lp_forward, (1, 2, 3)),
    "AdaptiveMaxPool": ("adaptive_max_pool", adaptive_max_forward, (1, 2, 3)),
    "AdaptiveAvgPool": ("adaptive_avg_pool", adaptive_avg_forward, (1, 2, 3)),
    "MaxUnpool": ("max_unpool", unpool_forward, (1, 2, 3)),
    "FractionalMaxPool": ("fractional_max_pool", fractional_forward, (2, 3)),
}

for prefix, (function, forward, ranks) in FORWARD.items():
    for rank in ranks:
        name, parent = f"{prefix}{rank}d", getattr(nn, f"{prefix}{rank}d")
        pool = getattr(F, f"{function}{rank}d")
        globals()[name] = type(name, (parent,), {"forward": forward(pool), "__doc__": parent.__doc__, "__module__": "tidepool.torch"})
        __all__.append(name)
