# Written by generate.py from bindings/python/generator/templates/max_pool.py: change that file instead.
"""1-dimensional max pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex, overload

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, CeilMode, DLPackArray, IndexBase, Nan, NumpyArray, NumpyIndices, Padding, Preset, Size


@overload
def max_pool1d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: Literal[False] = False, *, nan: Nan | None = None,
               index_base: IndexBase | None = None, preset: Preset | None = None, out: Array | None = None) -> Array: ...
@overload
def max_pool1d(input: NumpyArray, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, *, return_indices: Literal[True], nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None, out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def max_pool1d(input: NumpyArray, kernel_size: Size, stride: Size | None, padding: Padding, dilation: Size, ceil_mode: CeilMode,
               return_indices: Literal[True], *, nan: Nan | None = None, index_base: IndexBase | None = None, preset: Preset | None = None,
               out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def max_pool1d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, *, return_indices: Literal[True], nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def max_pool1d(input: Array, kernel_size: Size, stride: Size | None, padding: Padding, dilation: Size, ceil_mode: CeilMode,
               return_indices: Literal[True], *, nan: Nan | None = None, index_base: IndexBase | None = None, preset: Preset | None = None,
               out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def max_pool1d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None, out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]: ...
def max_pool1d(input: Array, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None, out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]:
    """The maximum of every window.

    Args:
        input: Array of shape (N, C, L) or (C, L).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into, or a pair of arrays with return_indices.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.max_pool1d(x, 2).ravel().tolist()
        [1.0, 3.0]
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> indices.ravel().tolist()
        [1, 3]
    """
    reject_requires_grad(input)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    return _core.max_pool(1, input, return_indices, out, (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset))


def max_pool1d_backward(grad: Array, indices: DLPackArray, input_shape: Sequence[SupportsIndex], kernel_size: Size,
                        stride: Size | None = None, padding: Padding = 0, dilation: Size = 1, ceil_mode: CeilMode = False, *,
                        nan: Nan | None = None, index_base: IndexBase | None = None, preset: Preset | None = None,
                        out: Array | None = None) -> Array:
    """The gradient of the input of max_pool1d: every gradient of the output is added at the index of the maximum.

    The options must be those of the forward pass.

    Args:
        grad: Gradient of the output.
        indices: Indices that the forward pass returned with return_indices=True.
        input_shape: Shape of the forward pass's input.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> grad = tidepool.max_pool1d_backward(np.ones_like(values), indices, x.shape, 2)
        >>> x[grad == 1].tolist()
        [1.0, 3.0]
    """
    reject_requires_grad(grad)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.max_pool_backward(1, grad, indices, input_shape, out, options)


def max_pool1d_double_backward(gg: Array, indices: DLPackArray, kernel_size: Size, stride: Size | None = None, padding: Padding = 0,
                               dilation: Size = 1, ceil_mode: CeilMode = False, *, nan: Nan | None = None,
                               index_base: IndexBase | None = None, preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in max_pool1d_backward: the elements of `gg` at the indices of the maxima.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        indices: Indices that the forward pass returned with return_indices=True.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> tidepool.max_pool1d_double_backward(-x, indices, 2).ravel().tolist()
        [-1.0, -3.0]
    """
    reject_requires_grad(gg)
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
    return _core.max_pool_double_backward(1, gg, indices, out, options)
