# Written by generate.py from bindings/python/generator/templates/adaptive_avg_pool.py: change that file instead.
"""3-dimensional adaptive average pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, OutputSize


def adaptive_avg_pool3d(input: Array, output_size: OutputSize, *, out: Array | None = None) -> Array:
    """The averages of windows that divide the input into output_size parts per axis.

    Args:
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        output_size: Size of the output: one int, or one per axis. None keeps the size of that axis.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.adaptive_avg_pool3d(x, 2).ravel().tolist()
        [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(input)
    return _core.adaptive_avg_pool(3, input, output_size, out)


def adaptive_avg_pool3d_backward(grad: Array, input_shape: Sequence[SupportsIndex], *, out: Array | None = None) -> Array:
    """The gradient of the input of adaptive_avg_pool3d. The output size is that of `grad`.

    Args:
        grad: Gradient of the output.
        input_shape: Shape of the forward pass's input.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> grad = tidepool.adaptive_avg_pool3d_backward(np.ones((1, 1, 2, 2, 2)), (1, 1, 4, 4, 4))
        >>> grad.shape, np.unique(grad).tolist()
        ((1, 1, 4, 4, 4), [0.125])
    """
    reject_requires_grad(grad)
    return _core.adaptive_avg_pool_backward(3, grad, input_shape, out)


def adaptive_avg_pool3d_double_backward(gg: Array, output_size: OutputSize, *, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in adaptive_avg_pool3d_backward. Averaging is linear, so these are the averages of `gg`.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        output_size: Size of the output: one int, or one per axis. None keeps the size of that axis.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.adaptive_avg_pool3d_double_backward(gg, 2).ravel().tolist()
        [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    """
    reject_requires_grad(gg)
    return _core.adaptive_avg_pool_double_backward(3, gg, output_size, out)
