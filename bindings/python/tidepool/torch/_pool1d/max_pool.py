# Written by generate.py from bindings/python/generator/templates/torch/max_pool.py: change that file instead.
"""Differentiable 1-dimensional max pooling."""

from __future__ import annotations

from typing import Literal, overload

from torch import Tensor

from ... import _core
from ..._types import CeilMode, IndexBase, Nan, Padding, Preset, Size
from ..autograd import ArgmaxPool, needs_grad


@overload
def max_pool1d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: Literal[False] = False, *, nan: Nan | None = None,
               index_base: IndexBase | None = None, preset: Preset | None = None) -> Tensor: ...
@overload
def max_pool1d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, *, return_indices: Literal[True], nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool1d(input: Tensor, kernel_size: Size, stride: Size | None, padding: Padding, dilation: Size, ceil_mode: CeilMode,
               return_indices: Literal[True], *, nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool1d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None) -> Tensor | tuple[Tensor, Tensor]: ...
def max_pool1d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, dilation: Size = 1,
               ceil_mode: CeilMode = False, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
               preset: Preset | None = None) -> Tensor | tuple[Tensor, Tensor]:
    """The maximum of every window. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, L) or (C, L).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(4.0).reshape(1, 1, 4).requires_grad_()
        >>> y = tidepool.torch.max_pool1d(x, 2)
        >>> y.flatten().tolist()
        [1.0, 3.0]
        >>> y.sum().backward()
        >>> torch.equal(x[x.grad == 1], y.flatten())
        True
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    if not needs_grad(input):
        options = (kernel_size, stride, padding, dilation, ceil, nan, index_base, preset)
        return _core.max_pool(1, input, return_indices, None, options)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape, options = input.shape, (kernel_size, stride, padding, dilation, ceil, nan, base, preset)
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.max_pool(1, x, True, None, options),
                            lambda grad, indices: _core.max_pool_backward(1, grad, indices, shape, None, options),
                            lambda gg, indices: _core.max_pool_double_backward(1, gg, indices, None, options))
