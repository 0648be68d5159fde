"""RANK-dimensional global sum pooling."""

from .._arguments import reject_requires_grad


def global_sum_poolRANKd(input, *, out=None):
    """The sum of every channel.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.global_sum_poolRANKd(x).ravel().tolist()
    @1 [6.0]
    @2 [120.0]
    @3 [2016.0]
    """
    reject_requires_grad(input)
    return _core.global_sum_pool(RANK, input, out)


def global_sum_poolRANKd_backward(grad, input_shape, *, out=None):
    """The gradient of the input of global_sum_poolRANKd: every element gets the gradient of its channel.

    >>> import numpy as np, tidepool
    >>> grad = tidepool.global_sum_poolRANKd_backward(np.ones(SHAPE1), SHAPE4)
    >>> grad.shape, np.unique(grad).tolist()
    (SHAPE4, [1.0])
    """
    reject_requires_grad(grad)
    return _core.global_sum_pool_backward(RANK, grad, input_shape, out)


def global_sum_poolRANKd_double_backward(gg, *, out=None):
    """The gradient of the output's gradient in global_sum_poolRANKd_backward. Summing is linear, so these are the sums of `gg`.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.global_sum_poolRANKd_double_backward(gg).ravel().tolist()
    @1 [6.0]
    @2 [120.0]
    @3 [2016.0]
    """
    reject_requires_grad(gg)
    return _core.global_sum_pool_double_backward(RANK, gg, out)
