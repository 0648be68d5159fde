"""Adaptive pooling: any input to a given output size."""

from __future__ import annotations

from . import _core
from ._family import plain, publish

__all__: list[str] = []

AVERAGES = {1: "[[[0.5, 2.5]]]", 2: "[[[[2.5, 4.5], [10.5, 12.5]]]]",
            3: "[[[[[10.5, 12.5], [18.5, 20.5]], [[42.5, 44.5], [50.5, 52.5]]]]]"}
MAXIMA = {1: "[[[1.0, 3.0]]]", 2: "[[[[5.0, 7.0], [13.0, 15.0]]]]",
          3: "[[[[[21.0, 23.0], [29.0, 31.0]], [[53.0, 55.0], [61.0, 63.0]]]]]"}


def averages(rank):
    def adaptive_avg_pool(input, output_size, *, out=None):
        """The averages of bins that cover the input; None in output_size keeps an axis as it is.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 2).tolist()
        EXAMPLE
        """
        return _core.adaptive_avg_pool(rank, plain(input), output_size, out)

    def adaptive_avg_pool_backward(grad, input_shape, *, out=None):
        """The gradient of the input; the output size is read off `grad`."""
        return _core.adaptive_avg_pool_backward(rank, plain(grad), input_shape, out)

    def adaptive_avg_pool_double_backward(gg, output_size, *, out=None):
        """The gradient of the output's gradient: the averages of `gg`, which has the input's shape."""
        return _core.adaptive_avg_pool_double_backward(rank, plain(gg), output_size, out)

    return adaptive_avg_pool, adaptive_avg_pool_backward, adaptive_avg_pool_double_backward


def maxima(rank):
    def adaptive_max_pool(input, output_size, return_indices=False, *, nan=None, index_base=None, out=None):
        """The maxima of bins that cover the input; None in output_size keeps an axis as it is. nan and index_base as in max_poolRANKd.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 2).tolist()
        EXAMPLE
        """
        return _core.adaptive_max_pool(rank, plain(input), output_size, return_indices, out, nan, index_base)

    def adaptive_max_pool_backward(grad, indices, input_shape, *, nan=None, index_base=None, out=None):
        """The gradient of the input: every gradient of the output goes to the cell that won."""
        return _core.adaptive_max_pool_backward(rank, plain(grad), indices, input_shape, out, nan, index_base)

    def adaptive_max_pool_double_backward(gg, indices, *, nan=None, index_base=None, out=None):
        """The gradient of the output's gradient: what lies in `gg`, which has the input's shape, at the cells that won."""
        return _core.adaptive_max_pool_double_backward(rank, plain(gg), indices, out, nan, index_base)

    return adaptive_max_pool, adaptive_max_pool_backward, adaptive_max_pool_double_backward


for rank in (1, 2, 3):
    publish(globals(), rank, *averages(rank), examples={"EXAMPLE": AVERAGES})
    publish(globals(), rank, *maxima(rank), examples={"EXAMPLE": MAXIMA})
