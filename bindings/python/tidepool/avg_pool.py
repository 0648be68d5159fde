"""Average and sum pooling."""

from __future__ import annotations

from . import _core
from ._family import opened, plain, publish

__all__: list[str] = []

AVERAGES = {1: "[[[0.5, 2.5]]]", 2: "[[[[2.5, 4.5], [10.5, 12.5]]]]",
            3: "[[[[[10.5, 12.5], [18.5, 20.5]], [[42.5, 44.5], [50.5, 52.5]]]]]"}
SUMS = {1: "[[[1.0, 5.0]]]", 2: "[[[[10.0, 18.0], [42.0, 50.0]]]]",
        3: "[[[[[84.0, 100.0], [148.0, 164.0]], [[340.0, 356.0], [404.0, 420.0]]]]]"}


def averages(rank):
    def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, dilation=1,
                 rounding=None, preset=None, out=None):
        """The average of every window.

        padding            n, one per axis, (before, after) per axis, "same", "same_lower" or "valid"
        ceil_mode          windows that hang over the edge count too: False, True, or "floor", "ceil", "ceil_full"
        count_include_pad  what divides: True (cells of input and padding), False (cells of the input), or "full_kernel"
        divisor_override   divide by this number instead
        rounding           of integer averages: "truncate" (as PyTorch), "floor", "nearest_even"
        preset             whose conventions fill what is left at its default: "torch", "onnx", "tensorflow", "caffe"
        out                an array to write into

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 2).tolist()
        EXAMPLE
        """
        return _core.avg_pool(rank, plain(input), out, options(kernel_size, stride, padding, dilation, ceil_mode, count_include_pad,
                                                               divisor_override, rounding, preset))

    def avg_pool_backward(grad, input_shape, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                          divisor_override=None, *, dilation=1, preset=None, out=None):
        """The gradient of the input: every cell of a window gets its share of the output's gradient."""
        return _core.avg_pool_backward(rank, plain(grad), input_shape, out,
                                       options(kernel_size, stride, padding, dilation, ceil_mode, count_include_pad, divisor_override,
                                               None, preset))

    def avg_pool_double_backward(gg, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None,
                                 *, dilation=1, preset=None, out=None):
        """The gradient of the output's gradient. Averaging is linear, so this pools `gg`, which has the input's shape."""
        return _core.avg_pool_double_backward(rank, plain(gg), out, options(kernel_size, stride, padding, dilation, ceil_mode,
                                                                            count_include_pad, divisor_override, None, preset))

    return avg_pool, avg_pool_backward, avg_pool_double_backward


def options(kernel_size, stride, padding, dilation, ceil_mode, count_include_pad, divisor_override, rounding, preset):
    return (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), opened(count_include_pad, True, preset),
            divisor_override, rounding, preset)


def sums(rank):
    def sum_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
        """The sum of every window. The options are those of avg_poolRANKd.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> tidepool.NAME(x, 2).tolist()
        EXAMPLE
        """
        values = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), preset)
        return _core.sum_pool(rank, plain(input), out, values)

    def sum_pool_backward(grad, input_shape, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
        """The gradient of the input: every cell of a window gets the output's gradient."""
        values = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), preset)
        return _core.sum_pool_backward(rank, plain(grad), input_shape, out, values)

    def sum_pool_double_backward(gg, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None, out=None):
        """The gradient of the output's gradient: the sums of `gg`, which has the input's shape."""
        values = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), preset)
        return _core.sum_pool_double_backward(rank, plain(gg), out, values)

    return sum_pool, sum_pool_backward, sum_pool_double_backward


for rank in (1, 2, 3):
    publish(globals(), rank, *averages(rank), examples={"EXAMPLE": AVERAGES})
    publish(globals(), rank, *sums(rank), examples={"EXAMPLE": SUMS})
