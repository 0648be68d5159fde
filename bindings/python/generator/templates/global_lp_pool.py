"""RANK-dimensional global Lp pooling."""

from .._arguments import reject_requires_grad


def global_lp_poolRANKd(input, norm_type=2.0, *, out=None):
    """The p-norm of every channel, (Σ|x|^p)^(1/p).

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.global_lp_poolRANKd(x, 1).ravel().tolist()
    @1 [6.0]
    @2 [120.0]
    @3 [2016.0]
    """
    reject_requires_grad(input)
    return _core.global_lp_pool(RANK, input, out, (float(norm_type),))


def global_lp_poolRANKd_backward(grad, input, norm_type=2.0, *, out=None):
    """The gradient of the input of global_lp_poolRANKd. It is 0 in a channel of zeros.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> grad = tidepool.global_lp_poolRANKd_backward(np.ones(SHAPE1), x - 1.5, 1)
    >>> np.array_equal(grad, np.sign(x - 1.5))
    True
    """
    reject_requires_grad(grad)
    reject_requires_grad(input)
    return _core.global_lp_pool_backward(RANK, grad, input, out, (float(norm_type),))


def global_lp_poolRANKd_double_backward(gg, input, norm_type=2.0, *, out=None):
    """The gradient of the output's gradient in global_lp_poolRANKd_backward.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.global_lp_poolRANKd_double_backward(gg, np.ones(SHAPE4), 1).ravel().tolist()
    @1 [6.0]
    @2 [120.0]
    @3 [2016.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(input)
    return _core.global_lp_pool_double_backward(RANK, gg, input, out, (float(norm_type),))


def global_lp_poolRANKd_double_backward_input(gg, grad, input, norm_type=2.0, *, out=None):
    """The gradient of the input in global_lp_poolRANKd_backward. It is not zero, because a norm is not linear.

    >>> import numpy as np, tidepool
    >>> x = np.zeros(SHAPE2)
    >>> x.flat[0] = 1
    >>> tidepool.global_lp_poolRANKd_double_backward_input(np.ones_like(x), np.ones(SHAPE1), x).ravel().tolist()
    @1 [0.0, 1.0]
    @2 [0.0, 1.0, 1.0, 1.0]
    @3 [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(grad)
    reject_requires_grad(input)
    return _core.global_lp_pool_double_backward_input(RANK, gg, grad, input, out, (float(norm_type),))
