"""Pooling with the names, defaults and numbers of torch.nn.functional, for NumPy arrays and everything that speaks DLPack.

>>> import numpy as np, tidepool
>>> tidepool.max_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)
array([[[[ 5.,  7.],
         [13., 15.]]]])

Results are arrays of the kind that came in. See docs/python.md; `tidepool.torch` has differentiable functions and PyTorch's drop-in.
"""

from ._core import Error, __version__, num_threads, set_num_threads
from .adaptive_pool import *
from .avg_pool import *
from .fractional_max_pool import *
from .global_pool import *
from .lp_pool import *
from .max_pool import *
from .max_unpool import *

__all__ = ["Error", "num_threads", "set_num_threads"] + [name for name in globals() if "pool" in name and name[-1] != "l"]
