# Written by generate.py from bindings/python/generator/templates/torch/sum_pool.py: change that file instead.
"""Differentiable 3-dimensional sum pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..._types import CeilMode, Padding, Preset, Size
from ..autograd import LinearPool, needs_grad


def sum_pool3d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False, *,
               dilation: Size = 1, preset: Preset | None = None) -> Tensor:
    """The sum of every window. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, D, H, W) or (C, D, H, W).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(64.0).reshape(1, 1, 4, 4, 4).requires_grad_()
        >>> y = tidepool.torch.sum_pool3d(x, 2)
        >>> y.flatten().tolist()
        [84.0, 100.0, 148.0, 164.0, 340.0, 356.0, 404.0, 420.0]
        >>> y.sum().backward()
        >>> x.grad.unique()
        tensor([1.])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (kernel_size, stride, padding, dilation, ceil, preset)
    if not needs_grad(input):
        return _core.sum_pool(3, input, None, options)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.sum_pool(3, x, None, options),
                            lambda grad, _: _core.sum_pool_backward(3, grad, shape, None, options))
