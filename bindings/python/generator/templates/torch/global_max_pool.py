"""Differentiable RANK-dimensional global max pooling: adaptive max pooling to one element per channel."""

from ..autograd import ArgmaxPool, needs_grad


def global_max_poolRANKd(input, return_indices=False, *, nan=None, index_base=None):
    """The maximum of every channel. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> tidepool.torch.global_max_poolRANKd(x).sum().backward()
    >>> x[x.grad == 1].tolist()
    @1 [3.0]
    @2 [15.0]
    @3 [63.0]
    """
    if not needs_grad(input):
        return _core.adaptive_max_pool(RANK, input, 1, return_indices, None, nan, index_base)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape = input.shape
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.adaptive_max_pool(RANK, x, 1, True, None, nan, base),
                            lambda grad, indices: _core.adaptive_max_pool_backward(RANK, grad, indices, shape, None, nan, base),
                            lambda gg, indices: _core.adaptive_max_pool_double_backward(RANK, gg, indices, None, nan, base))
