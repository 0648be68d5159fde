# Written by generate.py from bindings/python/generator/templates/torch/lp_pool.py: change that file instead.
"""Differentiable 1-dimensional Lp pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..._types import CeilMode, Padding, Preset, Size
from ..autograd import LpPool, needs_grad


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Size, stride: Size | None = None, ceil_mode: CeilMode = False, *,
              padding: Padding = 0, dilation: Size = 1, signed_power: bool = False, preset: Preset | None = None) -> Tensor:
    """The p-norm of every window, (Σ|x|^p)^(1/p). Differentiable twice.

    Args:
        input: Tensor of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        kernel_size: Size of the window: one int, or one per axis.
        stride: Distance between windows: one int, or one per axis. None means kernel_size.
        ceil_mode: Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".
        padding: Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".
        dilation: Distance between the elements of a window: one int, or one per axis.
        signed_power: Use PyTorch's formula, x^p without the absolute value. p may then be negative.
        preset: Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(4.0).reshape(1, 1, 4).add(1).requires_grad_()
        >>> tidepool.torch.lp_pool1d(x, 1, 2).sum().backward()
        >>> x.grad.unique()
        tensor([1.])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    options = (norm_type, kernel_size, stride, padding, dilation, ceil, signed_power, preset)
    if not needs_grad(input):
        return _core.lp_pool(1, input, None, options)
    return LpPool.apply(input, 1, "lp_pool", options)
