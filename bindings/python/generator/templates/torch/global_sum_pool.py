"""Differentiable RANK-dimensional global sum pooling."""

from ..autograd import LinearPool, needs_grad


def global_sum_poolRANKd(input):
    """The sum of every channel. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> tidepool.torch.global_sum_poolRANKd(x).sum().backward()
    >>> x.grad.unique().tolist()
    [1.0]
    """
    if not needs_grad(input):
        return _core.global_sum_pool(RANK, input, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.global_sum_pool(RANK, x, None),
                            lambda grad, _: _core.global_sum_pool_backward(RANK, grad, shape, None))
