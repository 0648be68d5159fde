"""Functions of the elements at the same place: of one tensor or of several."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..torch_values import Value

if TYPE_CHECKING:
    from ..torch_call import Call

# The backward pass of these reads the output; that of the others reads the input.
READ_OUTPUT = {"relu", "relu6", "leaky_relu", "sigmoid", "tanh", "hardsigmoid", "elu", "exp", "sqrt", "rsqrt", "reciprocal"}

UNARY = """
    abs acos acosh asin asinh atan atanh bitwise_not ceil celu clamp clamp_max clamp_min clip cos cosh deg2rad digamma elu erf erfc erfinv
    exp exp2 expm1 fix floor frac gelu hardshrink hardsigmoid hardswish hardtanh isfinite isinf isnan leaky_relu lgamma log log10 log1p
    log2 log_sigmoid logical_not logit mish nan_to_num neg negative prelu rad2deg reciprocal relu relu6 round rrelu rrelu_with_noise rsqrt
    selu sigmoid sign silu sin sinc sinh softplus softshrink sqrt square tan tanh tanhshrink threshold trunc xlog1py
""".split()

DROPOUT = "alpha_dropout dropout feature_alpha_dropout feature_dropout native_dropout".split()

ADD = "add rsub sub subtract".split()
MULTIPLY = "mul multiply".split()
OTHER = """
    addcdiv addcmul atan2 bitwise_and bitwise_or bitwise_xor copysign div divide eq floor_divide fmax fmin fmod ge greater greater_equal gt
    hypot le lerp less less_equal logaddexp logical_and logical_or logical_xor lt masked_fill maximum minimum ne nextafter not_equal pow
    remainder true_divide where xlogy
""".split()

SAME_CELLS = """
    _conj _to_copy _unsafe_view_as alias clone contiguous data detach lift lift_fresh lift_fresh_copy positive requires_grad resolve_conj
    resolve_neg to type_as
""".split()


def elementwise(call: Call, x: Value, function: str, kind: str = "activation", weights: Any = ()) -> Value:
    return call.add("elementwise", [x], {"kind": kind, "function": function, "saves_output": function in READ_OUTPUT}, function=function,
                    weights=weights)


def unary(call: Call) -> Any:
    others = [v for v in list(call.arguments.values())[1:] if isinstance(v, Value)]
    if any(not v.is_constant for v in others):
        return merge("other", call.name)(call)
    function = "relu6" if call.name == "hardtanh" and (call["min_val"], call["max_val"]) == (0, 6) else call.name
    y = elementwise(call, call.first, function, weights=others)
    return [y, y] if call.name == "log_sigmoid_forward" else y


def dropout(call: Call) -> Any:
    y = elementwise(call, call.first, "dropout", "dropout")
    return [y, y] if call.name == "native_dropout" else y


def merge(kind: str, function: str) -> Callable[[Call], Any]:
    def convert(call: Call) -> Any:
        values = [v for v in call.arguments.values() if isinstance(v, Value)]
        numbers = [v for v in values if v.is_constant and v.shape == ()]
        operands = [v for v in values if v not in numbers]
        if len(operands) == 1:
            return elementwise(call, operands[0], f"{function}_scalar" if kind != "other" else function, weights=numbers)
        return call.add("merge", operands, {"kind": kind, "function": function}, function=function, weights=numbers)

    return convert


def glu(call: Call) -> Value:
    x, dim = call["self"], call["dim"] % len(call["self"].shape)
    half = x.shape[dim] // 2
    a = call.add("slice", [x], {"dim": dim, "begin": 0, "end": half}, part="value")
    b = call.add("slice", [x], {"dim": dim, "begin": half, "end": 2 * half}, part="gate")
    gate = call.add("elementwise", [b], {"kind": "activation", "function": "sigmoid", "saves_output": True}, part="sigmoid")
    return call.add("merge", [a, gate], {"kind": "multiply", "function": "mul"})


def softmax(call: Call) -> Value:
    return call.add("softmax", [call["self"]], {"dim": call["dim"] % max(1, len(call["self"].shape))}, function="softmax")


def new_values(call: Call) -> Value:
    """Values that depend on the shape of the input alone."""
    return Value(call.shape)


NEW = """
    empty_like full_like new_empty new_empty_strided new_full new_ones new_zeros ones_like rand_like randint_like randn_like zero zeros_like
""".split()

CONVERTERS: dict[str, Callable[[Call], Any]] = {
    **{name: unary for name in UNARY}, **{name: dropout for name in DROPOUT},
    **{name: merge("add", "add" if name == "add" else "sub") for name in ADD},
    **{name: merge("multiply", "mul") for name in MULTIPLY}, **{name: merge("other", name) for name in OTHER},
    **{name: lambda call: call.first for name in SAME_CELLS}, **{name: new_values for name in NEW}, "glu": glu,
    **{name: softmax for name in ("softmax", "_softmax", "log_softmax", "_log_softmax")},
}
