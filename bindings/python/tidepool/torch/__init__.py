"""tidepool for PyTorch: differentiable functions, modules, and PyTorch's own pooling made faster.

>>> import torch, tidepool.torch
>>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
>>> tidepool.torch.max_pool2d(x, 2).sum().backward()
>>> x.grad[0, 0, 3]
tensor([0., 1., 0., 1.])
>>> with tidepool.torch.enabled():  # or enable(), once, at the top of a program
...     torch.nn.functional.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2)
tensor([[[[ 5.,  7.],
          [13., 15.]]]])
"""

from . import functional, modules
from .dropin import disable, enable, enabled, is_enabled
from .functional import *
from .modules import *

__all__ = ["disable", "enable", "enabled", "is_enabled", *functional.__all__, *modules.__all__]
