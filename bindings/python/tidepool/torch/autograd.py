"""The autograd functions behind tidepool.torch. Everything but Lp is linear once its indices are known."""

import torch

from .. import _core


class Linear(torch.autograd.Function):
    """run(x, indices), whose gradient is transpose(grad, indices), whose gradient again is `back`."""

    @staticmethod
    def forward(ctx, x, indices, run, transpose, back):
        ctx.save_for_backward(indices)
        ctx.passes = transpose, back, transpose
        return run(x, indices)

    @staticmethod
    def backward(ctx, grad):
        (indices,) = ctx.saved_tensors
        return Linear.apply(grad, indices, *ctx.passes), None, None, None, None


class Winners(torch.autograd.Function):
    """run(x) gives values and indices, which are all that is kept. With `show` both are returned."""

    @staticmethod
    def forward(ctx, x, run, scatter, gather, show):
        values, indices = run(x)
        ctx.save_for_backward(indices)
        ctx.passes = scatter, gather, scatter
        if not show:
            return values
        ctx.mark_non_differentiable(indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad, *_):
        (indices,) = ctx.saved_tensors
        return Linear.apply(grad, indices, *ctx.passes), None, None, None, None


class Lp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, rank, prefix, options):
        ctx.save_for_backward(x)
        ctx.how = rank, prefix, options
        return getattr(_core, prefix)(rank, x, None, options)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return LpBackward.apply(grad, x, *ctx.how), None, None, None


class LpBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad, x, rank, prefix, options):
        ctx.save_for_backward(grad, x)
        ctx.how = rank, prefix, options
        return getattr(_core, prefix + "_backward")(rank, grad, x, None, options)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gg):
        grad, x = ctx.saved_tensors
        rank, prefix, options = ctx.how
        of_grad = getattr(_core, prefix + "_double_backward")(rank, gg, x, None, options)
        of_input = getattr(_core, prefix + "_double_backward_input")(rank, gg, grad, x, None, options)
        return of_grad, of_input, None, None, None


def follows(x):
    """Whether a gradient will be asked for."""
    return x.requires_grad and torch.is_grad_enabled()
