# Written by generate.py from bindings/python/generator/templates/avg_pool.py: change that file instead.
"""1-dimensional average pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, CeilMode, CountPad, Padding, Preset, Rounding, Size


def avg_pool1d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False,
               count_include_pad: CountPad = True, divisor_override: int | None = None, *, dilation: Size = 1,
               rounding: Rounding | None = None, preset: Preset | None = None, out: Array | None = None) -> Array:
    """The average of every window.

    Args:
        input: Array of shape (N, C, L) or (C, L).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        count_include_pad: What averages are divided by: True (elements of input and padding), False (input only) or "full_kernel".
        divisor_override: Divide by this number instead.
        dilation: Distance between the elements of a window: one int, or one per axis.
        rounding: How averages of integers are rounded: "truncate" (as in PyTorch), "floor" or "nearest_even".
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.avg_pool1d(x, 2).ravel().tolist()
        [0.5, 2.5]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, rounding, preset)
    return _core.avg_pool(1, input, out, options)


def avg_pool1d_backward(grad: Array, input_shape: Sequence[SupportsIndex], kernel_size: Size, stride: Size | None = None,
                        padding: Padding = 0, ceil_mode: CeilMode = False, count_include_pad: CountPad = True,
                        divisor_override: int | None = None, *, dilation: Size = 1, preset: Preset | None = None,
                        out: Array | None = None) -> Array:
    """The gradient of the input of avg_pool1d: every gradient of the output is divided among the elements of its window.

    The options must be those of the forward pass.

    Args:
        grad: Gradient of the output.
        input_shape: Shape of the forward pass's input.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        count_include_pad: What averages are divided by: True (elements of input and padding), False (input only) or "full_kernel".
        divisor_override: Divide by this number instead.
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> grad = tidepool.avg_pool1d_backward(np.ones((1, 1, 2)), (1, 1, 4), 2)
        >>> grad.shape, np.unique(grad).tolist()
        ((1, 1, 4), [0.5])
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    return _core.avg_pool_backward(1, grad, input_shape, out, options)


def avg_pool1d_double_backward(gg: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False,
                               count_include_pad: CountPad = True, divisor_override: int | None = None, *, dilation: Size = 1,
                               preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in avg_pool1d_backward. Averaging is linear, so these are the averages of `gg`.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        count_include_pad: What averages are divided by: True (elements of input and padding), False (input only) or "full_kernel".
        divisor_override: Divide by this number instead.
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.avg_pool1d_double_backward(gg, 2).ravel().tolist()
        [0.5, 2.5]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    return _core.avg_pool_double_backward(1, gg, out, options)
