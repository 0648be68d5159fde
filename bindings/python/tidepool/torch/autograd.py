"""The autograd functions behind tidepool.torch. Every op except Lp pooling is linear once its indices are known."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from .. import _core


def needs_grad(x: Tensor) -> bool:
    """Whether autograd must record an operation on this tensor."""
    return x.requires_grad and torch.is_grad_enabled()


class LinearPool(torch.autograd.Function):
    """forward_pass(x, indices), where indices may be None.

    Its gradient is backward_pass(grad, indices), and the gradient of that is again a forward pass: `double_backward_pass`, which is
    forward_pass itself unless given.
    """

    @staticmethod
    def forward(ctx, x, indices, forward_pass, backward_pass, double_backward_pass=None):
        ctx.save_for_backward(indices)
        ctx.passes = backward_pass, double_backward_pass or forward_pass, backward_pass
        return forward_pass(x, indices)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        (indices,) = ctx.saved_tensors
        return LinearPool.apply(grad, indices, *ctx.passes), None, None, None, None


class ArgmaxPool(torch.autograd.Function):
    """forward_pass(x) computes values and indices. Only the indices are kept for the backward pass; with return_indices both are returned."""

    @staticmethod
    def forward(ctx, x, return_indices, forward_pass, backward_pass, double_backward_pass):
        values, indices = forward_pass(x)
        ctx.save_for_backward(indices)
        ctx.passes = backward_pass, double_backward_pass, backward_pass
        if not return_indices:
            return values
        ctx.mark_non_differentiable(indices)
        return values, indices

    @staticmethod
    def backward(ctx: Any, grad: Tensor, *_: Any) -> Any:
        (indices,) = ctx.saved_tensors
        return LinearPool.apply(grad, indices, *ctx.passes), None, None, None, None


class LpPool(torch.autograd.Function):
    """The op of the extension module that is called `name`: "lp_pool" or "global_lp_pool"."""

    @staticmethod
    def forward(ctx, x, rank, name, options):
        ctx.save_for_backward(x)
        ctx.arguments = rank, name, options
        return getattr(_core, name)(rank, x, None, options)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return LpPoolBackward.apply(grad, x, *ctx.arguments), None, None, None


class LpPoolBackward(torch.autograd.Function):
    """The backward pass of LpPool, which can be differentiated once."""

    @staticmethod
    def forward(ctx, grad, x, rank, name, options):
        ctx.save_for_backward(grad, x)
        ctx.arguments = rank, name, options
        return getattr(_core, name + "_backward")(rank, grad, x, None, options)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gg: Tensor) -> Any:
        grad, x = ctx.saved_tensors
        rank, name, options = ctx.arguments
        grad_of_grad = getattr(_core, name + "_double_backward")(rank, gg, x, None, options)
        grad_of_input = getattr(_core, name + "_double_backward_input")(rank, gg, grad, x, None, options)
        return grad_of_grad, grad_of_input, None, None, None
