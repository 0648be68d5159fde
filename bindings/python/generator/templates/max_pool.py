"""RANK-dimensional max pooling."""

from .._arguments import reject_requires_grad


def max_poolRANKd(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None,
                  index_base=None, preset=None, out=None):
    """The maximum of every window.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> tidepool.max_poolRANKd(x, 2).ravel().tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> indices.ravel().tolist()
    @1 [1, 3]
    @2 [5, 7, 13, 15]
    @3 [21, 23, 29, 31, 53, 55, 61, 63]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.max_pool(RANK, input, return_indices, out, (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset))


def max_poolRANKd_backward(grad, indices, input_shape, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None,
                           index_base=None, preset=None, out=None):
    """The gradient of the input of max_poolRANKd: every gradient of the output is added at the index of the maximum.

    The options must be those of the forward pass.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> grad = tidepool.max_poolRANKd_backward(np.ones_like(values), indices, x.shape, 2)
    >>> x[grad == 1].tolist()
    @1 [1.0, 3.0]
    @2 [5.0, 7.0, 13.0, 15.0]
    @3 [21.0, 23.0, 29.0, 31.0, 53.0, 55.0, 61.0, 63.0]
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.max_pool_backward(RANK, grad, indices, input_shape, out, options)


def max_poolRANKd_double_backward(gg, indices, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None,
                                  index_base=None, preset=None, out=None):
    """The gradient of the output's gradient in max_poolRANKd_backward: the elements of `gg` at the indices of the maxima.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.max_poolRANKd(x, 2, return_indices=True)
    >>> tidepool.max_poolRANKd_double_backward(-x, indices, 2).ravel().tolist()
    @1 [-1.0, -3.0]
    @2 [-5.0, -7.0, -13.0, -15.0]
    @3 [-21.0, -23.0, -29.0, -31.0, -53.0, -55.0, -61.0, -63.0]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.max_pool_double_backward(RANK, gg, indices, out, options)
