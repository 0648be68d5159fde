# Written by generate.py from bindings/python/generator/templates/torch/avg_pool.py: change that file instead.
"""Differentiable 2-dimensional average pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..._types import CeilMode, CountPad, Padding, Preset, Size
from ..autograd import LinearPool, needs_grad


def avg_pool2d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Padding = 0, ceil_mode: CeilMode = False,
               count_include_pad: CountPad = True, divisor_override: int | None = None, *, dilation: Size = 1,
               preset: Preset | None = None) -> Tensor:
    """The average of every window. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, H, W) or (C, H, W).
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        count_include_pad: What averages are divided by: True (elements of input and padding), False (input only) or "full_kernel".
        divisor_override: Divide by this number instead.
        dilation: Distance between the elements of a window: one int, or one per axis.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
        >>> y = tidepool.torch.avg_pool2d(x, 2)
        >>> y.flatten().tolist()
        [2.5, 4.5, 10.5, 12.5]
        >>> y.sum().backward()
        >>> x.grad.unique()
        tensor([0.2500])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    if not needs_grad(input):
        return _core.avg_pool(2, input, None, options)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.avg_pool(2, x, None, options),
                            lambda grad, _: _core.avg_pool_backward(2, grad, shape, None, options))
