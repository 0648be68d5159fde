# Written by generate.py from bindings/python/generator/templates/torch/global_avg_pool.py: change that file instead.
"""Differentiable 1-dimensional global average pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..autograd import LinearPool, needs_grad


def global_avg_pool1d(input: Tensor) -> Tensor:
    """The average of every channel. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, L) or (C, L).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(4.0).reshape(1, 1, 4).requires_grad_()
        >>> tidepool.torch.global_avg_pool1d(x).sum().backward()
        >>> x.grad.unique().tolist()
        [0.25]
    """
    if not needs_grad(input):
        return _core.global_avg_pool(1, input, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.global_avg_pool(1, x, None),
                            lambda grad, _: _core.global_avg_pool_backward(1, grad, shape, None))
