"""Normalisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..torch_network import Call, Value


def batch_norm(call: Call) -> Any:
    weights = [call["weight"], call["bias"]]
    fixed = call["running_mean"] is not None and not call.get("training", False)
    if fixed:
        options = {"kind": "normalisation", "function": "bn", "parameters_per_channel": sum(w is not None for w in weights)}
        y = call.add("elementwise", [call["input"]], options, function="bn", weights=weights)
    else:  # without running statistics those of the batch count, in evaluation too
        y = call.add("statistics_norm", [call["input"]], {"function": "batch_norm"}, function="batch_norm", weights=weights)
    return y if call.name == "batch_norm" else [y, None, None]


def statistics(function: str) -> Callable[[Call], Any]:
    def convert(call: Call) -> Any:
        y = call.add("statistics_norm", [call["input"]], {"function": function}, function=function, weights=[call["weight"], call.get("bias")])
        return [y, None, None] if call.name.startswith("native") else y

    return convert


def instance_norm(call: Call) -> Value:
    if not call["use_input_stats"]:
        options = {"kind": "normalisation", "function": "bn"}
        return call.add("elementwise", [call["input"]], options, function="bn", weights=[call["weight"], call["bias"]])
    return call.add("statistics_norm", [call["input"]], {"function": "instance_norm"}, function="instance_norm", weights=[call["weight"], call["bias"]])


CONVERTERS: dict[str, Callable[[Call], Any]] = {
    **{name: batch_norm for name in ("batch_norm", "native_batch_norm", "cudnn_batch_norm", "_native_batch_norm_legit_no_training")},
    **{name: statistics("layer_norm") for name in ("layer_norm", "native_layer_norm")},
    **{name: statistics("group_norm") for name in ("group_norm", "native_group_norm")},
    "rms_norm": statistics("rms_norm"), "instance_norm": instance_norm,
}
