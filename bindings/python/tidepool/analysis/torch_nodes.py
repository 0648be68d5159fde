"""Nodes of PyTorch's graphs: which operator, of which module, with what result, written to which memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch


def output_node(graph: torch.fx.GraphModule) -> Any:
    return next(node for node in reversed(graph.graph.nodes) if node.op == "output")


def operators(graph: torch.fx.GraphModule) -> Iterator[Any]:
    """The calls of operators, those in the bodies of torch.no_grad() and the like included."""
    for part in graph.modules():
        if isinstance(part, torch.fx.GraphModule):
            yield from (node for node in part.graph.nodes if isinstance(node.target, torch._ops.OpOverload))


def is_operator(node: torch.fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload)


def base_name(op: Any) -> str:
    """ "relu" for aten::relu_ and aten::relu.out; with the name of the library if that is not PyTorch's."""
    library, _, name = op._schema.name.partition("::")
    name = name[:-1] if name.endswith("_") and not name.endswith("__") else name
    return name if library == "aten" else f"{library}::{name}"


def bound(schema: Any, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    values = {a.name: a.default_value if a.has_default_value() else None for a in schema.arguments}
    values.update(zip(values, args))
    values.update(kwargs)
    return values


def shape_of(tensor: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(size) for size in tensor.shape)


def expected_shape(node: torch.fx.Node) -> tuple[int, ...]:
    """The shape of an operator's result, or of the first of several; () for numbers."""
    fake = node.meta.get("val")
    first = fake[0] if isinstance(fake, (tuple, list)) and fake else fake
    return shape_of(first) if isinstance(first, torch.Tensor) else ()


def module_stack(node: torch.fx.Node) -> list[tuple[str, tuple[str, Any]]]:
    return list((node.meta.get("nn_module_stack") or {}).items())


def module_path(node: torch.fx.Node) -> str:
    stack = module_stack(node)
    return stack[-1][1][0] if stack else ""


def module_call(node: torch.fx.Node) -> str:
    stack = module_stack(node)
    return stack[-1][0] if stack else ""


def written_by(node: Any) -> list[torch.fx.Node]:
    """The arguments that an operator such as relu_ writes its result to."""
    if not is_operator(node):
        return []
    return [value for argument, value in zip(node.target._schema.arguments, node.args)
            if isinstance(value, torch.fx.Node) and argument.alias_info is not None and argument.alias_info.is_write]


def writes_to_shared_memory(graph: torch.fx.GraphModule) -> bool:
    """Whether an operator writes to memory that another value shows too, and that value is read afterwards. relu_(x) alone is no reason."""
    owner: dict[torch.fx.Node, torch.fx.Node] = {}  # the value whose memory a view shows
    views: dict[torch.fx.Node, list[torch.fx.Node]] = {}  # all values that show the memory of one
    order: dict[torch.fx.Node, int] = {}
    for part in graph.modules():
        order.update((node, i) for i, node in enumerate(part.graph.nodes if isinstance(part, torch.fx.GraphModule) else ()))
    for node in operators(graph):
        for argument, value in zip(node.target._schema.arguments, node.args):
            alias = argument.alias_info
            if not isinstance(value, torch.fx.Node) or (alias is None and "dropout" not in node.target._schema.name):
                continue
            first = owner.get(value, value)
            same = views.setdefault(first, [first])
            if alias is not None and alias.is_write:
                if first.op == "placeholder" and node.graph is not graph.graph:
                    return True  # memory of the graph around
                if any(order[user] > order[node] for other in same if other is not value for user in other.users):
                    return True
            owner[node] = first
            same.append(node)
    return False
