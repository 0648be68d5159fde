"""Differentiable RANK-dimensional sum pooling."""

from ..autograd import LinearPool, needs_grad


def sum_poolRANKd(input, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None):
    """The sum of every window. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.sum_poolRANKd(x, 2)
    >>> y.flatten().tolist()
    @1 [1.0, 5.0]
    @2 [10.0, 18.0, 42.0, 50.0]
    @3 [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
    >>> y.sum().backward()
    >>> x.grad.unique()
    tensor([1.])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, preset)
    if not needs_grad(input):
        return _core.sum_pool(RANK, input, None, options)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.sum_pool(RANK, x, None, options),
                            lambda grad, _: _core.sum_pool_backward(RANK, grad, shape, None, options))
