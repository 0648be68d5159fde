"""RANK-dimensional sum pooling."""

from .._arguments import reject_requires_grad


def sum_poolRANKd(input, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
    """The sum of every window.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.sum_poolRANKd(x, 2).ravel().tolist()
    @1 [1.0, 5.0]
    @2 [10.0, 18.0, 42.0, 50.0]
    @3 [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool(RANK, input, out, (kernel_size, stride, padding, dilation, ceil, preset))


def sum_poolRANKd_backward(grad, input_shape, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
    """The gradient of the input of sum_poolRANKd: every element gets the sum of the gradients of its windows.

    The options must be those of the forward pass.

    >>> import numpy as np, tidepool
    >>> grad = tidepool.sum_poolRANKd_backward(np.ones(SHAPE2), SHAPE4, 2)
    >>> grad.shape, np.unique(grad).tolist()
    (SHAPE4, [1.0])
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool_backward(RANK, grad, input_shape, out, (kernel_size, stride, padding, dilation, ceil, preset))


def sum_poolRANKd_double_backward(gg, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
    """The gradient of the output's gradient in sum_poolRANKd_backward. Summing is linear, so these are the sums of `gg`.

    >>> import numpy as np, tidepool
    >>> gg = np.ARANGE
    >>> tidepool.sum_poolRANKd_double_backward(gg, 2).ravel().tolist()
    @1 [1.0, 5.0]
    @2 [10.0, 18.0, 42.0, 50.0]
    @3 [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool_double_backward(RANK, gg, out, (kernel_size, stride, padding, dilation, ceil, preset))
