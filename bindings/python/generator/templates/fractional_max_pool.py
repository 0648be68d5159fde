"""RANK-dimensional fractional max pooling."""

import random

from .._arguments import reject_requires_grad


def fractional_max_poolRANKd(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *,
                             seed=None, nan=None, index_base=None, out=None):
    """The maxima of windows of one size at pseudo-random positions.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> y = tidepool.fractional_max_poolRANKd(x, 2, output_size=3, seed=7)
    >>> y.shape, y.max().item()
    @2 ((1, 1, 3, 3), 15.0)
    @3 ((1, 1, 3, 3, 3), 63.0)
    """
    reject_requires_grad(input)
    if seed is None and _random_samples is None:
        seed = random.getrandbits(64)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool(RANK, input, _random_samples, return_indices, out, options)


def fractional_max_poolRANKd_backward(grad, indices, input_shape, kernel_size, output_size=None, output_ratio=None,
                                      _random_samples=None, *, seed=None, nan=None, index_base=None, out=None):
    """The gradient of the input of fractional_max_poolRANKd: every gradient of the output is added at the index of the maximum.

    The samples or the seed of the forward pass are needed only for index_base="window".

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.fractional_max_poolRANKd(x, 2, 2, return_indices=True, seed=7)
    >>> grad = tidepool.fractional_max_poolRANKd_backward(np.ones_like(values), indices, x.shape, 2, 2)
    >>> np.array_equal(x[grad == 1], values.ravel())
    True
    """
    reject_requires_grad(grad)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool_backward(RANK, grad, indices, input_shape, _random_samples, out, options)


def fractional_max_poolRANKd_double_backward(gg, indices, kernel_size, output_size=None, output_ratio=None, _random_samples=None, *,
                                             seed=None, nan=None, index_base=None, out=None):
    """The gradient of the output's gradient in fractional_max_poolRANKd_backward: the elements of `gg` at the indices of the maxima.

    >>> import numpy as np, tidepool
    >>> x = np.ARANGE
    >>> values, indices = tidepool.fractional_max_poolRANKd(x, 2, 2, return_indices=True, seed=7)
    >>> np.array_equal(tidepool.fractional_max_poolRANKd_double_backward(-x, indices, 2, 2), -values)
    True
    """
    reject_requires_grad(gg)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool_double_backward(RANK, gg, indices, _random_samples, out, options)
