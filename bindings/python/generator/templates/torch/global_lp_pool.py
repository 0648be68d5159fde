"""Differentiable RANK-dimensional global Lp pooling."""

from ..autograd import LpPool, needs_grad


def global_lp_poolRANKd(input, norm_type=2.0):
    """The p-norm of every channel, (Σ|x|^p)^(1/p). Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.add(1).requires_grad_()
    >>> tidepool.torch.global_lp_poolRANKd(x, 1).sum().backward()
    >>> x.grad.unique()
    tensor([1.])
    """
    options = (float(norm_type),)
    if not needs_grad(input):
        return _core.global_lp_pool(RANK, input, None, options)
    return LpPool.apply(input, RANK, "global_lp_pool", options)
