"""What converters of operators get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from .torch_nodes import base_name, expected_shape
from .torch_values import Value

if TYPE_CHECKING:
    from .torch_network import Conversion


class Call:
    """One call of an operator: its arguments by the names of the schema."""

    def __init__(self, conversion: Conversion, node: Any, arguments: dict[str, Any]) -> None:
        self.conversion = conversion
        self.node = node
        self.name = base_name(node.target)
        self.arguments = arguments

    def __getitem__(self, name: str) -> Any:
        return self.arguments[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.arguments.get(name, default)

    @property
    def first(self) -> Any:
        """The first argument: most operators' input, whatever the schema calls it."""
        return next(iter(self.arguments.values()))

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the result, or of the first of several."""
        return expected_shape(self.node)

    @property
    def is_lp(self) -> bool:
        return self.conversion.path in self.conversion.lp

    def add(self, kind: str, inputs: Sequence[Value], options: Optional[dict[str, Any]] = None, *, part: str = "", function: str = "",
            weights: Sequence[Any] = ()) -> Value:
        """Appends a layer. `part` names layers that an operator consists of, all but the last."""
        name = self.conversion.name(function or self.name.lstrip("_"), part)
        return self.conversion.add(kind, inputs, options or {}, name, weights)
