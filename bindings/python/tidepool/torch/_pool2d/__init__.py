# Written by bindings/python/generator/generate.py.
"""The differentiable functions for 2 spatial dimensions."""

from .adaptive_avg_pool import adaptive_avg_pool2d
from .adaptive_max_pool import adaptive_max_pool2d
from .avg_pool import avg_pool2d
from .fractional_max_pool import fractional_max_pool2d
from .global_avg_pool import global_avg_pool2d
from .global_lp_pool import global_lp_pool2d
from .global_max_pool import global_max_pool2d
from .global_sum_pool import global_sum_pool2d
from .lp_pool import lp_pool2d
from .max_pool import max_pool2d
from .max_unpool import max_unpool2d
from .min_pool import min_pool2d
from .sum_pool import sum_pool2d

__all__ = [
    "adaptive_avg_pool2d", "adaptive_max_pool2d", "avg_pool2d", "fractional_max_pool2d", "global_avg_pool2d", "global_lp_pool2d",
    "global_max_pool2d", "global_sum_pool2d", "lp_pool2d", "max_pool2d", "max_unpool2d", "min_pool2d", "sum_pool2d",
]
