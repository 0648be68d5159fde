"""RANK-dimensional global average pooling."""

from .._arguments import reject_requires_grad


def global_avg_poolRANKd(input, *, out=None):
    """The average of every channel.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.global_avg_poolRANKd(x).ravel().tolist()
    @1 [1.5]
    @2 [7.5]
    @3 [31.5]
    """
    reject_requires_grad(input)
    return _core.global_avg_pool(RANK, input, out)


def global_avg_poolRANKd_backward(grad, input_shape, *, out=None):
    """The gradient of the input of global_avg_poolRANKd: every gradient is divided among the elements of its channel.

    >>> import numpy as np, tidepool
    >>> grad = tidepool.global_avg_poolRANKd_backward(np.ones(SHAPE1), SHAPE4)
    >>> grad.shape, np.unique(grad).tolist()
    @1 ((1, 1, 4), [0.25])
    @2 ((1, 1, 4, 4), [0.0625])
    @3 ((1, 1, 4, 4, 4), [0.015625])
    """
    reject_requires_grad(grad)
    return _core.global_avg_pool_backward(RANK, grad, input_shape, out)


def global_avg_poolRANKd_double_backward(gg, *, out=None):
    """The gradient of the output's gradient in global_avg_poolRANKd_backward. Averaging is linear, so these are the averages of `gg`.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.global_avg_poolRANKd_double_backward(gg).ravel().tolist()
    @1 [1.5]
    @2 [7.5]
    @3 [31.5]
    """
    reject_requires_grad(gg)
    return _core.global_avg_pool_double_backward(RANK, gg, out)
