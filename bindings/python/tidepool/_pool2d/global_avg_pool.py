# Written by generate.py from bindings/python/generator/templates/global_avg_pool.py: change that file instead.
"""2-dimensional global average pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array


def global_avg_pool2d(input: Array, *, out: Array | None = None) -> Array:
    """The average of every channel.

    Args:
        input: Array of shape (N, C, H, W) or (C, H, W).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> tidepool.global_avg_pool2d(x).ravel().tolist()
        [7.5]
    """
    reject_requires_grad(input)
    return _core.global_avg_pool(2, input, out)


def global_avg_pool2d_backward(grad: Array, input_shape: Sequence[SupportsIndex], *, out: Array | None = None) -> Array:
    """The gradient of the input of global_avg_pool2d: every gradient is divided among the elements of its channel.

    Args:
        grad: Gradient of the output.
        input_shape: Shape of the forward pass's input.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> grad = tidepool.global_avg_pool2d_backward(np.ones((1, 1, 1, 1)), (1, 1, 4, 4))
        >>> grad.shape, np.unique(grad).tolist()
        ((1, 1, 4, 4), [0.0625])
    """
    reject_requires_grad(grad)
    return _core.global_avg_pool_backward(2, grad, input_shape, out)


def global_avg_pool2d_double_backward(gg: Array, *, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in global_avg_pool2d_backward. Averaging is linear, so these are the averages of `gg`.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> tidepool.global_avg_pool2d_double_backward(gg).ravel().tolist()
        [7.5]
    """
    reject_requires_grad(gg)
    return _core.global_avg_pool_double_backward(2, gg, out)
