"""What tracing a module gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from .torch_nodes import base_name, operators

# Composite operators that are replaced by the operators they are made of. Others are converted as they are, so that layers look as in the
# module's source.
DECOMPOSED = {"bilinear", "column_stack", "dstack", "einsum", "hstack", "inner", "kron", "outer", "tensordot", "vstack"}


@dataclass
class Traced:
    graph: torch.fx.GraphModule
    inputs: dict[str, str]  # placeholders of the module's inputs, and their names
    parameters: dict[str, str]  # placeholders of parameters, and their names in the module
    outputs: list[torch.fx.Node]


def decompositions(graph: torch.fx.GraphModule) -> dict[Any, Any]:
    """How to replace those of DECOMPOSED that the graph has."""
    found = {node.target for node in operators(graph) if base_name(node.target) in DECOMPOSED}
    table: Any = torch.export.default_decompositions() if found else {}
    return {operator: table[operator] for operator in found if operator in table}
