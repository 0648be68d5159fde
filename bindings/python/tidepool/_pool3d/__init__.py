# Written by bindings/python/generator/generate.py.
"""The functions for 3 spatial dimensions."""

from .adaptive_avg_pool import adaptive_avg_pool3d, adaptive_avg_pool3d_backward, adaptive_avg_pool3d_double_backward
from .adaptive_max_pool import adaptive_max_pool3d, adaptive_max_pool3d_backward, adaptive_max_pool3d_double_backward
from .avg_pool import avg_pool3d, avg_pool3d_backward, avg_pool3d_double_backward
from .fractional_max_pool import fractional_max_pool3d, fractional_max_pool3d_backward, fractional_max_pool3d_double_backward
from .global_avg_pool import global_avg_pool3d, global_avg_pool3d_backward, global_avg_pool3d_double_backward
from .global_lp_pool import (
    global_lp_pool3d, global_lp_pool3d_backward, global_lp_pool3d_double_backward, global_lp_pool3d_double_backward_input,
)
from .global_max_pool import global_max_pool3d, global_max_pool3d_backward, global_max_pool3d_double_backward
from .global_sum_pool import global_sum_pool3d, global_sum_pool3d_backward, global_sum_pool3d_double_backward
from .lp_pool import lp_pool3d, lp_pool3d_backward, lp_pool3d_double_backward, lp_pool3d_double_backward_input
from .max_pool import max_pool3d, max_pool3d_backward, max_pool3d_double_backward
from .max_unpool import max_unpool3d, max_unpool3d_backward, max_unpool3d_double_backward
from .min_pool import min_pool3d, min_pool3d_backward, min_pool3d_double_backward
from .sum_pool import sum_pool3d, sum_pool3d_backward, sum_pool3d_double_backward

__all__ = [
    "adaptive_avg_pool3d", "adaptive_avg_pool3d_backward", "adaptive_avg_pool3d_double_backward", "adaptive_max_pool3d",
    "adaptive_max_pool3d_backward", "adaptive_max_pool3d_double_backward", "avg_pool3d", "avg_pool3d_backward",
    "avg_pool3d_double_backward", "fractional_max_pool3d", "fractional_max_pool3d_backward", "fractional_max_pool3d_double_backward",
    "global_avg_pool3d", "global_avg_pool3d_backward", "global_avg_pool3d_double_backward", "global_lp_pool3d",
    "global_lp_pool3d_backward", "global_lp_pool3d_double_backward", "global_lp_pool3d_double_backward_input", "global_max_pool3d",
    "global_max_pool3d_backward", "global_max_pool3d_double_backward", "global_sum_pool3d", "global_sum_pool3d_backward",
    "global_sum_pool3d_double_backward", "lp_pool3d", "lp_pool3d_backward", "lp_pool3d_double_backward",
    "lp_pool3d_double_backward_input", "max_pool3d", "max_pool3d_backward", "max_pool3d_double_backward", "max_unpool3d",
    "max_unpool3d_backward", "max_unpool3d_double_backward", "min_pool3d", "min_pool3d_backward", "min_pool3d_double_backward",
    "sum_pool3d", "sum_pool3d_backward", "sum_pool3d_double_backward",
]
