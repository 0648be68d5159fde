"""Converters of PyTorch's operators, by the operator's name without overload: each adds layers and returns the result, or None if it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import elementwise, norms, products, reductions, resizing, shapes, windows

CONVERTERS: dict[str, Callable[[Any], Any]] = {
    **windows.CONVERTERS, **resizing.CONVERTERS, **elementwise.CONVERTERS, **norms.CONVERTERS, **products.CONVERTERS, **shapes.CONVERTERS,
    **reductions.CONVERTERS,
}
