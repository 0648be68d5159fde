"""Prints tidepool/__init__.pyi: the signatures that the package builds at run time, for type checkers. A test keeps it true."""

import inspect
import sys

import tidepool

HEAD = '''\
# Written by bindings/python/tests/stubs.py.
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

# NumPy arrays, torch tensors, anything with a buffer or with __dlpack__; results are of the input's kind.
Array = Any
Size = SupportsIndex | Sequence[SupportsIndex]
OutputSize = SupportsIndex | Sequence[SupportsIndex | None]
Padding = SupportsIndex | Sequence[SupportsIndex | tuple[SupportsIndex, SupportsIndex]] | Literal["same", "same_upper", "same_lower", "valid"]
CeilMode = bool | Literal["floor", "ceil", "ceil_full"]
CountPad = bool | Literal["window_in_padded", "full_kernel", "valid_only"]
Nan = Literal["propagate", "ignore"]
IndexBase = Literal["plane", "tensor", "window"]
Preset = Literal["torch", "onnx", "tensorflow", "caffe"]
Rounding = Literal["truncate", "floor", "nearest_even"]

__version__: str

class Error(ValueError): ...

def num_threads() -> int: ...
def set_num_threads(threads: int) -> None: ...
'''

TYPES = {
    "input": "Array", "grad": "Array", "gg": "Array", "indices": "Array", "input_shape": "Sequence[SupportsIndex]", "kernel_size": "Size",
    "stride": "Size | None", "padding": "Padding", "dilation": "Size", "ceil_mode": "CeilMode", "return_indices": "bool",
    "count_include_pad": "CountPad", "divisor_override": "int | None", "rounding": "Rounding | None", "norm_type": "float",
    "signed_power": "bool", "output_ratio": "float | Sequence[float] | None", "_random_samples": "Array | None", "seed": "int | None",
    "nan": "Nan | None", "index_base": "IndexBase | None", "preset": "Preset | None", "out": "Any",
}


def stub(name):
    parameters, star = [], False
    for p in inspect.signature(getattr(tidepool, name)).parameters.values():
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
    return HEAD + "".join(stub(name) for name in sorted(tidepool.__all__) if "pool" in name)


if __name__ == "__main__":
    sys.stdout.write(text())
