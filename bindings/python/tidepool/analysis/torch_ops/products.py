"""Matrix products: with weights, and of two values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ..torch_network import Call, Value


def linear(call: Call) -> Value:
    x, weight, bias = call["input"], call["weight"], call["bias"]
    if weight.is_constant and (bias is None or bias.is_constant):
        return call.add("linear", [x], {"out_features": weight.shape[0], "bias": bias is not None}, weights=[weight, bias])
    turned = call.add("transpose", [weight], {"order": [1, 0]}, part="transpose")
    y = product(call, x, turned, "product" if bias is not None else "")
    return y if bias is None else call.add("merge", [y, bias], {"kind": "add", "function": "add"})


def product(call: Call, a: Value, b: Value, part: str = "", bias: Optional[Value] = None) -> Value:
    """a @ b. With a constant matrix on the right, a linear layer."""
    if b.is_constant and len(b.shape) == 2 and (bias is None or (bias.is_constant and bias.shape == b.shape[-1:])):
        options = {"out_features": b.shape[1], "bias": bias is not None}
        return call.add("linear", [a], options, part=part, function="linear", weights=[b, bias])
    if len(a.shape) == 1:
        row = call.add("reshape", [a], {"shape": (1, *a.shape)}, part="row")
        y = product(call, row, b, "product")
        return call.add("reshape", [y], {"shape": (*y.shape[:-2], *y.shape[-1:])}, part=part)
    if len(b.shape) == 1:
        column = call.add("reshape", [b], {"shape": (*b.shape, 1)}, part="column")
        y = product(call, a, column, "product")
        return call.add("reshape", [y], {"shape": y.shape[:-1]}, part=part)
    if bias is None:
        return call.add("matmul", [a, b], part=part, function="matmul")
    y = call.add("matmul", [a, b], part="product", function="matmul")
    return call.add("merge", [y, bias], {"kind": "add", "function": "add"}, part=part)


def matmul(call: Call) -> Value:
    a, b = list(call.arguments.values())[:2]
    return product(call, a, b)


def addmm(call: Call) -> Optional[Value]:
    if call["beta"] != 1 or call["alpha"] != 1:
        return None
    a, b = list(call.arguments.values())[1:3]
    return product(call, a, b, bias=call["self"])


def attention(call: Call) -> Optional[Value]:
    """softmax(q kᵀ) v. With a causal mask some cells matter less than the layers say, so that is left unknown."""
    q, k, v, mask = call["query"], call["key"], call["value"], call["attn_mask"]
    if call["is_causal"] or call["enable_gqa"]:
        return None
    order = [*range(len(k.shape) - 2), len(k.shape) - 1, len(k.shape) - 2]
    scores = call.add("matmul", [q, call.add("transpose", [k], {"order": order}, part="transpose")], part="scores", function="attention")
    if mask is not None and (mask.shape != () or not mask.is_constant):
        scores = call.add("merge", [scores, mask], {"kind": "add", "function": "add"}, part="mask", function="attention")
    weights = call.add("softmax", [scores], {"dim": len(scores.shape) - 1}, part="softmax", function="attention")
    return call.add("matmul", [weights, v], function="attention")


CONVERTERS: dict[str, Callable[[Call], Any]] = {
    "linear": linear, "matmul": matmul, "mm": matmul, "bmm": matmul, "mv": matmul, "dot": matmul, "addmm": addmm, "baddbmm": addmm,
    "scaled_dot_product_attention": attention,
}
