"""RANK-dimensional global max pooling: adaptive max pooling to one element per channel."""

from .._arguments import reject_requires_grad


def global_max_poolRANKd(input, return_indices=False, *, nan=None, index_base=None, out=None):
    """The maximum of every channel.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.global_max_poolRANKd(x).ravel().tolist()
    @1 [3.0]
    @2 [15.0]
    @3 [63.0]
    """
    reject_requires_grad(input)
    return _core.adaptive_max_pool(RANK, input, 1, return_indices, out, nan, index_base)


def global_max_poolRANKd_backward(grad, indices, input_shape, *, nan=None, index_base=None, out=None):
    """The gradient of the input of global_max_poolRANKd: the gradient of a channel goes to its maximum.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.global_max_poolRANKd(x, return_indices=True)
    >>> grad = tidepool.global_max_poolRANKd_backward(np.ones_like(values), indices, x.shape)
    >>> x[grad == 1].tolist()
    @1 [3.0]
    @2 [15.0]
    @3 [63.0]
    """
    reject_requires_grad(grad)
    return _core.adaptive_max_pool_backward(RANK, grad, indices, input_shape, out, nan, index_base)


def global_max_poolRANKd_double_backward(gg, indices, *, nan=None, index_base=None, out=None):
    """The gradient of the output's gradient in global_max_poolRANKd_backward: the elements of `gg` at the indices of the maxima.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.global_max_poolRANKd(x, return_indices=True)
    >>> tidepool.global_max_poolRANKd_double_backward(-x, indices).ravel().tolist()
    @1 [-3.0]
    @2 [-15.0]
    @3 [-63.0]
    """
    reject_requires_grad(gg)
    return _core.adaptive_max_pool_double_backward(RANK, gg, indices, out, nan, index_base)
