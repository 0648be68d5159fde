"""Differentiable RANK-dimensional Lp pooling."""

from ..autograd import LpPool, needs_grad


def lp_poolRANKd(input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1, signed_power=False, preset=None):
    """The p-norm of every window, (Σ|x|^p)^(1/p). Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.add(1).requires_grad_()
    >>> tidepool.torch.lp_poolRANKd(x, 1, 2).sum().backward()
    >>> x.grad.unique()
    tensor([1.])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    if not needs_grad(input):
        return _core.lp_pool(RANK, input, None, options)
    return LpPool.apply(input, RANK, "lp_pool", options)
