"""Convolution and pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ..torch_network import Call, Value


def spread(value: Any, rank: int) -> list[int]:
    """One number per axis. An empty list, which PyTorch uses for an option that is not given, stays empty."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * rank if len(values) == 1 else values


def with_batch(call: Call, x: Value, rank: int, layer: Callable[[Value], Value]) -> Value:
    """layer(x), where x may lack the batch dimension."""
    if len(x.shape) == rank + 2:
        return layer(x)
    batched = call.add("reshape", [x], {"shape": (1, *x.shape)}, part="batch")
    y = layer(batched)
    return call.add("reshape", [y], {"shape": y.shape[1:]}, part="no_batch")


def same_padding(kernel: Sequence[int], dilation: Sequence[int]) -> list[tuple[int, int]]:
    """What PyTorch adds for padding="same": an odd cell comes last."""
    return [(d * (k - 1) // 2, d * (k - 1) - d * (k - 1) // 2) for k, d in zip(kernel, dilation)]


def conv(call: Call) -> Optional[Value]:
    x, weight, bias = call["input"], call["weight"], call["bias"]
    if x.is_constant or not weight.is_constant or (bias is not None and not bias.is_constant):
        return None  # weights that a layer computes
    rank = len(weight.shape) - 2
    kernel, dilation, groups = list(weight.shape[2:]), spread(call["dilation"], rank), call["groups"]
    options = {"kernel_size": kernel, "stride": spread(call["stride"], rank), "dilation": dilation, "groups": groups, "bias": bias is not None}
    transposed = call.name.startswith("conv_transpose") or call.get("transposed", False)
    padding = call["padding"]
    if isinstance(padding, str):
        options["padding"] = same_padding(kernel, dilation) if padding == "same" else 0
    else:
        options["padding"] = spread(padding, rank)
    options["out_channels"] = weight.shape[1] * groups if transposed else weight.shape[0]
    if transposed:
        options["output_padding"] = spread(call["output_padding"], rank)
    kind = "conv_transpose" if transposed else "conv"
    return with_batch(call, x, rank, lambda v: call.add(kind, [v], options, function=kind, weights=[weight, bias]))


def rank_of(call: Call) -> int:
    return int(next(c for c in call.name if c in "123"))


def window_options(call: Call, rank: int) -> dict[str, Any]:
    kernel = spread(call["kernel_size"], rank)
    return {"kernel_size": alike(kernel), "stride": alike(spread(call["stride"], rank) or kernel), "padding": spread(call["padding"], rank),
            "dilation": spread(call.get("dilation") or 1, rank), "ceil_mode": bool(call["ceil_mode"])}


def alike(sizes: list[int]) -> list[int]:
    """One number where all are the same: "max 2"."""
    return sizes[:1] if len(set(sizes)) == 1 else sizes


def max_pool(call: Call) -> Any:
    x, rank = call["self"], rank_of(call)
    windows = window_options(call, rank)
    y = with_batch(call, x, rank, lambda v: call.add("pool", [v], {"op": "max", **windows}, function="max_pool"))
    if "with_indices" not in call.name:
        return y
    return [y, replace(y, windows=windows, pooled=x.shape[-rank:])]  # the indices come from the same windows


def avg_pool(call: Call) -> Value:
    rank = rank_of(call)
    op = "lp" if call.is_lp else "avg"
    options = {"op": op, **window_options(call, rank)}
    return with_batch(call, call["self"], rank, lambda v: call.add("pool", [v], options, function=f"{op}_pool"))


def adaptive_pool(call: Call) -> Any:
    rank, op = rank_of(call), "max" if "max" in call.name else "avg"
    options = {"op": op, "output_size": alike(spread(call["output_size"], rank))}
    y = with_batch(call, call["self"], rank, lambda v: call.add("adaptive_pool", [v], options, function=f"adaptive_{op}_pool"))
    return y if op == "avg" else [y, y]


def fractional_max_pool(call: Call) -> Any:
    rank = rank_of(call)
    options = {"kernel_size": spread(call["kernel_size"], rank), "output_size": spread(call["output_size"], rank)}
    y = with_batch(call, call["self"], rank, lambda v: call.add("fractional_pool", [v], options, function="fractional_max_pool"))
    return [y, y]


def max_unpool(call: Call) -> Optional[Value]:
    """The operator knows no windows; they are those of the pooling that the indices come from."""
    x, indices, rank = call["self"], call["indices"], rank_of(call)
    size = tuple(call["output_size"])[-rank:]
    if x.is_constant or indices.windows is None or len(indices.pooled) != rank or size[1:] != indices.pooled[1:]:
        return None  # indices that mean other cells than those of the windows
    windows = {k: v for k, v in indices.windows.items() if k != "ceil_mode"}
    return with_batch(call, x, rank, lambda v: call.add("unpool", [v], {**windows, "output_size": list(size)}, function="max_unpool"))


CONVERTERS: dict[str, Callable[[Call], Any]] = {"convolution": conv}
for _rank in "123":
    CONVERTERS.update({
        f"conv{_rank}d": conv, f"conv_transpose{_rank}d": conv, f"max_pool{_rank}d": max_pool, f"max_pool{_rank}d_with_indices": max_pool,
        f"avg_pool{_rank}d": avg_pool, f"adaptive_avg_pool{_rank}d": adaptive_pool, f"_adaptive_avg_pool{_rank}d": adaptive_pool,
        f"adaptive_max_pool{_rank}d": adaptive_pool, f"fractional_max_pool{_rank}d": fractional_max_pool, f"max_unpool{_rank}d": max_unpool,
    })
