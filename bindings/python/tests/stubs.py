"""Writes __init__.pyi of tidepool and tidepool.torch: the signatures that they build at run time, for type checkers. A test keeps them true.

    ./dev python -B bindings/python/tests/stubs.py bindings/python/tidepool
"""

import inspect
import sys
from pathlib import Path

import tidepool

TYPE_NAMES = '''\
Size = SupportsIndex | Sequence[SupportsIndex]
OutputSize = SupportsIndex | Sequence[SupportsIndex | None]
Padding = SupportsIndex | Sequence[SupportsIndex | tuple[SupportsIndex, SupportsIndex]] | Literal["same", "same_upper", "same_lower", "valid"]
CeilMode = bool | Literal["floor", "ceil", "ceil_full"]
CountPad = bool | Literal["window_in_padded", "full_kernel", "valid_only"]
Nan = Literal["propagate", "ignore"]
IndexBase = Literal["plane", "tensor", "window"]
Preset = Literal["torch", "onnx", "tensorflow", "caffe"]
Rounding = Literal["truncate", "floor", "nearest_even"]
'''

HEAD = '''\
# Written by bindings/python/tests/stubs.py.
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

# NumPy arrays, torch tensors, anything with a buffer or with __dlpack__; results are of the input's kind.
Array = Any
''' + TYPE_NAMES + '''
__version__: str

class Error(ValueError): ...

def num_threads() -> int: ...
def set_num_threads(threads: int) -> None: ...
'''

TORCH_HEAD = '''\
# Written by bindings/python/tests/stubs.py.
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, SupportsIndex

from torch import Tensor as Array
from torch import nn

''' + TYPE_NAMES + '''
def enable() -> None: ...
def disable() -> None: ...
def is_enabled() -> bool: ...
def enabled(on: bool = True) -> AbstractContextManager[None]: ...
'''

TYPES = {
    "input": "Array", "grad": "Array", "gg": "Array", "indices": "Array", "input_shape": "Sequence[SupportsIndex]", "kernel_size": "Size",
    "stride": "Size | None", "padding": "Padding", "dilation": "Size", "ceil_mode": "CeilMode", "return_indices": "bool",
    "count_include_pad": "CountPad", "divisor_override": "int | None", "rounding": "Rounding | None", "norm_type": "float",
    "signed_power": "bool", "output_ratio": "float | Sequence[float] | None", "_random_samples": "Array | None", "seed": "int | None",
    "nan": "Nan | None", "index_base": "IndexBase | None", "preset": "Preset | None", "out": "Any",
}


def stub(module, name):
    parameters, star = [], False
    for p in inspect.signature(getattr(module, name)).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            parameters.append("*")
            star = True
        annotation = TYPES.get(p.name)
        if p.name == "output_size":
            annotation = "Sequence[SupportsIndex] | None" if "unpool" in name else "OutputSize" if p.default is p.empty else "Size | None"
        parameters.append(f"{p.name}: {annotation}" + ("" if p.default is p.empty else f" = {p.default!r}"))
    result = "Any" if any("return_indices" in p for p in parameters) else "Array"
    return f"def {name}({', '.join(parameters)}) -> {result}: ...\n"


def text():
    return HEAD + "".join(stub(tidepool, name) for name in sorted(tidepool.__all__) if "pool" in name)


def torch_text():
    import tidepool.torch

    functions = "".join(stub(tidepool.torch, name) for name in sorted(tidepool.torch.functional.__all__))
    return TORCH_HEAD + functions + "".join(f"class {name}(nn.{name}): ...\n" for name in tidepool.torch.modules.__all__)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "__init__.pyi").write_text(text(), encoding="utf-8")
    (folder / "torch" / "__init__.pyi").write_text(torch_text(), encoding="utf-8")
