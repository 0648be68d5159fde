"""RANK-dimensional adaptive average pooling."""

from .._arguments import reject_requires_grad


def adaptive_avg_poolRANKd(input, output_size, *, out=None):
    """The averages of windows that divide the input into output_size parts per axis.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.adaptive_avg_poolRANKd(x, 2).ravel().tolist()
    @1 [0.5, 2.5]
    @2 [2.5, 4.5, 10.5, 12.5]
    @3 [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(input)
    return _core.adaptive_avg_pool(RANK, input, output_size, out)


def adaptive_avg_poolRANKd_backward(grad, input_shape, *, out=None):
    """The gradient of the input of adaptive_avg_poolRANKd. The output size is that of `grad`.

    >>> import numpy as np, tidepool
    >>> grad = tidepool.adaptive_avg_poolRANKd_backward(np.ones(SHAPE2), SHAPE4)
    >>> grad.shape, np.unique(grad).tolist()
    @1 ((1, 1, 4), [0.5])
    @2 ((1, 1, 4, 4), [0.25])
    @3 ((1, 1, 4, 4, 4), [0.125])
    """
    reject_requires_grad(grad)
    return _core.adaptive_avg_pool_backward(RANK, grad, input_shape, out)


def adaptive_avg_poolRANKd_double_backward(gg, output_size, *, out=None):
    """The gradient of the output's gradient in adaptive_avg_poolRANKd_backward. Averaging is linear, so these are the averages of `gg`.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.adaptive_avg_poolRANKd_double_backward(gg, 2).ravel().tolist()
    @1 [0.5, 2.5]
    @2 [2.5, 4.5, 10.5, 12.5]
    @3 [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(gg)
    return _core.adaptive_avg_pool_double_backward(RANK, gg, output_size, out)
