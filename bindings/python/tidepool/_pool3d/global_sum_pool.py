# Written by generate.py from bindings/python/generator/templates/global_sum_pool.py: change that file instead.
"""3-dimensional global sum pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array


def global_sum_pool3d(input: Array, *, out: Array | None = None) -> Array:
    """The sum of every channel.

    Args:
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.global_sum_pool3d(x).ravel().tolist()
        [2016.0]
    """
    reject_requires_grad(input)
    return _core.global_sum_pool(3, input, out)


def global_sum_pool3d_backward(grad: Array, input_shape: Sequence[SupportsIndex], *, out: Array | None = None) -> Array:
    """The gradient of the input of global_sum_pool3d: every element gets the gradient of its channel.

    Args:
        grad: Gradient of the output.
        input_shape: Shape of the forward pass's input.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> grad = tidepool.global_sum_pool3d_backward(np.ones((1, 1, 1, 1, 1)), (1, 1, 4, 4, 4))
        >>> grad.shape, np.unique(grad).tolist()
        ((1, 1, 4, 4, 4), [1.0])
    """
    reject_requires_grad(grad)
    return _core.global_sum_pool_backward(3, grad, input_shape, out)


def global_sum_pool3d_double_backward(gg: Array, *, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in global_sum_pool3d_backward. Summing is linear, so these are the sums of `gg`.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.global_sum_pool3d_double_backward(gg).ravel().tolist()
        [2016.0]
    """
    reject_requires_grad(gg)
    return _core.global_sum_pool_double_backward(3, gg, out)
