# Written by bindings/python/generator/generate.py.
"""The differentiable functions for 1 spatial dimension."""

from .adaptive_avg_pool import adaptive_avg_pool1d
from .adaptive_max_pool import adaptive_max_pool1d
from .avg_pool import avg_pool1d
from .global_avg_pool import global_avg_pool1d
from .global_lp_pool import global_lp_pool1d
from .global_max_pool import global_max_pool1d
from .global_sum_pool import global_sum_pool1d
from .lp_pool import lp_pool1d
from .max_pool import max_pool1d
from .max_unpool import max_unpool1d
from .min_pool import min_pool1d
from .sum_pool import sum_pool1d

__all__ = [
    "adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d", "global_avg_pool1d", "global_lp_pool1d", "global_max_pool1d",
    "global_sum_pool1d", "lp_pool1d", "max_pool1d", "max_unpool1d", "min_pool1d", "sum_pool1d",
]
