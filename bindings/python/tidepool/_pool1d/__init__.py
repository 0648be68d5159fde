# Written by bindings/python/generator/generate.py.
"""The functions for 1 spatial dimension."""

from .adaptive_avg_pool import adaptive_avg_pool1d, adaptive_avg_pool1d_backward, adaptive_avg_pool1d_double_backward
from .adaptive_max_pool import adaptive_max_pool1d, adaptive_max_pool1d_backward, adaptive_max_pool1d_double_backward
from .avg_pool import avg_pool1d, avg_pool1d_backward, avg_pool1d_double_backward
from .global_avg_pool import global_avg_pool1d, global_avg_pool1d_backward, global_avg_pool1d_double_backward
from .global_lp_pool import (
    global_lp_pool1d, global_lp_pool1d_backward, global_lp_pool1d_double_backward, global_lp_pool1d_double_backward_input,
)
from .global_max_pool import global_max_pool1d, global_max_pool1d_backward, global_max_pool1d_double_backward
from .global_sum_pool import global_sum_pool1d, global_sum_pool1d_backward, global_sum_pool1d_double_backward
from .lp_pool import lp_pool1d, lp_pool1d_backward, lp_pool1d_double_backward, lp_pool1d_double_backward_input
from .max_pool import max_pool1d, max_pool1d_backward, max_pool1d_double_backward
from .max_unpool import max_unpool1d, max_unpool1d_backward, max_unpool1d_double_backward
from .min_pool import min_pool1d, min_pool1d_backward, min_pool1d_double_backward
from .sum_pool import sum_pool1d, sum_pool1d_backward, sum_pool1d_double_backward

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool1d_backward", "adaptive_avg_pool1d_double_backward", "adaptive_max_pool1d",
    "adaptive_max_pool1d_backward", "adaptive_max_pool1d_double_backward", "avg_pool1d", "avg_pool1d_backward",
    "avg_pool1d_double_backward", "global_avg_pool1d", "global_avg_pool1d_backward", "global_avg_pool1d_double_backward",
    "global_lp_pool1d", "global_lp_pool1d_backward", "global_lp_pool1d_double_backward", "global_lp_pool1d_double_backward_input",
    "global_max_pool1d", "global_max_pool1d_backward", "global_max_pool1d_double_backward", "global_sum_pool1d",
    "global_sum_pool1d_backward", "global_sum_pool1d_double_backward", "lp_pool1d", "lp_pool1d_backward", "lp_pool1d_double_backward",
    "lp_pool1d_double_backward_input", "max_pool1d", "max_pool1d_backward", "max_pool1d_double_backward", "max_unpool1d",
    "max_unpool1d_backward", "max_unpool1d_double_backward", "min_pool1d", "min_pool1d_backward", "min_pool1d_double_backward",
    "sum_pool1d", "sum_pool1d_backward", "sum_pool1d_double_backward",
]
