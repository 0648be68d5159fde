"""tidepool.analyze."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex, Union

from .. import _core
from .result import Analysis

Shape = Sequence[SupportsIndex]
Shapes = Union[Shape, Sequence[Shape]]


def analyze(model: object, shape: Shapes | None = None, *, sizes: Mapping[str, int] | None = None, element_size: int = 4,
            bytes_per_second: float = 10e9) -> Analysis:
    """Shapes, receptive fields, losses and costs of every layer of a network, exactly.

    Nothing is computed: a PyTorch module is traced with tensors that have no memory, as it is in evaluation, and is the same afterwards.
    An operation that is not known is named, and what depends on it is not analysed.

    Args:
        model: A torch.nn.Module; the path, the bytes or the onnx.ModelProto of an ONNX file; or text: "conv 3x3 32 p1, relu, max 2".
        shape: The shape of the input, (1, 3, 224, 224), or a list of shapes for several inputs. ONNX files may know it.
        sizes: For ONNX files, the sizes of symbolic dimensions by name: {"batch": 1}.
        element_size: Bytes of an element of the activations and parameters.
        bytes_per_second: The speed of the memory.

    Example:
        >>> import tidepool
        >>> net = tidepool.analyze("conv 3x3 32 p1, relu, max 2, conv 3x3 64 p1", (3, 64, 64))
        >>> net.layers[-1].shape, net.layers[-1].fields[0].size, net.parameters
        ((1, 64, 32, 32), 8, 19392)
    """
    network = read_model(model, None if shape is None else shapes_of(shape), dict(sizes or {}))
    return Analysis(_core.analyze(network, element_size, bytes_per_second))


def shapes_of(shape: Shapes) -> list[tuple[int, ...]]:
    """One shape per input."""
    wrong = TypeError(f"analyze: shape must be a tuple of ints, (1, 3, 224, 224), or a list of such tuples, got {described(shape)}")
    if isinstance(shape, (str, bytes, Mapping)) or not isinstance(shape, Iterable):
        raise wrong
    try:
        parts: list[Any] = list(shape)
        if any(isinstance(part, SupportsIndex) for part in parts):
            return [tuple(index(size) for size in parts)]
        return [tuple(index(size) for size in part) for part in parts]
    except TypeError:
        raise wrong from None


def described(shape: object) -> str:
    text = repr(shape)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(shape).__name__}"


def read_model(model: object, shapes: list[tuple[int, ...]] | None, sizes: dict[str, int]) -> _core.Network:
    torch = sys.modules.get("torch")  # whoever has a module has imported it
    if torch is not None and isinstance(model, torch.nn.Module):
        try:
            from .torch_network import network_of
        except (ImportError, AttributeError):
            raise _core.Error(f"analyze: modules need PyTorch 2.10 or newer, this is {torch.__version__}") from None
        return network_of(model, need(shapes, "a module"))
    if isinstance(model, str) and not model.lower().endswith(".onnx"):
        one = need(shapes, "a network in text form")
        if len(one) != 1:
            raise _core.Error(f"analyze: a network in text form has one input, got {len(one)} shapes")
        return _core.parse_network(one[0], model)
    if isinstance(model, (str, os.PathLike)):
        with open(model, "rb") as file:
            return _core.read_onnx(file.read(), sizes, shapes or [])
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _core.read_onnx(bytes(model), sizes, shapes or [])
    if type(model).__module__.startswith("onnx") and hasattr(model, "SerializeToString"):
        return _core.read_onnx(model.SerializeToString(), sizes, shapes or [])
    raise TypeError("analyze: model must be a torch.nn.Module, an ONNX file (path, bytes or ModelProto), or text; "
                    f"got {type(model).__module__}.{type(model).__qualname__}")


def need(shapes: list[tuple[int, ...]] | None, what: str) -> list[tuple[int, ...]]:
    if not shapes:
        raise _core.Error(f"analyze: {what} needs the shape of its input: analyze(model, (1, 3, 224, 224))")
    return shapes
