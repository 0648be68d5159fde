"""Differentiable RANK-dimensional adaptive average pooling."""

from ..autograd import LinearPool, needs_grad


def adaptive_avg_poolRANKd(input, output_size):
    """The averages of windows that divide the input into output_size parts per axis. Differentiable twice.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE.requires_grad_()
    >>> y = tidepool.torch.adaptive_avg_poolRANKd(x, 2)
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
    if not needs_grad(input):
        return _core.adaptive_avg_pool(RANK, input, output_size, None)
    shape = input.shape
    return LinearPool.apply(input, None,
                            lambda x, _: _core.adaptive_avg_pool(RANK, x, output_size, None),
                            lambda grad, _: _core.adaptive_avg_pool_backward(RANK, grad, shape, None))
