# Written by generate.py from bindings/python/generator/templates/torch/global_avg_pool.py: change that file instead.
"""Differentiable 2-dimensional global average pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..autograd import LinearPool, needs_grad


def global_avg_pool2d(input: Tensor) -> Tensor:
    """The average of every channel. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, H, W) or (C, H, W).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
        >>> tidepool.torch.global_avg_pool2d(x).sum().backward()
        >>> x.grad.unique().tolist()
        [0.0625]
    """
    if not needs_grad(input):
        return _core.global_avg_pool(2, input, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.global_avg_pool(2, x, None),
                            lambda grad, _: _core.global_avg_pool_backward(2, grad, shape, None))
