"""RANK-dimensional max unpooling."""

from .._arguments import reject_requires_grad


def max_unpoolRANKd(input, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None, preset=None,
                    out=None):
    """Writes pooled values back to the elements they came from, and zeros elsewhere.

    The options are those of the pooling that is undone. An index outside its plane is refused before anything is written.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> y = tidepool.max_unpoolRANKd(values, indices, 2)
    >>> np.array_equal(y, np.where(np.isin(x, values), x, 0))
    True
    """
    reject_requires_grad(input)
    options = (kernel_size, stride, padding, dilation, output_size, index_base, preset)
    return _core.max_unpool(RANK, input, indices, out, options)


def max_unpoolRANKd_backward(grad, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None,
                             preset=None, out=None):
    """The gradient of the input of max_unpoolRANKd: the elements of `grad`, which has the unpooled shape, at the indices.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> np.array_equal(tidepool.max_unpoolRANKd_backward(-x, indices, 2), -values)
    True
    """
    reject_requires_grad(grad)
    size = output_size if output_size is not None else tuple(grad.shape)[-RANK:]
    options = (kernel_size, stride, padding, dilation, size, index_base, preset)
    return _core.max_unpool_backward(RANK, grad, indices, out, options)


def max_unpoolRANKd_double_backward(gg, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None,
                                    preset=None, out=None):
    """The gradient of the output's gradient in max_unpoolRANKd_backward: the elements of `gg` added up at the indices.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> gg = np.ones_like(values)
    >>> np.array_equal(tidepool.max_unpoolRANKd_double_backward(gg, indices, 2), np.isin(x, values))
    True
    """
    reject_requires_grad(gg)
    options = (kernel_size, stride, padding, dilation, output_size, index_base, preset)
    return _core.max_unpool_double_backward(RANK, gg, indices, out, options)
