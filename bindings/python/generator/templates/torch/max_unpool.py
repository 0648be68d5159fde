"""Differentiable RANK-dimensional max unpooling."""

from ..autograd import LinearPool, needs_grad


def max_unpoolRANKd(input, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None, preset=None):
    """Writes pooled values back to the elements they came from, and zeros elsewhere. Differentiable twice.

    The options are those of the pooling that is undone. An index outside its plane is refused before anything is written.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE
    >>> values, indices = tidepool.torch.max_poolRANKd(x, 2, return_indices=True)
    >>> y = tidepool.torch.max_unpoolRANKd(values, indices, 2)
    >>> torch.equal(y, torch.where(torch.isin(x, values), x, 0))
    True
    """
    size = None if output_size is None else tuple(output_size)
    options = (kernel_size, stride, padding, dilation, size, index_base, preset)
    if not needs_grad(input):
        return _core.max_unpool(RANK, input, indices, None, options)
    return LinearPool.apply(input, indices,
                            lambda x, indices: _core.max_unpool(RANK, x, indices, None, options),
                            lambda grad, indices: _core.max_unpool_backward(RANK, grad, indices, None, options),
                            lambda gg, indices: _core.max_unpool_double_backward(RANK, gg, indices, None, options))
