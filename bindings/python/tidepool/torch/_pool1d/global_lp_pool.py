# Written by generate.py from bindings/python/generator/templates/torch/global_lp_pool.py: change that file instead.
"""Differentiable 1-dimensional global Lp pooling."""

from __future__ import annotations

from torch import Tensor

from ... import _core
from ..autograd import LpPool, needs_grad


def global_lp_pool1d(input: Tensor, norm_type: float = 2.0) -> Tensor:
    """The p-norm of every channel, (Σ|x|^p)^(1/p). Differentiable twice.

    Args:
        input: Tensor of shape (N, C, L) or (C, L).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(4.0).reshape(1, 1, 4).add(1).requires_grad_()
        >>> tidepool.torch.global_lp_pool1d(x, 1).sum().backward()
        >>> x.grad.unique()
        tensor([1.])
    """
    options = (float(norm_type),)
    if not needs_grad(input):
        return _core.global_lp_pool(1, input, None, options)
    return LpPool.apply(input, 1, "global_lp_pool", options)
