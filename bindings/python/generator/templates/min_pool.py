"""RANK-dimensional min pooling."""

from .._arguments import reject_requires_grad


def min_poolRANKd(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None,
                  index_base=None, preset=None, out=None):
    """The minimum of every window.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.min_poolRANKd(x, 2).ravel().tolist()
    @1 [0.0, 2.0]
    @2 [0.0, 2.0, 8.0, 10.0]
    @3 [0.0, 2.0, 8.0, 10.0, 32.0, 34.0, 40.0, 42.0]
    >>> values, indices = tidepool.min_poolRANKd(x, 2, return_indices=True)
    >>> indices.ravel().tolist()
    @1 [0, 2]
    @2 [0, 2, 8, 10]
    @3 [0, 2, 8, 10, 32, 34, 40, 42]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.min_pool(RANK, input, return_indices, out, (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset))


def min_poolRANKd_backward(grad, indices, input_shape, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None,
                           index_base=None, preset=None, out=None):
    """The gradient of the input of min_poolRANKd: every gradient of the output is added at the index of the minimum.

    The options must be those of the forward pass.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.min_poolRANKd(x, 2, return_indices=True)
    >>> grad = tidepool.min_poolRANKd_backward(np.ones_like(values), indices, x.shape, 2)
    >>> x[grad == 1].tolist()
    @1 [0.0, 2.0]
    @2 [0.0, 2.0, 8.0, 10.0]
    @3 [0.0, 2.0, 8.0, 10.0, 32.0, 34.0, 40.0, 42.0]
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.min_pool_backward(RANK, grad, indices, input_shape, out, options)


def min_poolRANKd_double_backward(gg, indices, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None,
                                  index_base=None, preset=None, out=None):
    """The gradient of the output's gradient in min_poolRANKd_backward: the elements of `gg` at the indices of the minima.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.min_poolRANKd(x, 2, return_indices=True)
    >>> tidepool.min_poolRANKd_double_backward(-x, indices, 2).ravel().tolist()
    @1 [-0.0, -2.0]
    @2 [-0.0, -2.0, -8.0, -10.0]
    @3 [-0.0, -2.0, -8.0, -10.0, -32.0, -34.0, -40.0, -42.0]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.min_pool_double_backward(RANK, gg, indices, out, options)
