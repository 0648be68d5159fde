"""Checks that all functions make before they call the extension module."""

from __future__ import annotations

import sys

from . import _core


def reject_requires_grad(array: object) -> None:
    """Raises an Error for a torch tensor whose gradient would be lost, because the functions of this package do not record it."""
    if getattr(array, "requires_grad", False) and sys.modules["torch"].is_grad_enabled():
        raise _core.Error("this tensor requires grad: the functions of tidepool.torch are differentiable, these are not")
