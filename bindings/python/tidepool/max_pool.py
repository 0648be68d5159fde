"""Max and min pooling."""

from __future__ import annotations

from . import _core
from ._family import opened, plain, publish

__all__: list[str] = []

MAXIMA = {1: "[[[1.0, 3.0]]]", 2: "[[[[5.0, 7.0], [13.0, 15.0]]]]",
          3: "[[[[[21.0, 23.0], [29.0, 31.0]], [[53.0, 55.0], [61.0, 63.0]]]]]"}
MINIMA = {1: "[[[0.0, 2.0]]]", 2: "[[[[0.0, 2.0], [8.0, 10.0]]]]",
          3: "[[[[[0.0, 2.0], [8.0, 10.0]], [[32.0, 34.0], [40.0, 42.0]]]]]"}


def family(rank, forward, backward, double_backward):
    def pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None, index_base=None,
             preset=None, out=None):
        options = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), nan, index_base, preset)
        return forward(rank, plain(input), return_indices, out, options)

    def pool_backward(grad, indices, input_shape, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None,
                      index_base=None, preset=None, out=None):
        """The gradient of the input: every gradient of the output goes to the cell that won.

        `indices` are those that the forward pass returned, with the same options.
        """
        options = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), nan, index_base, preset)
        return backward(rank, plain(grad), indices, input_shape, out, options)

    def pool_double_backward(gg, indices, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, *, nan=None, index_base=None,
                             preset=None, out=None):
        """The gradient of the output's gradient: what lies in `gg`, which has the input's shape, at the cells that won."""
        options = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), nan, index_base, preset)
        return double_backward(rank, plain(gg), indices, out, options)

    return pool, pool_backward, pool_double_backward


DOC = """The KIND of every window.

    padding         n, one per axis, (before, after) per axis, "same", "same_lower" or "valid"
    ceil_mode       windows that hang over the edge count too: False, True, or "floor", "ceil", "ceil_full"
    return_indices  also return where every result was
    nan             "propagate" (a NaN in the window is the result) or "ignore"
    index_base      what indices count from: "plane" (int64, as PyTorch), "tensor" (as ONNX), "window" (compact, a byte up to 256 taps)
    preset          whose conventions fill what is left at its default: "torch", "onnx", "tensorflow", "caffe"
    out             an array to write into; a pair of them with return_indices

    >>> import numpy as np, tidepool
    >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
    >>> tidepool.NAME(x, 2).tolist()
    EXAMPLE
    """

for rank in (1, 2, 3):
    for which, example in (("max", MAXIMA), ("min", MINIMA)):
        functions = family(rank, *(getattr(_core, f"{which}_pool{suffix}") for suffix in ("", "_backward", "_double_backward")))
        for function, suffix in zip(functions, ("", "_backward", "_double_backward")):
            function.__name__ = f"{which}_pool{suffix}"
        functions[0].__doc__ = DOC.replace("KIND", {"max": "maximum", "min": "minimum"}[which])
        publish(globals(), rank, *functions, examples={"EXAMPLE": example})
