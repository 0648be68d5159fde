# Written by bindings/python/generator/generate.py.
"""The functions for 2 spatial dimensions."""

from .adaptive_avg_pool import adaptive_avg_pool2d, adaptive_avg_pool2d_backward, adaptive_avg_pool2d_double_backward
from .adaptive_max_pool import adaptive_max_pool2d, adaptive_max_pool2d_backward, adaptive_max_pool2d_double_backward
from .avg_pool import avg_pool2d, avg_pool2d_backward, avg_pool2d_double_backward
from .fractional_max_pool import fractional_max_pool2d, fractional_max_pool2d_backward, fractional_max_pool2d_double_backward
from .global_avg_pool import global_avg_pool2d, global_avg_pool2d_backward, global_avg_pool2d_double_backward
from .global_lp_pool import (
    global_lp_pool2d, global_lp_pool2d_backward, global_lp_pool2d_double_backward, global_lp_pool2d_double_backward_input,
)
from .global_max_pool import global_max_pool2d, global_max_pool2d_backward, global_max_pool2d_double_backward
from .global_sum_pool import global_sum_pool2d, global_sum_pool2d_backward, global_sum_pool2d_double_backward
from .lp_pool import lp_pool2d, lp_pool2d_backward, lp_pool2d_double_backward, lp_pool2d_double_backward_input
from .max_pool import max_pool2d, max_pool2d_backward, max_pool2d_double_backward
from .max_unpool import max_unpool2d, max_unpool2d_backward, max_unpool2d_double_backward
from .min_pool import min_pool2d, min_pool2d_backward, min_pool2d_double_backward
from .sum_pool import sum_pool2d, sum_pool2d_backward, sum_pool2d_double_backward

__all__ = [
    "adaptive_avg_pool2d", "adaptive_avg_pool2d_backward", "adaptive_avg_pool2d_double_backward", "adaptive_max_pool2d",
    "adaptive_max_pool2d_backward", "adaptive_max_pool2d_double_backward", "avg_pool2d", "avg_pool2d_backward",
    "avg_pool2d_double_backward", "fractional_max_pool2d", "fractional_max_pool2d_backward", "fractional_max_pool2d_double_backward",
    "global_avg_pool2d", "global_avg_pool2d_backward", "global_avg_pool2d_double_backward", "global_lp_pool2d",
    "global_lp_pool2d_backward", "global_lp_pool2d_double_backward", "global_lp_pool2d_double_backward_input", "global_max_pool2d",
    "global_max_pool2d_backward", "global_max_pool2d_double_backward", "global_sum_pool2d", "global_sum_pool2d_backward",
    "global_sum_pool2d_double_backward", "lp_pool2d", "lp_pool2d_backward", "lp_pool2d_double_backward",
    "lp_pool2d_double_backward_input", "max_pool2d", "max_pool2d_backward", "max_pool2d_double_backward", "max_unpool2d",
    "max_unpool2d_backward", "max_unpool2d_double_backward", "min_pool2d", "min_pool2d_backward", "min_pool2d_double_backward",
    "sum_pool2d", "sum_pool2d_backward", "sum_pool2d_double_backward",
]
