"""Differentiable RANK-dimensional global average pooling."""

from ..autograd import LinearPool, needs_grad


def global_avg_poolRANKd(input):
    """The average of every channel. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> tidepool.torch.global_avg_poolRANKd(x).sum().backward()
    >>> x.grad.unique().tolist()
    @1 [0.25]
    @2 [0.0625]
    @3 [0.015625]
    """
    if not needs_grad(input):
        return _core.global_avg_pool(RANK, input, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.global_avg_pool(RANK, x, None),
                            lambda grad, _: _core.global_avg_pool_backward(RANK, grad, shape, None))
