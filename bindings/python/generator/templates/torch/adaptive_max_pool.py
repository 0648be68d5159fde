"""Differentiable RANK-dimensional adaptive max pooling."""

from ..autograd import ArgmaxPool, needs_grad


def adaptive_max_poolRANKd(input, output_size, return_indices=False, *, nan=None, index_base=None):
    """The maxima of windows that divide the input into output_size parts per axis. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.adaptive_max_poolRANKd(x, 2)
    >>> y.flatten().tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    >>> y.sum().backward()
    >>> torch.equal(x[x.grad == 1], y.flatten())
    True
    """
    if not needs_grad(input):
        return _core.adaptive_max_pool(RANK, input, output_size, return_indices, None, nan, index_base)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape = input.shape
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.adaptive_max_pool(RANK, x, output_size, True, None, nan, base),
                            lambda grad, indices: _core.adaptive_max_pool_backward(RANK, grad, indices, shape, None, nan, base),
                            lambda gg, indices: _core.adaptive_max_pool_double_backward(RANK, gg, indices, None, nan, base))
