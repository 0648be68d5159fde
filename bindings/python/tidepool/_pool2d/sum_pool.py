# Written by generate.py from bindings/python/generator/templates/sum_pool.py: change that file instead.
"""2-dimensional sum pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, CeilMode, Padding, Preset, Size


def sum_pool2d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False, *,
               dilation: Size = 1, preset: Preset | None = None, out: Array | None = None) -> Array:
    """The sum of every window.

    Args:
        input: Array of shape (N, C, H, W) or (C, H, W).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> tidepool.sum_pool2d(x, 2).ravel().tolist()
        [10.0, 18.0, 42.0, 50.0]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool(2, input, out, (kernel_size, stride, padding, dilation, ceil, preset))


def sum_pool2d_backward(grad: Array, input_shape: Sequence[SupportsIndex], kernel_size: Size, stride: Size | None = None,
                        padding: Padding = 0, ceil_mode: CeilMode = False, *, dilation: Size = 1, preset: Preset | None = None,
                        out: Array | None = None) -> Array:
    """The gradient of the input of sum_pool2d: every element gets the sum of the gradients of its windows.

    The options must be those of the forward pass.

    Args:
        grad: Gradient of the output.
        input_shape: Shape of the forward pass's input.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> grad = tidepool.sum_pool2d_backward(np.ones((1, 1, 2, 2)), (1, 1, 4, 4), 2)
        >>> grad.shape, np.unique(grad).tolist()
        ((1, 1, 4, 4), [1.0])
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool_backward(2, grad, input_shape, out, (kernel_size, stride, padding, dilation, ceil, preset))


def sum_pool2d_double_backward(gg: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False,
                               *, dilation: Size = 1, preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in sum_pool2d_backward. Summing is linear, so these are the sums of `gg`.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> tidepool.sum_pool2d_double_backward(gg, 2).ravel().tolist()
        [10.0, 18.0, 42.0, 50.0]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.sum_pool_double_backward(2, gg, out, (kernel_size, stride, padding, dilation, ceil, preset))
