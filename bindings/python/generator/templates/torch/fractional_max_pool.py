"""Differentiable RANK-dimensional fractional max pooling."""

import torch

from ..autograd import ArgmaxPool, needs_grad


def fractional_max_poolRANKd(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *,
                             seed=None, nan=None, index_base=None):
    """The maxima of windows of one size at pseudo-random positions. Differentiable twice.

    Without samples and seed, the samples are drawn as PyTorch draws them: torch.manual_seed then gives the windows that PyTorch has.

    >>> import torch, tidepool.torch
    >>> x = torch.ARANGE
    >>> ours = tidepool.torch.fractional_max_poolRANKd(x, 2, output_size=2, _random_samples=torch.zeros(1, 1, RANK))
    >>> theirs = torch.nn.functional.fractional_max_poolRANKd(x, 2, output_size=2, _random_samples=torch.zeros(1, 1, RANK))
    >>> torch.equal(ours, theirs)
    True
    """
    samples = _random_samples
    if samples is None and seed is None:
        batch = input.size(0) if input.dim() == RANK + 2 else 1
        samples = torch.rand(batch, input.size(-RANK - 1), RANK, dtype=input.dtype, device=input.device)
    if not needs_grad(input):
        options = (kernel_size, output_size, output_ratio, seed, nan, index_base)
        return _core.fractional_max_pool(RANK, input, samples, return_indices, None, options)
    base = index_base if return_indices else "window"  # the smallest indices, unless the caller gets them
    shape, options = input.shape, (kernel_size, output_size, output_ratio, seed, nan, base)
    return ArgmaxPool.apply(input, return_indices,
                            lambda x: _core.fractional_max_pool(RANK, x, samples, True, None, options),
                            lambda grad, indices: _core.fractional_max_pool_backward(RANK, grad, indices, shape, samples, None, options),
                            lambda gg, indices: _core.fractional_max_pool_double_backward(RANK, gg, indices, samples, None, options))
