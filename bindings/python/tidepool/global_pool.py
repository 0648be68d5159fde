"""Global pooling: one output per channel."""

from __future__ import annotations

from . import _core
from ._family import plain, publish

__all__: list[str] = []

AVERAGE = {1: "[1.5]", 2: "[7.5]", 3: "[31.5]"}
SUM = {1: "[6.0]", 2: "[120.0]", 3: "[2016.0]"}
MAXIMUM = {1: "[3.0]", 2: "[15.0]", 3: "[63.0]"}


def family(rank):
    def global_avg_pool(input, *, out=None):
        """The average of every channel.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x).ravel().tolist()
        AVERAGE
        """
        return _core.global_avg_pool(rank, plain(input), out)

    def global_avg_pool_backward(grad, input_shape, *, out=None):
        """The gradient of the input."""
        return _core.global_avg_pool_backward(rank, plain(grad), input_shape, out)

    def global_avg_pool_double_backward(gg, *, out=None):
        """The gradient of the output's gradient: the averages of `gg`, which has the input's shape."""
        return _core.global_avg_pool_double_backward(rank, plain(gg), out)

    def global_sum_pool(input, *, out=None):
        """The sum of every channel.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x).ravel().tolist()
        SUM
        """
        return _core.global_sum_pool(rank, plain(input), out)

    def global_sum_pool_backward(grad, input_shape, *, out=None):
        """The gradient of the input: every cell gets that of its channel."""
        return _core.global_sum_pool_backward(rank, plain(grad), input_shape, out)

    def global_sum_pool_double_backward(gg, *, out=None):
        """The gradient of the output's gradient: the sums of `gg`, which has the input's shape."""
        return _core.global_sum_pool_double_backward(rank, plain(gg), out)

    def global_max_pool(input, return_indices=False, *, nan=None, index_base=None, out=None):
        """The maximum of every channel.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x).ravel().tolist()
        MAXIMUM
        """
        return _core.adaptive_max_pool(rank, plain(input), 1, return_indices, out, nan, index_base)

    def global_max_pool_backward(grad, indices, input_shape, *, nan=None, index_base=None, out=None):
        """The gradient of the input: it goes to the cell that won."""
        return _core.adaptive_max_pool_backward(rank, plain(grad), indices, input_shape, out, nan, index_base)

    def global_max_pool_double_backward(gg, indices, *, nan=None, index_base=None, out=None):
        """The gradient of the output's gradient: what lies in `gg` at the cells that won."""
        return _core.adaptive_max_pool_double_backward(rank, plain(gg), indices, out, nan, index_base)

    def global_lp_pool(input, norm_type=2.0, *, out=None):
        """The p-norm of every channel.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 1).ravel().tolist()
        SUM
        """
        return _core.global_lp_pool(rank, plain(input), out, (float(norm_type),))

    def global_lp_pool_backward(grad, input, norm_type=2.0, *, out=None):
        """The gradient of the input, 0 at a channel of zeros."""
        return _core.global_lp_pool_backward(rank, plain(grad), plain(input), out, (float(norm_type),))

    def global_lp_pool_double_backward(gg, input, norm_type=2.0, *, out=None):
        """The gradient of the output's gradient; `gg` has the input's shape."""
        return _core.global_lp_pool_double_backward(rank, plain(gg), plain(input), out, (float(norm_type),))

    def global_lp_pool_double_backward_input(gg, grad, input, norm_type=2.0, *, out=None):
        """The gradient of the input through the backward pass: a norm is curved."""
        return _core.global_lp_pool_double_backward_input(rank, plain(gg), plain(grad), plain(input), out, (float(norm_type),))

    return [f for name, f in locals().items() if name.startswith("global_")]


for rank in (1, 2, 3):
    publish(globals(), rank, *family(rank), examples={"AVERAGE": AVERAGE, "SUM": SUM, "MAXIMUM": MAXIMUM})
