# Written by generate.py from bindings/python/generator/templates/torch/global_sum_pool.py: change that file instead.
"""Differentiable 3-dimensional global sum pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..autograd import LinearPool, needs_grad


def global_sum_pool3d(input: Tensor) -> Tensor:
    """The sum of every channel. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, D, H, W) or (C, D, H, W).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(64.0).reshape(1, 1, 4, 4, 4).requires_grad_()
        >>> tidepool.torch.global_sum_pool3d(x).sum().backward()
        >>> x.grad.unique().tolist()
        [1.0]
    """
    if not needs_grad(input):
        return _core.global_sum_pool(3, input, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.global_sum_pool(3, x, None),
                            lambda grad, _: _core.global_sum_pool_backward(3, grad, shape, None))
