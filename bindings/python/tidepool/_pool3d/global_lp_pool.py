# Written by generate.py from bindings/python/generator/templates/global_lp_pool.py: change that file instead.
"""3-dimensional global Lp pooling."""

from __future__ import annotations

from .. import _core
from .._arguments import reject_requires_grad
from .._types import Array


def global_lp_pool3d(input: Array, norm_type: float = 2.0, *, out: Array | None = None) -> Array:
    """The p-norm of every channel, (Σ|x|^p)^(1/p).

    Args:
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.global_lp_pool3d(x, 1).ravel().tolist()
        [2016.0]
    """
    reject_requires_grad(input)
    return _core.global_lp_pool(3, input, out, (float(norm_type),))


def global_lp_pool3d_backward(grad: Array, input: Array, norm_type: float = 2.0, *, out: Array | None = None) -> Array:
    """The gradient of the input of global_lp_pool3d. It is 0 in a channel of zeros.

    Args:
        grad: Gradient of the output.
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> grad = tidepool.global_lp_pool3d_backward(np.ones((1, 1, 1, 1, 1)), x - 1.5, 1)
        >>> np.array_equal(grad, np.sign(x - 1.5))
        True
    """
    reject_requires_grad(grad)
    reject_requires_grad(input)
    return _core.global_lp_pool_backward(3, grad, input, out, (float(norm_type),))


def global_lp_pool3d_double_backward(gg: Array, input: Array, norm_type: float = 2.0, *, out: Array | None = None) -> Array:
    """The gradient of the output's gradient in global_lp_pool3d_backward.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> gg = np.arange(64.0).reshape(1, 1, 4, 4, 4)
        >>> tidepool.global_lp_pool3d_double_backward(gg, np.ones((1, 1, 4, 4, 4)), 1).ravel().tolist()
        [2016.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(input)
    return _core.global_lp_pool_double_backward(3, gg, input, out, (float(norm_type),))


def global_lp_pool3d_double_backward_input(gg: Array, grad: Array, input: Array, norm_type: float = 2.0, *,
                                           out: Array | None = None) -> Array:
    """The gradient of the input in global_lp_pool3d_backward. It is not zero, because a norm is not linear.

    Args:
        gg: Gradient of the backward pass's result; has the input's shape.
        grad: Gradient of the output.
        input: Array of shape (N, C, D, H, W) or (C, D, H, W).
        norm_type: The exponent p, above 0. Infinity gives the largest magnitude.
        out: Array to write the result into.

    Example:
        >>> import numpy as np, tidepool
        >>> x = np.zeros((1, 1, 2, 2, 2))
        >>> x.flat[0] = 1
        >>> tidepool.global_lp_pool3d_double_backward_input(np.ones_like(x), np.ones((1, 1, 1, 1, 1)), x).ravel().tolist()
        [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    reject_requires_grad(gg)
    reject_requires_grad(grad)
    reject_requires_grad(input)
    return _core.global_lp_pool_double_backward_input(3, gg, grad, input, out, (float(norm_type),))
