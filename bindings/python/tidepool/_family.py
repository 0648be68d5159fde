"""What the modules of all ops share: one definition serves 1, 2 and 3 dimensions."""

import re
import sys

from . import _core


def plain(array):
    """The array itself, unless pooling it here would lose its gradient without a word."""
    if getattr(array, "requires_grad", False) and sys.modules["torch"].is_grad_enabled():
        raise _core.Error("this tensor requires grad: the functions of tidepool.torch are differentiable, these are not")
    return array


def opened(value, default, preset):
    """None, which leaves the choice to the preset, for an option that was not given while a preset was."""
    return None if preset is not None and value is default else value


def publish(module, rank, *functions, examples=None):
    """Puts functions into a module under their names with the number of dimensions: max_pool -> max_pool2d."""
    for function in functions:
        head, tail = re.fullmatch(r"(\w*pool)(\w*)", function.__name__).groups()
        name = f"{head}{rank}d{tail}"
        function.__doc__ = (function.__doc__ or "").replace("NAME", name).replace("RANK", str(rank))
        for key, value in (examples or {}).items():
            function.__doc__ = function.__doc__.replace(key, value[rank])
        function.__name__ = function.__qualname__ = name
        function.__module__ = "tidepool"
        module[name] = function
        module["__all__"].append(name)
