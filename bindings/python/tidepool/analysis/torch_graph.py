"""A module's forward pass as a graph of PyTorch's operators, with the shape of every value. Nothing is computed and nothing is changed."""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import math
import warnings
from collections import deque
from collections.abc import Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from .. import _core
from .torch_nodes import output_node, writes_to_shared_memory
from .torch_record import recorded
from .torch_traced import Traced, decompositions


def trace(module: torch.nn.Module, shapes: list[tuple[int, ...]]) -> Traced:
    """The graph of module(*inputs) in evaluation. Functional: no operator writes to its input where another could see that."""
    for name, parameter in module.named_parameters():
        if isinstance(parameter, torch.nn.parameter.UninitializedParameter):
            raise _core.Error(f"analyze: the parameter '{name}' of a lazy module has no shape yet: call the module once before")
    for shape in shapes:
        if min(shape, default=1) < 0 or math.prod(shape) >= 2**56:
            raise _core.Error(f"analyze: PyTorch has no tensors of shape {shape}")
    with FakeTensorMode(allow_non_fake_inputs=True) as fake:
        inputs = [torch.empty(shape, dtype=dtype_of(module), device=device_of(module)) for shape in shapes]
    with evaluating(module), quiet():
        try:
            return exported(module, tuple(inputs))
        except Exception as refusal:  # also for reasons that do not matter here, such as attributes that forward() sets
            try:
                return recorded(module, tuple(inputs), fake)
            except Exception as error:
                raise untraceable(module, error) from refusal


def untraceable(module: torch.nn.Module, error: Exception) -> _core.Error:
    return _core.Error(f"analyze: PyTorch cannot trace {type(module).__name__}: {reason(error)}")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without PyTorch's advice on how to rewrite a module that it refuses, and without tracebacks of what becomes an Error."""
    names = ("torch.export", "torch.fx.experimental.symbolic_shapes", "torch._subclasses.fake_tensor")
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels):
            logger.setLevel(level)


def dtype_of(module: torch.nn.Module) -> torch.dtype:
    return next((p.dtype for p in module.parameters() if p.is_floating_point()), torch.get_default_dtype())


def device_of(module: torch.nn.Module) -> torch.device:
    return next((t.device for t in [*module.parameters(), *module.buffers()]), torch.device("cpu"))


def reason(error: Exception) -> str:
    decided = "the values of a tensor decide what runs or how large a result is"
    if isinstance(error, (DataDependentOutputException, DynamicOutputShapeException)):
        return f"{decided} ({error.func})"
    if isinstance(error, GuardOnDataDependentSymNode):
        return decided
    return (str(error).strip() or type(error).__name__).splitlines()[0]


@contextlib.contextmanager
def evaluating(module: torch.nn.Module) -> Iterator[None]:
    """The module in evaluation, with torch's own operators. Afterwards every attribute is as before, also those that forward() sets."""
    before = [(m, m.training, containers(vars(m))) for m in module.modules()]
    fast_path = torch.backends.mha.get_fastpath_enabled()
    try:
        torch.backends.mha.set_fastpath_enabled(False)  # one operator for a whole encoder layer
        for m, *_ in before:
            m.training = False
            if type(m).__module__ == "tidepool.torch.modules":  # computes with arrays; its base class is the same layer in PyTorch
                base: Any = type(m).__bases__[0]
                vars(m)["forward"] = functools.partial(base.forward, m)
        with torch.enable_grad():
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast_path)
        for m, training, contents in before:
            for container, values in contents:
                container.clear()
                (container.extend if isinstance(container, (list, deque)) else container.update)(values)
            m.training = training  # TorchScript keeps it elsewhere


def containers(attributes: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The attributes of a module, the lists, dicts, sets and deques in them, and copies of all that."""
    found: dict[int, tuple[Any, Any]] = {}
    waiting: list[Any] = [attributes]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (dict, list, tuple, set, deque)) and id(value) not in found:
            found[id(value)] = value, value if isinstance(value, tuple) else value.copy()
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return [(value, copied) for value, copied in found.values() if value is not copied]


def decomposed(program: torch.export.ExportedProgram, replaced: dict[Any, Any]) -> torch.export.ExportedProgram:
    if any(isinstance(constant, FakeTensor) for constant in program.constants.values()):  # of weight.data.clamp_()
        raise ValueError("PyTorch computes with constants here, and crashes for those without memory")
    return program.run_decompositions(replaced)


def exported(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> Traced:
    program = torch.export.export(module, inputs, strict=False)
    if replaced := decompositions(program.graph_module):
        program = decomposed(program, replaced)
    if writes_to_shared_memory(program.graph_module):
        program = decomposed(program, {})
    signature = program.graph_signature
    outputs = set(signature.user_outputs)
    (returned,) = output_node(program.graph_module).args
    names = {name: name for name in signature.user_inputs if isinstance(name, str)}
    return Traced(program.graph_module, names, dict(signature.inputs_to_parameters),
                  [node for node in returned if isinstance(node, torch.fx.Node) and node.name in outputs])
