# Written by generate.py from bindings/python/generator/templates/adaptive_max_pool.py: change that file instead.
"""2-dimensional adaptive max pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex, overload

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, DLPackArray, IndexBase, Nan, NumpyArray, NumpyIndices, OutputSize


@overload
def adaptive_max_pool2d(input: Array, output_size: OutputSize, return_indices: Literal[False] = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None, out: Array | None = None) -> Array: ...
@overload
def adaptive_max_pool2d(input: NumpyArray, output_size: OutputSize, return_indices: Literal[True], *, nan: Nan | None = None,
                        index_base: IndexBase | None = None,
                        out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def adaptive_max_pool2d(input: Array, output_size: OutputSize, return_indices: Literal[True], *, nan: Nan | None = None,
                        index_base: IndexBase | None = None, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def adaptive_max_pool2d(input: Array, output_size: OutputSize, return_indices: bool = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None,
                        out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]: ...
def adaptive_max_pool2d(input: Array, output_size: OutputSize, return_indices: bool = False, *, nan: Nan | None = None,
                        index_base: IndexBase | None = None,
                        out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]:
    """The maxima of windows that divide the input into output_size parts per axis.

    Args:
        input: Array of shape (N, C, H, W) or (C, H, W).
        output_size: Size of the output: one int, or one per axis. None keeps the size of that axis.
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into, or a pair of arrays with return_indices.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> tidepool.adaptive_max_pool2d(x, 2).ravel().tolist()
        [5.0, 7.0, 13.0, 15.0]
    """
    reject_requires_grad(input)
    return _core.adaptive_max_pool(2, input, output_size, return_indices, out, nan, index_base)


def adaptive_max_pool2d_backward(grad: Array, indices: DLPackArray, input_shape: Sequence[SupportsIndex], *, nan: Nan | None = None,
                                 index_base: IndexBase | None = None, out: Array | None = None) -> Array:
    """The gradient of the input of adaptive_max_pool2d: every gradient of the output is added at the index of the maximum.

    Args:
        grad: Gradient of the output.
        indices: Indices that the forward pass returned with return_indices=True.
        input_shape: Shape of the forward pass's input.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> values, indices = tidepool.adaptive_max_pool2d(x, 2, return_indices=True)
        >>> grad = tidepool.adaptive_max_pool2d_backward(np.ones_like(values), indices, x.shape)
        >>> x[grad == 1].tolist()
        [5.0, 7.0, 13.0, 15.0]
    """
    reject_requires_grad(grad)
    return _core.adaptive_max_pool_backward(2, grad, indices, input_shape, out, nan, index_base)


def adaptive_max_pool2d_double_backward(gg: Array, indices: DLPackArray, *, nan: Nan | None = None, index_base: IndexBase | None = None,
                                        out: Array | None = None) -> Array:
    """The gradient of the output's gradient in adaptive_max_pool2d_backward: the elements of `gg` at the indices of the maxima.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        indices: Indices that the forward pass returned with return_indices=True.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
        >>> values, indices = tidepool.adaptive_max_pool2d(x, 2, return_indices=True)
        >>> tidepool.adaptive_max_pool2d_double_backward(-x, indices).ravel().tolist()
        [-5.0, -7.0, -13.0, -15.0]
    """
    reject_requires_grad(gg)
    return _core.adaptive_max_pool_double_backward(2, gg, indices, out, nan, index_base)
