# Written by generate.py from bindings/python/generator/templates/lp_pool.py: change that file instead.
"""1-dimensional Lp pooling."""

from __future__ import annotations

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, CeilMode, Padding, Preset, Size


def lp_pool1d(input: Array, norm_type: float, kernel_size: Size, stride: Size | None = None, ceil_mode: CeilMode = False, *,
              padding: Padding = 0, dilation: Size = 1, signed_power: bool = False, preset: Preset | None = None,
              out: Array | None = None) -> Array:
    """The p-norm of every window, (Σ|x|^p)^(1/p).

    Args:
        input: Array of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        signed_power: Use PyTorch's formula, x^p without the absolute value. p may then be negative.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.lp_pool1d(x, 1, 2).ravel().tolist()
        [1.0, 5.0]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.lp_pool(1, input, out, (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset))


def lp_pool1d_backward(grad: Array, input: Array, norm_type: float, kernel_size: Size, stride: Size | None = None,
                       ceil_mode: CeilMode = False, *, padding: Padding = 0, dilation: Size = 1, signed_power: bool = False,
                       preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the input of lp_pool1d. A window of zeros contributes 0.

    The options must be those of the forward pass.

    Args:
        grad: Gradient of the output.
        input: Array of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        signed_power: Use PyTorch's formula, x^p without the absolute value. p may then be negative.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> grad = tidepool.lp_pool1d_backward(np.ones((1, 1, 2)), x - 1.5, 1, 2)
        >>> np.array_equal(grad, np.sign(x - 1.5))
        True
    """
    reject_requires_grad(grad)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_backward(1, grad, input, out, options)


def lp_pool1d_double_backward(gg: Array, input: Array, norm_type: float, kernel_size: Size, stride: Size | None = None,
                              ceil_mode: CeilMode = False, *, padding: Padding = 0, dilation: Size = 1, signed_power: bool = False,
                              preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in lp_pool1d_backward.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        input: Array of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        signed_power: Use PyTorch's formula, x^p without the absolute value. p may then be negative.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.lp_pool1d_double_backward(gg, np.ones((1, 1, 4)), 1, 2).ravel().tolist()
        [1.0, 5.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_double_backward(1, gg, input, out, options)


def lp_pool1d_double_backward_input(gg: Array, grad: Array, input: Array, norm_type: float, kernel_size: Size, stride: Size | None = None,
                                    ceil_mode: CeilMode = False, *, padding: Padding = 0, dilation: Size = 1, signed_power: bool = False,
                                    preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the input in lp_pool1d_backward. It is not zero, because a norm is not linear.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        grad: Gradient of the output.
        input: Array of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        signed_power: Use PyTorch's formula, x^p without the absolute value. p may then be negative.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.zeros((1, 1, 2))
        >>> x.flat[0] = 1
        >>> tidepool.lp_pool1d_double_backward_input(np.ones_like(x), np.ones((1, 1, 1)), x, 2, 2).ravel().tolist()
        [0.0, 1.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(grad)
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    return _core.lp_pool_double_backward_input(1, gg, grad, input, out, options)
