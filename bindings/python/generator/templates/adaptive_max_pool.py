"""RANK-dimensional adaptive max pooling."""

from .._arguments import reject_requires_grad


def adaptive_max_poolRANKd(input, output_size, return_indices=False, *, nan=None, index_base=None, out=None):
    """The maxima of windows that divide the input into output_size parts per axis.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.adaptive_max_poolRANKd(x, 2).ravel().tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    """
    reject_requires_grad(input)
    return _core.adaptive_max_pool(RANK, input, output_size, return_indices, out, nan, index_base)


def adaptive_max_poolRANKd_backward(grad, indices, input_shape, *, nan=None, index_base=None, out=None):
    """The gradient of the input of adaptive_max_poolRANKd: every gradient of the output is added at the index of the maximum.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.adaptive_max_poolRANKd(x, 2, return_indices=True)
    >>> grad = tidepool.adaptive_max_poolRANKd_backward(np.ones_like(values), indices, x.shape)
    >>> x[grad == 1].tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    """
    reject_requires_grad(grad)
    return _core.adaptive_max_pool_backward(RANK, grad, indices, input_shape, out, nan, index_base)


def adaptive_max_poolRANKd_double_backward(gg, indices, *, nan=None, index_base=None, out=None):
    """The gradient of the output's gradient in adaptive_max_poolRANKd_backward: the elements of `gg` at the indices of the maxima.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.adaptive_max_poolRANKd(x, 2, return_indices=True)
    >>> tidepool.adaptive_max_poolRANKd_double_backward(-x, indices).ravel().tolist()
    @1 [-1.0, -3.0]
    @2 [-5.0, -7.0, -13.0, -15.0]
    @3 [-21.0, -23.0, -29.0, -31.0, -53.0, -55.0, -61.0, -63.0]
    """
    reject_requires_grad(gg)
    return _core.adaptive_max_pool_double_backward(RANK, gg, indices, out, nan, index_base)
