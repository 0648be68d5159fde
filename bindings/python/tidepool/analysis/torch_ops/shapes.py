"""Layers that move, join, cut or repeat cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Optional

from ..torch_values import NO_PARAMETERS, Value
from .windows import spread

if TYPE_CHECKING:
    from ..torch_call import Call


def reshape(call: Call) -> Value:
    x = call.first
    if call.shape == x.shape:
        return x
    if call.name == "flatten":
        return call.add("flatten", [x], {"start_dim": call["start_dim"], "end_dim": call["end_dim"]})
    y = call.add("reshape", [x], {"shape": call.shape})
    if x.windows is not None and call.name == "unsqueeze" and call["dim"] in (-1, len(x.shape)):  # max_unpool1d uses two dimensions
        more = {"kernel_size": 1, "stride": 1, "padding": 0, "dilation": 1}
        rank = len(x.pooled)
        windows = {name: [*spread(value, rank), more[name]] if name in more else value for name, value in x.windows.items()}
        y = replace(y, windows=windows, pooled=(*x.pooled, 1))
    return y


def reordered(call: Call, x: Value, order: list[int], part: str = "") -> Value:
    return x if order == sorted(order) else call.add("transpose", [x], {"order": order}, part=part)


def transpose(call: Call) -> Value:
    x = call.first
    rank = len(x.shape)
    a, b = [d % max(1, rank) for d in list(call.arguments.values())[1:3]] if len(call.arguments) > 2 else (rank - 2, rank - 1)
    order = list(range(rank))
    if rank > 1:
        order[a], order[b] = b, a
    return reordered(call, x, order)


def permute(call: Call) -> Value:
    rank = len(call["self"].shape)
    return reordered(call, call["self"], [d % rank for d in call["dims"]])


def movedim(call: Call) -> Value:
    rank = len(call["self"].shape)
    listed = lambda dims: [d % rank for d in (dims if isinstance(dims, (list, tuple)) else [dims])]
    source, destination = listed(call["source"]), listed(call["destination"])
    places = dict(zip(destination, source))
    rest = iter(d for d in range(rank) if d not in source)
    return reordered(call, call["self"], [places[d] if d in places else next(rest) for d in range(rank)])


def cut(call: Call, x: Value, dim: int, begin: int, end: int, step: int = 1, part: str = "") -> Value:
    if (begin, end, step) == (0, x.shape[dim], 1):
        return x
    return call.add("slice", [x], {"dim": dim, "begin": begin, "end": end, "step": step}, part=part)


def slice_(call: Call) -> Value:
    x, dim = call["self"], call["dim"] % len(call["self"].shape)
    begin, end, step = slice(call["start"], call["end"], call["step"]).indices(x.shape[dim])
    return cut(call, x, dim, begin, end, step)


def narrow(call: Call) -> Optional[Value]:
    x, dim, start = call["self"], call["dim"] % len(call["self"].shape), call["start"]
    if not isinstance(start, int):
        return None
    return cut(call, x, dim, start % x.shape[dim], start % x.shape[dim] + call["length"])


def select(call: Call) -> Value:
    x, dim = call["self"], call["dim"] % len(call["self"].shape)
    return selected(call, x, dim, call["index"] % x.shape[dim])


def selected(call: Call, x: Value, dim: int, index: int) -> Value:
    one = cut(call, x, dim, index, index + 1, part="slice")
    return call.add("reshape", [one], {"shape": (*x.shape[:dim], *x.shape[dim + 1:])})


def split(call: Call) -> Any:
    """Pieces as large as PyTorch says, each added when it is used."""
    x, dim = call.first, call["dim"] % len(call.first.shape)
    pieces: list[Any] = []
    begin = 0
    for piece in call.node.meta["val"]:
        end = begin + int(piece.shape[dim])
        pieces.append(lambda begin=begin, end=end: cut(call, x, dim, begin, end))
        begin = end
    return pieces


def unbind(call: Call) -> Any:
    x, dim = call["self"], call["dim"] % len(call["self"].shape)
    return [lambda index=index: selected(call, x, dim, index) for index in range(x.shape[dim])]


def cat(call: Call) -> Value:
    values = [v for v in call["tensors"] if v.shape != (0,)]  # PyTorch ignores them
    return call.add("concat", values, {"dim": call["dim"] % len(values[0].shape)}, function="concat")


def stack(call: Call) -> Value:
    dim = call["dim"] % len(call.shape)
    rows = [call.add("reshape", [v], {"shape": (*v.shape[:dim], 1, *v.shape[dim:])}, part="row") for v in call["tensors"]]
    return call.add("concat", rows, {"dim": dim})


def slice_scatter(call: Call) -> Optional[Value]:
    """x with a part of it replaced: what x[:, :2].mul_(2) does to x."""
    x, source, dim = call["self"], call["src"], call["dim"] % len(call["self"].shape)
    begin, end, step = slice(call["start"], call["end"], call["step"]).indices(x.shape[dim])
    return None if step != 1 else replaced(call, x, source, dim, begin, end)


def select_scatter(call: Call) -> Value:
    x, dim = call["self"], call["dim"] % len(call["self"].shape)
    index = call["index"] % x.shape[dim]
    row = call.add("reshape", [call["src"]], {"shape": (*x.shape[:dim], 1, *x.shape[dim + 1:])}, part="row")
    return replaced(call, x, row, dim, index, index + 1)


def replaced(call: Call, x: Value, source: Value, dim: int, begin: int, end: int) -> Value:
    parts = [cut(call, x, dim, 0, begin, part="before")] if begin > 0 else []
    parts.append(source)
    if end < x.shape[dim]:
        parts.append(cut(call, x, dim, end, x.shape[dim], part="after"))
    return source if len(parts) == 1 else call.add("concat", parts, {"dim": dim})


def copy(call: Call) -> Value:
    """The source, in the shape of what it replaces."""
    return spread_to(call, call["src"])


def fill(call: Call) -> Value:
    """The value alone: nothing is left of what was there."""
    value = call["value"]
    if isinstance(value, Value) and not value.is_constant:
        return spread_to(call, value)
    return Value(call.shape, None, value.parameters if isinstance(value, Value) else NO_PARAMETERS)


def expand(call: Call) -> Value:
    return spread_to(call, call["self"])


def spread_to(call: Call, x: Value) -> Value:
    if call.shape == x.shape:
        return x
    return call.add("merge", [x, Value(call.shape)], {"kind": "other", "function": "expand"})


def repeat(call: Call) -> Value:
    x, shape = call["self"], call.shape
    if len(shape) > len(x.shape):
        x = call.add("reshape", [x], {"shape": (1,) * (len(shape) - len(x.shape)) + x.shape}, part="dims")
    for dim, size in enumerate(shape):
        if size != x.shape[dim]:
            x = call.add("concat", [x] * (size // x.shape[dim]), {"dim": dim})
    return x


def roll(call: Call) -> Optional[Value]:
    x = call["self"]
    if not call["dims"]:
        return None  # over the flattened tensor
    for shift, dim in zip(call["shifts"], call["dims"]):
        size = x.shape[dim % len(x.shape)]
        at = -shift % size
        if at:
            dim %= len(x.shape)
            x = call.add("concat", [cut(call, x, dim, at, size, part="slice"), cut(call, x, dim, 0, at, part="slice")], {"dim": dim})
    return x


MODES = {"constant": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular",
         "constant_pad_nd": "constant", "_pad_circular": "circular"}


def pad(call: Call) -> Optional[Value]:
    x = call["self"]
    mode = MODES.get(call.get("mode", "")) or MODES.get(call.name) or ("reflect" if "reflection" in call.name else "replicate")
    amounts = call.get("pad") or call.get("padding") or []
    pairs = [(amounts[i], amounts[i + 1]) for i in range(0, len(amounts), 2)]  # the last dimension comes first
    sides = [(0, 0)] * (len(x.shape) - len(pairs)) + pairs[::-1]
    return x if not any(map(any, sides)) else call.add("pad", [x], {"sides": sides, "mode": mode}, function="pad")


CONVERTERS: dict[str, Callable[[Call], Any]] = {
    **{name: reshape for name in "_reshape_alias _unsafe_view flatten ravel reshape reshape_as squeeze".split()},
    **{name: reshape for name in "unflatten unsqueeze view view_as".split()},
    **{name: transpose for name in "adjoint mH mT swapaxes swapdims t transpose".split()},
    **{name: split for name in "chunk split split_with_sizes tensor_split unsafe_chunk unsafe_split unsafe_split_with_sizes".split()},
    **{name: cat for name in ("cat", "concat", "concatenate")}, **{name: expand for name in ("broadcast_to", "expand", "expand_as")},
    **{name: pad for name in "_pad_circular constant_pad_nd pad".split()},
    **{f"{kind}_pad{rank}d": pad for kind in ("reflection", "replication") for rank in (1, 2, 3)},
    **{name: movedim for name in ("movedim", "moveaxis")}, **{name: repeat for name in ("repeat", "tile")},
    "permute": permute, "slice": slice_, "narrow": narrow, "select": select, "unbind": unbind, "stack": stack, "roll": roll,
    "slice_scatter": slice_scatter, "select_scatter": select_scatter, "copy": copy, "fill": fill,
}
