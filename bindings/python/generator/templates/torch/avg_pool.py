"""Differentiable RANK-dimensional average pooling."""

from ..autograd import LinearPool, needs_grad


def avg_poolRANKd(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *,
                  dilation=1, preset=None):
    """The average of every window. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.avg_poolRANKd(x, 2)
    >>> y.flatten().tolist()
    @1 [0.5, 2.5]
    @2 [2.5, 4.5, 10.5, 12.5]
    @3 [10.5, 12.5, 18.5, 20.5, 42.5, 44.5, 50.5, 52.5]
    >>> y.sum().backward()
    >>> x.grad.unique()
    @1 tensor([0.5000])
    @2 tensor([0.2500])
    @3 tensor([0.1250])
    """
    ceil = None if ceil_mode is False and preset is not None else ceil_mode  # None leaves the choice to the preset
    count = None if count_include_pad is True and preset is not None else count_include_pad
    options = (kernel_size, stride, padding, dilation, ceil, count, divisor_override, None, preset)
    if not needs_grad(input):
        return _core.avg_pool(RANK, input, None, options)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.avg_pool(RANK, x, None, options),
                            lambda grad, _: _core.avg_pool_backward(RANK, grad, shape, None, options))
