# Written by generate.py from bindings/python/generator/templates/torch/adaptive_max_pool.py: change that file instead.
"""Differentiable 2-dimensional adaptive max pooling."""

from __future__ import annotations

from typing import Literal, overload

from torch import Tensor

from ... import _core
from ..._types import IndexBase, Nan, OutputSize
from ..autograd import ArgmaxPool, needs_grad


@overload
def adaptive_max_pool2d(input: Tensor, output_size: OutputSize, return_indices: Literal[False] = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None) -> Tensor: ...
@overload
def adaptive_max_pool2d(input: Tensor, output_size: OutputSize, return_indices: Literal[True], *, nan: Nan | None = None,
                        index_base: IndexBase | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool2d(input: Tensor, output_size: OutputSize, return_indices: bool = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]: ...
def adaptive_max_pool2d(input: Tensor, output_size: OutputSize, return_indices: bool = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of windows that divide the input into output_size parts per axis. Differentiable twice.

    Args:
        input: Tensor of shape (N, C, H, W) or (C, H, W).
        output_size: Size of the output: one int, or one per axis. None keeps the size of that axis.
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
        >>> y = tidepool.torch.adaptive_max_pool2d(x, 2)
        >>> y.flatten().tolist()
        [5.0, 7.0, 13.0, 15.0]
        >>> y.sum().backward()
        >>> torch.equal(x[x.grad == 1], y.flatten())
        True
    """
    if not needs_grad(input):
        return _core.adaptive_max_pool(2, input, output_size, return_indices, None, nan, index_base)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape = input.shape
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.adaptive_max_pool(2, x, output_size, True, None, nan, base),
                            lambda grad, indices: _core.adaptive_max_pool_backward(2, grad, indices, shape, None, nan, base),
                            lambda gg, indices: _core.adaptive_max_pool_double_backward(2, gg, indices, None, nan, base))
