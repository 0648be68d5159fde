"""Pooling with the names, defaults and numbers of torch.nn.functional, for NumPy arrays and every array with DLPack or a buffer.

>>> import numpy as np, tidepool
>>> tidepool.max_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)
array([[[[ 5.,  7.],
         [13., 15.]]]])

Results are arrays of the same library as the input. `tidepool.torch` has differentiable functions, and enable(), which makes PyTorch's own
pooling use tidepool.
"""

from ._core import Error, __version__
from ._pool1d import *
from ._pool2d import *
from ._pool3d import *
from .analysis import Analysis, analyze
from .threads import num_threads, set_num_threads

__all__ = [
    "Analysis", "Error", "__version__", "analyze", "num_threads", "set_num_threads", "adaptive_avg_pool1d",
    "adaptive_avg_pool1d_backward", "adaptive_avg_pool1d_double_backward", "adaptive_max_pool1d", "adaptive_max_pool1d_backward",
    "adaptive_max_pool1d_double_backward", "avg_pool1d", "avg_pool1d_backward", "avg_pool1d_double_backward", "global_avg_pool1d",
    "global_avg_pool1d_backward", "global_avg_pool1d_double_backward", "global_lp_pool1d", "global_lp_pool1d_backward",
    "global_lp_pool1d_double_backward", "global_lp_pool1d_double_backward_input", "global_max_pool1d", "global_max_pool1d_backward",
    "global_max_pool1d_double_backward", "global_sum_pool1d", "global_sum_pool1d_backward", "global_sum_pool1d_double_backward",
    "lp_pool1d", "lp_pool1d_backward", "lp_pool1d_double_backward", "lp_pool1d_double_backward_input", "max_pool1d",
    "max_pool1d_backward", "max_pool1d_double_backward", "max_unpool1d", "max_unpool1d_backward", "max_unpool1d_double_backward",
    "min_pool1d", "min_pool1d_backward", "min_pool1d_double_backward", "sum_pool1d", "sum_pool1d_backward",
    "sum_pool1d_double_backward", "adaptive_avg_pool2d", "adaptive_avg_pool2d_backward", "adaptive_avg_pool2d_double_backward",
    "adaptive_max_pool2d", "adaptive_max_pool2d_backward", "adaptive_max_pool2d_double_backward", "avg_pool2d", "avg_pool2d_backward",
    "avg_pool2d_double_backward", "fractional_max_pool2d", "fractional_max_pool2d_backward", "fractional_max_pool2d_double_backward",
    "global_avg_pool2d", "global_avg_pool2d_backward", "global_avg_pool2d_double_backward", "global_lp_pool2d",
    "global_lp_pool2d_backward", "global_lp_pool2d_double_backward", "global_lp_pool2d_double_backward_input", "global_max_pool2d",
    "global_max_pool2d_backward", "global_max_pool2d_double_backward", "global_sum_pool2d", "global_sum_pool2d_backward",
    "global_sum_pool2d_double_backward", "lp_pool2d", "lp_pool2d_backward", "lp_pool2d_double_backward",
    "lp_pool2d_double_backward_input", "max_pool2d", "max_pool2d_backward", "max_pool2d_double_backward", "max_unpool2d",
    "max_unpool2d_backward", "max_unpool2d_double_backward", "min_pool2d", "min_pool2d_backward", "min_pool2d_double_backward",
    "sum_pool2d", "sum_pool2d_backward", "sum_pool2d_double_backward", "adaptive_avg_pool3d", "adaptive_avg_pool3d_backward",
    "adaptive_avg_pool3d_double_backward", "adaptive_max_pool3d", "adaptive_max_pool3d_backward", "adaptive_max_pool3d_double_backward",
    "avg_pool3d", "avg_pool3d_backward", "avg_pool3d_double_backward", "fractional_max_pool3d", "fractional_max_pool3d_backward",
    "fractional_max_pool3d_double_backward", "global_avg_pool3d", "global_avg_pool3d_backward", "global_avg_pool3d_double_backward",
    "global_lp_pool3d", "global_lp_pool3d_backward", "global_lp_pool3d_double_backward", "global_lp_pool3d_double_backward_input",
    "global_max_pool3d", "global_max_pool3d_backward", "global_max_pool3d_double_backward", "global_sum_pool3d",
    "global_sum_pool3d_backward", "global_sum_pool3d_double_backward", "lp_pool3d", "lp_pool3d_backward", "lp_pool3d_double_backward",
    "lp_pool3d_double_backward_input", "max_pool3d", "max_pool3d_backward", "max_pool3d_double_backward", "max_unpool3d",
    "max_unpool3d_backward", "max_unpool3d_double_backward", "min_pool3d", "min_pool3d_backward", "min_pool3d_double_backward",
    "sum_pool3d", "sum_pool3d_backward", "sum_pool3d_double_backward",
]
