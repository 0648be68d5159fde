# Written by generate.py from bindings/python/generator/templates/global_max_pool.py: change that file instead.
"""1-dimensional global max pooling: adaptive max pooling to one element per channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex, overload

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array, DLPackArray, IndexBase, Nan, NumpyArray, NumpyIndices


@overload
def global_max_pool1d(input: Array, return_indices: Literal[False] = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
                      out: Array | None = None) -> Array: ...
@overload
def global_max_pool1d(input: NumpyArray, return_indices: Literal[True], *, nan: Nan | None = None, index_base: IndexBase | None = None,
                      out: tuple[NumpyArray, NumpyIndices] | None = None) -> tuple[NumpyArray, NumpyIndices]: ...
@overload
def global_max_pool1d(input: Array, return_indices: Literal[True], *, nan: Nan | None = None, index_base: IndexBase | None = None,
                      out: tuple[Array, Array] | None = None) -> tuple[Array, Array]: ...
@overload
def global_max_pool1d(input: Array, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
                      out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]: ...
def global_max_pool1d(input: Array, return_indices: bool = False, *, nan: Nan | None = None, index_base: IndexBase | None = None,
                      out: Array | tuple[Array, DLPackArray] | None = None) -> Array | tuple[Array, DLPackArray]:
    """The maximum of every channel.

    Args:
        input: Array of shape (N, C, L) or (C, L).
        return_indices: Return a pair: the result, and for each of its elements the index of the input element it came from.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into, or a pair of arrays with return_indices.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> tidepool.global_max_pool1d(x).ravel().tolist()
        [3.0]
    """
    reject_requires_grad(input)
    return _core.adaptive_max_pool(1, input, 1, return_indices, out, nan, index_base)


def global_max_pool1d_backward(grad: Array, indices: DLPackArray, input_shape: Sequence[SupportsIndex], *, nan: Nan | None = None,
                               index_base: IndexBase | None = None, out: Array | None = None) -> Array:
    """The gradient of the input of global_max_pool1d: the gradient of a channel goes to its maximum.

    Args:
        grad: Gradient of the output.
        indices: Indices that the forward pass returned with return_indices=True.
        input_shape: Shape of the forward pass's input.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.global_max_pool1d(x, return_indices=True)
        >>> grad = tidepool.global_max_pool1d_backward(np.ones_like(values), indices, x.shape)
        >>> x[grad == 1].tolist()
        [3.0]
    """
    reject_requires_grad(grad)
    return _core.adaptive_max_pool_backward(1, grad, indices, input_shape, out, nan, index_base)


def global_max_pool1d_double_backward(gg: Array, indices: DLPackArray, *, nan: Nan | None = None, index_base: IndexBase | None = None,
                                      out: Array | None = None) -> Array:
    """The gradient of the output's gradient in global_max_pool1d_backward: the elements of `gg` at the indices of the maxima.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        indices: Indices that the forward pass returned with return_indices=True.
        nan: "propagate" (a window with a NaN gives NaN) or "ignore".
        index_base: What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0).reshape(1, 1, 4)
        >>> values, indices = tidepool.global_max_pool1d(x, return_indices=True)
        >>> tidepool.global_max_pool1d_double_backward(-x, indices).ravel().tolist()
        [-3.0]
    """
    reject_requires_grad(gg)
    return _core.adaptive_max_pool_double_backward(1, gg, indices, out, nan, index_base)
