"""Tensors during the conversion of a module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional, Union

NO_PARAMETERS: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Value:
    """A tensor: the output of a node of the network, or a value that does not depend on the inputs."""

    shape: tuple[int, ...]
    node: Optional[int] = None  # None: no dependence on an input
    parameters: frozenset[str] = NO_PARAMETERS  # that a constant was computed from
    name: str = ""  # of a constant that is a parameter
    windows: Optional[dict[str, Any]] = None  # of the pooling whose indices these are
    pooled: tuple[int, ...] = ()  # the shape of that pooling's input

    @property
    def is_constant(self) -> bool:
        return self.node is None


Parts = list[Union[Value, Callable[[], Value], None]]  # several results; the layer of a result is added when it is first used
Result = Union[Value, Parts]


def tensors(tree: Any) -> list[Value]:
    if isinstance(tree, Value):
        return [tree]
    return [v for part in tree for v in tensors(part)] if isinstance(tree, (list, tuple)) else []
