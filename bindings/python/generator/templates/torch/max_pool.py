"""Differentiable RANK-dimensional max pooling."""

from ..autograd import ArgmaxPool, needs_grad


def max_poolRANKd(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None,
                  index_base=None, preset=None):
    """The maximum of every window. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.max_poolRANKd(x, 2)
    >>> y.flatten().tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    >>> y.sum().backward()
    >>> torch.equal(x[x.grad == 1], y.flatten())
    True
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    if not needs_grad(input):
        options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
        return _core.max_pool(RANK, input, return_indices, None, options)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape, options = input.shape, (kernel_size, stride, padding, dilation, ceil, nan, base, preset)
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.max_pool(RANK, x, True, None, options),
                            lambda grad, indices: _core.max_pool_backward(RANK, grad, indices, shape, None, options),
                            lambda gg, indices: _core.max_pool_double_backward(RANK, gg, indices, None, options))
