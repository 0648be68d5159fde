"""RANK-dimensional Lp pooling."""

from .._arguments import reject_requires_grad


def lp_poolRANKd(input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1, signed_power=False, preset=None,
                 out=None):
    """The p-norm of every window, (Σ|x|^p)^(1/p).

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.lp_poolRANKd(x, 1, 2).ravel().tolist()
    @1 [1.0, 5.0]
    @2 [10.0, 18.0, 42.0, 50.0]
    @3 [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.lp_pool(RANK, input, out, (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset))


def lp_poolRANKd_backward(grad, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1,
                          signed_power=False, preset=None, out=None):
    """The gradient of the input of lp_poolRANKd. A window of zeros contributes 0.

    The options must be those of the forward pass.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> grad = tidepool.lp_poolRANKd_backward(np.ones(SHAPE2), x - 1.5, 1, 2)
    >>> np.array_equal(grad, np.sign(x - 1.5))
    True
    """
    reject_requires_grad(grad)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_backward(RANK, grad, input, out, options)


def lp_poolRANKd_double_backward(gg, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1,
                                 signed_power=False, preset=None, out=None):
    """The gradient of the output's gradient in lp_poolRANKd_backward.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.lp_poolRANKd_double_backward(gg, np.ones(SHAPE4), 1, 2).ravel().tolist()
    @1 [1.0, 5.0]
    @2 [10.0, 18.0, 42.0, 50.0]
    @3 [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_double_backward(RANK, gg, input, out, options)


def lp_poolRANKd_double_backward_input(gg, grad, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1,
                                       signed_power=False, preset=None, out=None):
    """The gradient of the input in lp_poolRANKd_backward. It is not zero, because a norm is not linear.

    >>> import numpy as np, tidepool
    >>> x = np.zeros(SHAPE2)
    >>> x.flat[0] = 1
    >>> tidepool.lp_poolRANKd_double_backward_input(np.ones_like(x), np.ones(SHAPE1), x, 2, 2).ravel().tolist()
    @1 [0.0, 1.0]
    @2 [0.0, 1.0, 1.0, 1.0]
    @3 [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(grad)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_double_backward_input(RANK, gg, grad, input, out, options)
