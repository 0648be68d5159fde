"""Differentiable pooling of torch tensors: the functions of torch.nn.functional, and those it lacks."""

from __future__ import annotations

import inspect

import torch

import tidepool

from .. import _core
from .._family import opened, publish
from .autograd import Linear, Lp, Winners, follows

__all__: list[str] = []


def winners(x, return_indices, index_base, with_base):
    """`with_base(base)` gives the forward, backward and double backward passes for indices of that base. Compact ones are kept unless the
    user wants to see others."""
    run, scatter, gather = with_base(index_base if return_indices else "window")
    return Winners.apply(x, run, scatter, gather, return_indices)


def extremum(rank, which):
    forward, backward, double_backward = (getattr(_core, f"{which}_pool{suffix}") for suffix in ("", "_backward", "_double_backward"))

    def pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, *, nan=None, index_base=None,
             preset=None):
        def passes(base):
            shape, o = input.shape, (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), nan, base, preset)
            return (lambda x: forward(rank, x, True, None, o), lambda g, i: backward(rank, g, i, shape, None, o),
                    lambda gg, i: double_backward(rank, gg, i, None, o))

        if follows(input):
            return winners(input, return_indices, index_base, passes)
        return forward(rank, input, return_indices, None,
                       (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), nan, index_base, preset))

    pool.__name__ = f"{which}_pool"
    return pool


def linear(x, run, transpose):
    return Linear.apply(x, None, lambda v, _: run(v), lambda v, _: transpose(v), lambda v, _: run(v)) if follows(x) else run(x)


def averages(rank):
    def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, *, dilation=1,
                 preset=None):
        o = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), opened(count_include_pad, True, preset),
             divisor_override, None, preset)
        shape = input.shape
        return linear(input, lambda v: _core.avg_pool(rank, v, None, o), lambda v: _core.avg_pool_backward(rank, v, shape, None, o))

    def sum_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, *, dilation=1, preset=None):
        o = (kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), preset)
        shape = input.shape
        return linear(input, lambda v: _core.sum_pool(rank, v, None, o), lambda v: _core.sum_pool_backward(rank, v, shape, None, o))

    def adaptive_avg_pool(input, output_size):
        shape = input.shape
        return linear(input, lambda v: _core.adaptive_avg_pool(rank, v, output_size, None),
                      lambda v: _core.adaptive_avg_pool_backward(rank, v, shape, None))

    def global_avg_pool(input):
        shape = input.shape
        return linear(input, lambda v: _core.global_avg_pool(rank, v, None), lambda v: _core.global_avg_pool_backward(rank, v, shape, None))

    def global_sum_pool(input):
        shape = input.shape
        return linear(input, lambda v: _core.global_sum_pool(rank, v, None), lambda v: _core.global_sum_pool_backward(rank, v, shape, None))

    return avg_pool, sum_pool, adaptive_avg_pool, global_avg_pool, global_sum_pool


def norms(rank):
    def lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False, *, padding=0, dilation=1, signed_power=False, preset=None):
        o = (norm_type, kernel_size, stride, padding, dilation, opened(ceil_mode, False, preset), signed_power, preset)
        return Lp.apply(input, rank, "lp_pool", o) if follows(input) else _core.lp_pool(rank, input, None, o)

    def global_lp_pool(input, norm_type=2.0):
        o = (float(norm_type),)
        return Lp.apply(input, rank, "global_lp_pool", o) if follows(input) else _core.global_lp_pool(rank, input, None, o)

    return lp_pool, global_lp_pool


def bins(rank):
    def adaptive_max_pool(input, output_size, return_indices=False, *, nan=None, index_base=None):
        def passes(base):
            shape = input.shape
            return (lambda x: _core.adaptive_max_pool(rank, x, output_size, True, None, nan, base),
                    lambda g, i: _core.adaptive_max_pool_backward(rank, g, i, shape, None, nan, base),
                    lambda gg, i: _core.adaptive_max_pool_double_backward(rank, gg, i, None, nan, base))

        if follows(input):
            return winners(input, return_indices, index_base, passes)
        return _core.adaptive_max_pool(rank, input, output_size, return_indices, None, nan, index_base)

    def global_max_pool(input, return_indices=False, *, nan=None, index_base=None):
        return globals()[f"adaptive_max_pool{rank}d"](input, 1, return_indices, nan=nan, index_base=index_base)

    return adaptive_max_pool, global_max_pool


def unpooling(rank):
    def max_unpool(input, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None, preset=None):
        o = (kernel_size, stride, padding, dilation, None if output_size is None else tuple(output_size), index_base, preset)
        run = lambda x, i: _core.max_unpool(rank, x, i, None, o)
        gather = lambda g, i: _core.max_unpool_backward(rank, g, i, None, o)
        add_up = lambda gg, i: _core.max_unpool_double_backward(rank, gg, i, None, o)
        return Linear.apply(input, indices, run, gather, add_up) if follows(input) else run(input, indices)

    return (max_unpool,)


def fractions(rank):
    def fractional_max_pool(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *,
                            seed=None, nan=None, index_base=None):
        samples = _random_samples
        if samples is None and seed is None:  # drawn as PyTorch draws them, so that torch.manual_seed gives the same windows
            batch = input.size(0) if input.dim() == rank + 2 else 1
            samples = torch.rand(batch, input.size(-rank - 1), rank, dtype=input.dtype, device=input.device)

        def passes(base):
            shape, o = input.shape, (kernel_size, output_size, output_ratio, seed, nan, base)
            return (lambda x: _core.fractional_max_pool(rank, x, samples, True, None, o),
                    lambda g, i: _core.fractional_max_pool_backward(rank, g, i, shape, samples, None, o),
                    lambda gg, i: _core.fractional_max_pool_double_backward(rank, gg, i, samples, None, o))

        if follows(input):
            return winners(input, return_indices, index_base, passes)
        return _core.fractional_max_pool(rank, input, samples, return_indices, None,
                                         (kernel_size, output_size, output_ratio, seed, nan, index_base))

    return (fractional_max_pool,)


def document(function):
    """The words of the function of the same name for arrays; only the gradient is new."""
    text = inspect.getdoc(getattr(tidepool, function.__name__)).partition(">>>")[0].rstrip()
    function.__doc__ = text + "\n\nDifferentiable, twice."
    function.__module__ = "tidepool.torch"


for rank in (1, 2, 3):
    functions = [extremum(rank, "max"), extremum(rank, "min"), *averages(rank), *norms(rank), *bins(rank), *unpooling(rank)]
    if rank > 1:
        functions += fractions(rank)
    publish(globals(), rank, *functions)
    for function in functions:
        document(function)
