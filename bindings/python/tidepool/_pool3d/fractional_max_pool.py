# Written by generate.py from bindings/python/generator/templates/fractional_max_pool.py: change that file instead.
"""3-dimensional fractional max pooling."""

from __future__ import annotations

from collections.abc import Sequence
import random
from typing import Literal, SupportsIndex, overload

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, DLPackArray, IndexBase, Nan, NumpyArray, NumpyIndices, Size


@overload
def fractional_max_pool3d(input: Array, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: Literal[False] = False,
                          _random_samples: DLPackArray | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None, out: Array | None = None) -> Array: ...
@overload
def fractional_max_pool3d(input: NumpyArray, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, *, return_indices: Literal[True],
                          _random_samples: DLPackArray | None = None, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None,
                          out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def fractional_max_pool3d(input: NumpyArray, kernel_size: Size, output_size: Size | None, output_ratio: float | Sequence[float] | None,
                          return_indices: Literal[True], _random_samples: DLPackArray | None = None, *, seed: int | None = None,
                          nan: Nan | None = None, index_base: IndexBase | None = None,
                          out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def fractional_max_pool3d(input: Array, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, *, return_indices: Literal[True],
                          _random_samples: DLPackArray | None = None, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def fractional_max_pool3d(input: Array, kernel_size: Size, output_size: Size | None, output_ratio: float | Sequence[float] | None,
                          return_indices: Literal[True], _random_samples: DLPackArray | None = None, *, seed: int | None = None,
                          nan: Nan | None = None, index_base: IndexBase | None = None,
                          out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def fractional_max_pool3d(input: Array, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
                          _random_samples: DLPackArray | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None,
                          out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]: ...
def fractional_max_pool3d(input: Array, kernel_size: Size, output_size: Size | None = None,
                          output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
                          _random_samples: DLPackArray | None = None, *, seed: int | None = None, nan: Nan | None = None,
                          index_base: IndexBase | None = None,
                          out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]:
    """The maxima of windows of one size at pseudo-random positions.

    Args:
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        kernel_size: Size of the window: one int, or one per axis.
        output_size: Size of the output: one int, or one per axis. Give this or output_ratio.
        output_ratio: Size of the output as a fraction of the input: one float, or one per axis.
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        _random_samples: Numbers in [0, 1), shape (N, C, 3), of the input's dtype: gives the windows PyTorch computes from them.
        seed: The same seed gives the same windows on every machine. None draws new windows.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into, or a pair of arrays with return_indices.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> y = tidepool.fractional_max_pool3d(x, 2, output_size=3, seed=7)
        >>> y.shape, y.max().item()
        ((1, 1, 3, 3, 3), 63.0)
    """
    reject_requires_grad(input)
    if seed is None and _random_samples is None:
        seed = random.getrandbits(64)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool(3, input, _random_samples, return_indices, out, options)


def fractional_max_pool3d_backward(grad: Array, indices: DLPackArray, input_shape: Sequence[SupportsIndex], kernel_size: Size,
                                   output_size: Size | None = None, output_ratio: float | Sequence[float] | None = None,
                                   _random_samples: DLPackArray | None = None, *, seed: int | None = None, nan: Nan | None = None,
                                   index_base: IndexBase | None = None, out: Array | None = None) -> Array:
    """The gradient of the input of fractional_max_pool3d: every gradient of the output is added at the index of the maximum.

    The samples or the seed of the forward pass are needed only for index_base="window".

    Args:
        grad: Gradient of the output.
        indices: Indices that the forward pass returned with return_indices=True.
        input_shape: Shape of the forward pass's input.
        kernel_size: Size of the window: one int, or one per axis.
        output_size: Size of the output: one int, or one per axis. Give this or output_ratio.
        output_ratio: Size of the output as a fraction of the input: one float, or one per axis.
        _random_samples: Numbers in [0, 1), shape (N, C, 3), of the input's dtype: gives the windows PyTorch computes from them.
        seed: Seed of the forward pass, needed only for index_base="window".
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> values, indices = tidepool.fractional_max_pool3d(x, 2, 2, return_indices=True, seed=7)
        >>> grad = tidepool.fractional_max_pool3d_backward(np.ones_like(values), indices, x.shape, 2, 2)
        >>> np.array_equal(x[grad == 1], values.ravel())
        True
    """
    reject_requires_grad(grad)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool_backward(3, grad, indices, input_shape, _random_samples, out, options)


def fractional_max_pool3d_double_backward(gg: Array, indices: DLPackArray, kernel_size: Size, output_size: Size | None = None,
                                          output_ratio: float | Sequence[float] | None = None, _random_samples: DLPackArray | None = None,
                                          *, seed: int | None = None, nan: Nan | None = None, index_base: IndexBase | None = None,
                                          out: Array | None = None) -> Array:
    """The gradient of the output's gradient in fractional_max_pool3d_backward: the elements of `gg` at the indices of the maxima.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        indices: Indices that the forward pass returned with return_indices=True.
        kernel_size: Size of the window: one int, or one per axis.
        output_size: Size of the output: one int, or one per axis. Give this or output_ratio.
        output_ratio: Size of the output as a fraction of the input: one float, or one per axis.
        _random_samples: Numbers in [0, 1), shape (N, C, 3), of the input's dtype: gives the windows PyTorch computes from them.
        seed: Seed of the forward pass, needed only for index_base="window".
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> values, indices = tidepool.fractional_max_pool3d(x, 2, 2, return_indices=True, seed=7)
        >>> np.array_equal(tidepool.fractional_max_pool3d_double_backward(-x, indices, 2, 2), -values)
        True
    """
    reject_requires_grad(gg)
    options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
    return _core.fractional_max_pool_double_backward(3, gg, indices, _random_samples, out, options)
