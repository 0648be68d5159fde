"""Fractional max pooling."""

from __future__ import annotations

import random

from . import _core
from ._family import plain, publish

__all__: list[str] = []

LAST = {2: "15.0", 3: "63.0"}


def options(kernel_size, output_size, output_ratio, seed, nan, index_base):
    return kernel_size, output_size, output_ratio, seed, nan, index_base


def family(rank):
    def fractional_max_pool(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *,
                            seed=None, nan=None, index_base=None, out=None):
        """The maxima of windows of one size at pseudo-random steps.

        output_size, output_ratio  one of them: outputs as numbers, or as a share of the input
        _random_samples            N, C, RANK numbers in [0, 1) of the input's dtype: the windows that PyTorch makes of them
        seed                       the same windows for the same seed, on every machine; None draws new ones
        nan, index_base, out       as in max_poolRANKd

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 2, 2, seed=1).max()
        np.float64(EXAMPLE)
        """
        if seed is None and _random_samples is None:
            seed = random.getrandbits(64)
        return _core.fractional_max_pool(rank, plain(input), _random_samples, return_indices, out,
                                         options(kernel_size, output_size, output_ratio, seed, nan, index_base))

    def fractional_max_pool_backward(grad, indices, input_shape, kernel_size, output_size=None, output_ratio=None, _random_samples=None, *,
                                     seed=None, nan=None, index_base=None, out=None):
        """The gradient of the input. Samples or seed of the forward pass are needed for indices of base "window" alone."""
        return _core.fractional_max_pool_backward(rank, plain(grad), indices, input_shape, _random_samples, out,
                                                  options(kernel_size, output_size, output_ratio, seed, nan, index_base))

    def fractional_max_pool_double_backward(gg, indices, kernel_size, output_size=None, output_ratio=None, _random_samples=None, *,
                                            seed=None, nan=None, index_base=None, out=None):
        """The gradient of the output's gradient: what lies in `gg`, which has the input's shape, at the cells that won."""
        return _core.fractional_max_pool_double_backward(rank, plain(gg), indices, _random_samples, out,
                                                         options(kernel_size, output_size, output_ratio, seed, nan, index_base))

    return fractional_max_pool, fractional_max_pool_backward, fractional_max_pool_double_backward


for rank in (2, 3):
    publish(globals(), rank, *family(rank), examples={"EXAMPLE": LAST})
