# Written by generate.py from bindings/python/generator/templates/torch/global_max_pool.py: change that file instead.
"""Differentiable 3-dimensional global max pooling: adaptive max pooling to one element per channel."""

from __future__ import annotations

from typing import Literal, overload

from torch import Tensor

from ... import _core
from ..._types import IndexBase, Nan
from ..autograd import ArgmaxPool, needs_grad


@overload
def global_max_pool3d(input: Tensor, return_indices: Literal[False] = False, *, nan: Nan | None = None,
                      index_base: IndexBase | None = None) -> Tensor: ...
@overload
def global_max_pool3d(input: Tensor, return_indices: Literal[True], *, nan: Nan | None = None,
                      index_base: IndexBase | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def global_max_pool3d(input: Tensor, return_indices: bool = False, *, nan: Nan | None = None,
                      index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]: ...
def global_max_pool3d(input: Tensor, return_indices: bool = False, *, nan: Nan | None = None,
                      index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]:
    """The maximum of every channel. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, D, H, W) or (C, D, H, W).
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(64.0).reshape(1, 1, 4, 4, 4).requires_grad_()
        >>> tidepool.torch.global_max_pool3d(x).sum().backward()
        >>> x[x.grad == 1].tolist()
        [63.0]
    """
    if not needs_grad(input):
        return _core.adaptive_max_pool(3, input, 1, return_indices, None, nan, index_base)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape = input.shape
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.adaptive_max_pool(3, x, 1, True, None, nan, base),
                            lambda grad, indices: _core.adaptive_max_pool_backward(3, grad, indices, shape, None, nan, base),
                            lambda gg, indices: _core.adaptive_max_pool_double_backward(3, gg, indices, None, nan, base))
