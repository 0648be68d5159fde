"""Functions of whole dimensions: mean, sum, largest and smallest element, norms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..torch_network import Call

# PyTorch's names, and the names here where they differ.
REDUCTIONS = {name: name for name in """
    all amax amin any argmax argmin count_nonzero logsumexp max mean median min nanmean nansum norm prod std std_mean sum var var_mean
""".split()}
REDUCTIONS.update({"linalg_vector_norm": "norm", "frobenius_norm": "norm"})


def reduce(call: Call) -> Any:
    x = call.first
    if hasattr(call.get("other"), "is_constant"):  # max(a, b)
        return call.add("merge", [x, call["other"]], {"kind": "other", "function": call.name})
    named = call.get("dim")
    dims = [named] if isinstance(named, int) else list(named or range(len(x.shape)))
    options = {"function": REDUCTIONS[call.name], "dims": [d % max(1, len(x.shape)) for d in dims], "keepdim": bool(call.get("keepdim"))}
    y = call.add("reduce", [x], options, function=REDUCTIONS[call.name])
    return [y, y] if isinstance(call.node.meta.get("val"), (tuple, list)) else y  # values and indices, or two statistics


CONVERTERS: dict[str, Callable[[Call], Any]] = {name: reduce for name in REDUCTIONS}
