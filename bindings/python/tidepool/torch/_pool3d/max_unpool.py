# Written by generate.py from bindings/python/generator/templates/torch/max_unpool.py: change that file instead.
"""Differentiable 3-dimensional max unpooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from torch import Tensor

from ... import _core
from ..._types import IndexBase, Padding, Preset, Size
from ..autograd import LinearPool, needs_grad


def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0,
                 output_size: Sequence[SupportsIndex] | None = None, *, dilation: Size = 1, index_base: IndexBase | None = None,
                 preset: Preset | None = None) -> Tensor:
    """Writes pooled values back to the elements they came from, and zeros elsewhere. Differentiable twice.

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

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> values, indices = tidepool.torch.max_pool3d(x, 2, return_indices=True)
        >>> y = tidepool.torch.max_unpool3d(values, indices, 2)
        >>> torch.equal(y, torch.where(torch.isin(x, values), x, 0))
        True
    """
    size = None if output_size is None else tuple(output_size)
    options = (kernel_size, stride, padding, dilation, size, index_base, preset)
    if not needs_grad(input):
        return _core.max_unpool(3, input, indices, None, options)
    return LinearPool.apply(input, indices,
                            lambda x, indices: _core.max_unpool(3, x, indices, None, options),
                            lambda grad, indices: _core.max_unpool_backward(3, grad, indices, None, options),
                            lambda gg, indices: _core.max_unpool_double_backward(3, gg, indices, None, options))
