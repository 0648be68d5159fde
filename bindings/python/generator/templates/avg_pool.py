"""RANK-dimensional average pooling."""

from .._arguments import reject_requires_grad


def avg_poolRANKd(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *,
                  dilation=1, rounding=None, preset=None, out=None):
    """The average of every window.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.avg_poolRANKd(x, 2).ravel().tolist()
    @1 [0.5, 2.5]
    @2 [2.5, 4.5, 10.5, 12.5]
    @3 [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, rounding, preset)
    return _core.avg_pool(RANK, input, out, options)


def avg_poolRANKd_backward(grad, input_shape, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                           divisor_override=None, *, dilation=1, preset=None, out=None):
    """The gradient of the input of avg_poolRANKd: every gradient of the output is divided among the elements of its window.

    The options must be those of the forward pass.

    >>> import numpy as np, tidepool
    >>> grad = tidepool.avg_poolRANKd_backward(np.ones(SHAPE2), SHAPE4, 2)
    >>> grad.shape, np.unique(grad).tolist()
    @1 ((1, 1, 4), [0.5])
    @2 ((1, 1, 4, 4), [0.25])
    @3 ((1, 1, 4, 4, 4), [0.125])
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    return _core.avg_pool_backward(RANK, grad, input_shape, out, options)


def avg_poolRANKd_double_backward(gg, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                                  divisor_override=None, *, dilation=1, preset=None, out=None):
    """The gradient of the output's gradient in avg_poolRANKd_backward. Averaging is linear, so these are the averages of `gg`.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.avg_poolRANKd_double_backward(gg, 2).ravel().tolist()
    @1 [0.5, 2.5]
    @2 [2.5, 4.5, 10.5, 12.5]
    @3 [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    return _core.avg_pool_double_backward(RANK, gg, out, options)
