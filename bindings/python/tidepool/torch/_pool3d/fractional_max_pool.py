# Written by generate.py from bindings/python/generator/templates/torch/fractional_max_pool.py: change that file instead.
"""Differentiable 3-dimensional fractional max pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

import torch
from torch import Tensor

from ... import _core
from ..._types import IndexBase, Nan, Size
from ..autograd import ArgmaxPool, needs_grad


@overload
def fractional_max_pool3d(input: Tensor, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: Literal[False] = False,
                          _random_samples: Tensor | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None) -> Tensor: ...
@overload
def fractional_max_pool3d(input: Tensor, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, *, return_indices: Literal[True],
                          _random_samples: Tensor | None = None, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool3d(input: Tensor, kernel_size: Size, output_size: Size | None, output_ratio: float | Sequence[float] | None,
                          return_indices: Literal[True], _random_samples: Tensor | None = None, *, seed: int | None = None,
                          nan: Nan | None = None, index_base: IndexBase | None = None) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool3d(input: Tensor, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
                          _random_samples: Tensor | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]: ...
def fractional_max_pool3d(input: Tensor, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
                          _random_samples: Tensor | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of windows of one size at pseudo-random positions. Differentiable twice.

    Without samples and seed, the samples are drawn as PyTorch draws them: torch.manual_seed then gives the windows that PyTorch has.

    Args:
        input: Tensor of shape (N, C, D, H, W) or (C, D, H, W).
        kernel_size: Size of the window: one int, or one per axis.
        output_size: Size of the output: one int, or one per axis. Give this or output_ratio.
        output_ratio: Size of the output as a fraction of the input: one float, or one per axis.
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        _random_samples: Numbers in [0, 1), shape (N, C, 3), of the input's dtype: gives the windows PyTorch computes from them.
        seed: The same seed gives the same windows on every machine. None draws with torch.rand.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).

    Example:
        >>> import torch, tidepool.torch
        >>> x = torch.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> ours = tidepool.torch.fractional_max_pool3d(x, 2, output_size=2, _random_samples=torch.zeros(1, 1, 3))
        >>> theirs = torch.nn.functional.fractional_max_pool3d(x, 2, output_size=2, _random_samples=torch.zeros(1, 1, 3))
        >>> torch.equal(ours, theirs)
        True
    """
    samples = _random_samples
    if samples is None and seed is None:
        batch = input.size(0) if input.dim() == 3 + 2 else 1
        samples = torch.rand(batch, input.size(-3 - 1), 3, dtype=input.dtype, device=input.device)
    if not needs_grad(input):
        options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
        return _core.fractional_max_pool(3, input, samples, return_indices, None, options)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape, options = input.shape, (kernel_size, output_size, output_ratio, seed, nan, base)
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.fractional_max_pool(3, x, samples, True, None, options),
                            lambda grad, indices: _core.fractional_max_pool_backward(3, grad, indices, shape, samples, None, options),
                            lambda gg, indices: _core.fractional_max_pool_double_backward(3, gg, indices, samples, None, options))
