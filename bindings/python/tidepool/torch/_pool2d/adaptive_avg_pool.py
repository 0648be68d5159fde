# Written by generate.py from bindings/python/generator/templates/torch/adaptive_avg_pool.py: change that file instead.
"""Differentiable 2-dimensional adaptive average pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..._types import OutputSize
from ..autograd import LinearPool, needs_grad


def adaptive_avg_pool2d(input: Tensor, output_size: OutputSize) -> Tensor:
    """The averages of windows that divide the input into output_size parts per axis. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, H, W) or (C, H, W).
        output_size: Size of the output: one int, or one per axis. None keeps the size of that axis.

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
        >>> y = tidepool.torch.adaptive_avg_pool2d(x, 2)
        >>> y.flatten().tolist()
        [2.5, 4.5, 10.5, 12.5]
        >>> y.sum().backward()
        >>> x.grad.unique()
        tensor([0.2500])
    """
    if not needs_grad(input):
        return _core.adaptive_avg_pool(2, input, output_size, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.adaptive_avg_pool(2, x, output_size, None),
                            lambda grad, _: _core.adaptive_avg_pool_backward(2, grad, shape, None))
