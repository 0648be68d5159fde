# Written by bindings/python/generator/generate.py.
"""The differentiable functions for 3 spatial dimensions."""

from .adaptive_avg_pool import adaptive_avg_pool3d
from .adaptive_max_pool import adaptive_max_pool3d
from .avg_pool import avg_pool3d
from .fractional_max_pool import fractional_max_pool3d
from .global_avg_pool import global_avg_pool3d
from .global_lp_pool import global_lp_pool3d
from .global_max_pool import global_max_pool3d
from .global_sum_pool import global_sum_pool3d
from .lp_pool import lp_pool3d
from .max_pool import max_pool3d
from .max_unpool import max_unpool3d
from .min_pool import min_pool3d
from .sum_pool import sum_pool3d

__all__ = [
    "adaptive_avg_pool3d", "adaptive_max_pool3d", "avg_pool3d", "fractional_max_pool3d", "global_avg_pool3d", "global_lp_pool3d",
    "global_max_pool3d", "global_sum_pool3d", "lp_pool3d", "max_pool3d", "max_unpool3d", "min_pool3d", "sum_pool3d",
]
