# Written by generate.py from bindings/python/generator/templates/max_unpool.py: change that file instead.
"""1-dimensional max unpooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, DLPackArray, IndexBase, Padding, Preset, Size


def max_unpool1d(input: Array, indices: DLPackArray, kernel_size: Size, stride: Size | None = None, padding: Padding = 0,
                 output_size: Sequence[SupportsIndex] | None = None, *, dilation: Size = 1, index_base: IndexBase | None = None,
                 preset: Preset | None = None, out: Array | None = None) -> Array:
    """Writes pooled values back to the elements they came from, and zeros elsewhere.

    The options are those of the pooling that is undone. An index outside its plane is refused before anything is written.

    Args:
        input: Pooled values.
        indices: Indices that the pooling returned with return_indices=True.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        output_size: Spatial sizes of the result, or its whole shape. None means the smallest input that pools to this.
        dilation: Distance between the elements of a window: one int, or one per axis.
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> y = tidepool.max_unpool1d(values, indices, 2)
        >>> np.array_equal(y, np.where(np.isin(x, values), x, 0))
        True
    """
    reject_requires_grad(input)
    options = (kernel_size, stride, padding, dilation, output_size, index_base, preset)
    return _core.max_unpool(1, input, indices, out, options)


def max_unpool1d_backward(grad: Array, indices: DLPackArray, kernel_size: Size, stride: Size | None = None, padding: Padding = 0,
                          output_size: Sequence[SupportsIndex] | None = None, *, dilation: Size = 1, index_base: IndexBase | None = None,
                          preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the input of max_unpool1d: the elements of `grad`, which has the unpooled shape, at the indices.

    Args:
        grad: Gradient of the output.
        indices: Indices that the forward pass returned with return_indices=True.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        output_size: Spatial sizes of the result, or its whole shape. None means the smallest input that pools to this.
        dilation: Distance between the elements of a window: one int, or one per axis.
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> np.array_equal(tidepool.max_unpool1d_backward(-x, indices, 2), -values)
        True
    """
    reject_requires_grad(grad)
    size = output_size if output_size is not None else tuple(grad.shape)[-1:]
    options = (kernel_size, stride, padding, dilation, size, index_base, preset)
    return _core.max_unpool_backward(1, grad, indices, out, options)


def max_unpool1d_double_backward(gg: Array, indices: DLPackArray, kernel_size: Size, stride: Size | None = None, padding: Padding = 0,
                                 output_size: Sequence[SupportsIndex] | None = None, *, dilation: Size = 1,
                                 index_base: IndexBase | None = None, preset: Preset | None = None, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in max_unpool1d_backward: the elements of `gg` added up at the indices.

    Args:
        gg: Gradient of the backward pass's result; has the shape of the pooled values.
        indices: Indices that the forward pass returned with return_indices=True.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        output_size: Spatial sizes of the result, or its whole shape. None means the smallest input that pools to this.
        dilation: Distance between the elements of a window: one int, or one per axis.
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.max_pool1d(x, 2, return_indices=True)
        >>> gg = np.ones_like(values)
        >>> np.array_equal(tidepool.max_unpool1d_double_backward(gg, indices, 2), np.isin(x, values))
        True
    """
    reject_requires_grad(gg)
    options = (kernel_size, stride, padding, dilation, output_size, index_base, preset)
    return _core.max_unpool_double_backward(1, gg, indices, out, options)
