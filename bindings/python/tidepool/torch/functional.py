"""Differentiable pooling of torch tensors: the functions of torch.nn.functional, and others in the same style."""

from ._pool1d import *
from ._pool2d import *
from ._pool3d import *

__all__ = [
    "adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d", "global_avg_pool1d", "global_lp_pool1d", "global_max_pool1d",
    "global_sum_pool1d", "lp_pool1d", "max_pool1d", "max_unpool1d", "min_pool1d", "sum_pool1d", "adaptive_avg_pool2d",
    "adaptive_max_pool2d", "avg_pool2d", "fractional_max_pool2d", "global_avg_pool2d", "global_lp_pool2d", "global_max_pool2d",
    "global_sum_pool2d", "lp_pool2d", "max_pool2d", "max_unpool2d", "min_pool2d", "sum_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool3d", "avg_pool3d", "fractional_max_pool3d", "global_avg_pool3d", "global_lp_pool3d", "global_max_pool3d",
    "global_sum_pool3d", "lp_pool3d", "max_pool3d", "max_unpool3d", "min_pool3d", "sum_pool3d",
]
