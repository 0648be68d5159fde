"""tidepool for PyTorch: differentiable functions, modules, and enable(), which makes PyTorch's own pooling use tidepool.

>>> import torch, tidepool.torch
>>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
>>> tidepool.torch.max_pool2d(x, 2).sum().backward()
>>> x.grad[0, 0, 3]
tensor([0., 1., 0., 1.])
>>> with tidepool.torch.enabled():  # or enable() once, at the start of a program
...     torch.nn.functional.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2)
tensor([[[[ 5.,  7.],
          [13., 15.]]]])
"""

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as _error:
    if _error.name != "torch":
        raise
    raise ModuleNotFoundError("tidepool.torch needs PyTorch 2.10 or newer, which is not installed: pip install torch", name="torch") from None

from . import functional, modules
from .dropin import disable, enable, enabled, is_enabled
from .functional import *
from .modules import *

__all__ = [
    "disable", "enable", "enabled", "is_enabled", "adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d", "global_avg_pool1d",
    "global_lp_pool1d", "global_max_pool1d", "global_sum_pool1d", "lp_pool1d", "max_pool1d", "max_unpool1d", "min_pool1d", "sum_pool1d",
    "adaptive_avg_pool2d", "adaptive_max_pool2d", "avg_pool2d", "fractional_max_pool2d", "global_avg_pool2d", "global_lp_pool2d",
    "global_max_pool2d", "global_sum_pool2d", "lp_pool2d", "max_pool2d", "max_unpool2d", "min_pool2d", "sum_pool2d",
    "adaptive_avg_pool3d", "adaptive_max_pool3d", "avg_pool3d", "fractional_max_pool3d", "global_avg_pool3d", "global_lp_pool3d",
    "global_max_pool3d", "global_sum_pool3d", "lp_pool3d", "max_pool3d", "max_unpool3d", "min_pool3d", "sum_pool3d", "MaxPool1d",
    "AvgPool1d", "LPPool1d", "AdaptiveMaxPool1d", "AdaptiveAvgPool1d", "MaxUnpool1d", "MaxPool2d", "AvgPool2d", "LPPool2d",
    "AdaptiveMaxPool2d", "AdaptiveAvgPool2d", "MaxUnpool2d", "FractionalMaxPool2d", "MaxPool3d", "AvgPool3d", "LPPool3d",
    "AdaptiveMaxPool3d", "AdaptiveAvgPool3d", "MaxUnpool3d", "FractionalMaxPool3d",
]
