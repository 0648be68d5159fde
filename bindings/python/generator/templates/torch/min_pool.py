"""Differentiable RANK-dimensional min pooling."""

from ..autograd import ArgmaxPool, needs_grad


def min_poolRANKd(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None,
                  index_base=None, preset=None):
    """The minimum of every window. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.min_poolRANKd(x, 2)
    >>> y.flatten().tolist()
    @1 [0.0, 2.0]
    @2 [0.0, 2.0, 8.0, 10.0]
    @3 [0.0, 2.0, 8.0, 10.0, 32.0, 34.0, 40.0, 42.0]
    >>> y.sum().backward()
    >>> torch.equal(x[x.grad == 1], y.flatten())
    True
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    if not needs_grad(input):
        options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
        return _core.min_pool(RANK, input, return_indices, None, options)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape, options = input.shape, (kernel_size, stride, padding, dilation, ceil, nan, base, preset)
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.min_pool(RANK, x, True, None, options),
                            lambda grad, indices: _core.min_pool_backward(RANK, grad, indices, shape, None, options),
                            lambda gg, indices: _core.min_pool_double_backward(RANK, gg, indices, None, options))
