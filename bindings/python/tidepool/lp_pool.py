"""Lp pooling."""

from __future__ import annotations

from . import _core
from ._family import opened, plain, publish

__all__: list[str] = []

NORMS = {1: "[[[1.0, 5.0]]]", 2: "[[[[10.0, 18.0], [42.0, 50.0]]]]",
         3: "[[[[[84.0, 100.0], [148.0, 164.0]], [[340.0, 356.0], [404.0, 420.0]]]]]"}


def options(norm_type, kernel_size, stride, ceil_mode, padding, dilation, signed_power, preset):
    return norm_type, kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), signed_power, preset


def family(rank):
    def lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1, signed_power=False, preset=None,
                out=None):
        """The p-norm of every window, (Σ|x|^p)^(1/p).

        norm_type     p, above 0; infinity gives the largest magnitude
        signed_power  PyTorch's formula, x^p without the absolute value; p may then be negative
        padding, dilation, ceil_mode, preset, out as in avg_poolRANKd

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 1, 2).tolist()
        EXAMPLE
        """
        return _core.lp_pool(rank, plain(input), out,
                             options(norm_type, kernel_size, stride, ceil_mode, padding, dilation, signed_power, preset))

    def lp_pool_backward(grad, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1, signed_power=False,
                         preset=None, out=None):
        """The gradient of the input, 0 at a window of zeros."""
        return _core.lp_pool_backward(rank, plain(grad), plain(input), out,
                                      options(norm_type, kernel_size, stride, ceil_mode, padding, dilation, signed_power, preset))

    def lp_pool_double_backward(gg, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1,
                                signed_power=False, preset=None, out=None):
        """The gradient of the output's gradient; `gg` has the input's shape."""
        return _core.lp_pool_double_backward(rank, plain(gg), plain(input), out,
                                             options(norm_type, kernel_size, stride, ceil_mode, padding, dilation, signed_power, preset))

    def lp_pool_double_backward_input(gg, grad, input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1,
                                      signed_power=False, preset=None, out=None):
        """The gradient of the input through the backward pass: a norm is curved."""
        return _core.lp_pool_double_backward_input(rank, plain(gg), plain(grad), plain(input), out,
                                                   options(norm_type, kernel_size, stride, ceil_mode, padding, dilation, signed_power,
                                                           preset))

    return lp_pool, lp_pool_backward, lp_pool_double_backward, lp_pool_double_backward_input


for rank in (1, 2, 3):
    publish(globals(), rank, *family(rank), examples={"EXAMPLE": NORMS})
