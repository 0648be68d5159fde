"""A module's forward pass as a graph of PyTorch's operators, with the shape of every value. Nothing is computed and nothing is changed."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensorMode
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx

from .. import _core

# Composite operators that are replaced by the operators they are made of. Others are converted as they are, so that layers look as in the
# module's source.
DECOMPOSED = {"bilinear", "column_stack", "dstack", "einsum", "hstack", "inner", "kron", "outer", "tensordot", "vstack"}


@dataclass
class Traced:
    graph: torch.fx.GraphModule
    inputs: dict[str, str]  # placeholders of the module's inputs, and their names
    parameters: dict[str, str]  # placeholders of parameters, and their names in the module
    outputs: list[torch.fx.Node]


def trace(module: torch.nn.Module, shapes: list[tuple[int, ...]]) -> Traced:
    """The graph of module(*inputs) in evaluation. Functional: no operator writes to its input where another could see that."""
    for name, parameter in module.named_parameters():
        if isinstance(parameter, torch.nn.parameter.UninitializedParameter):
            raise _core.Error(f"analyze: the parameter '{name}' of a lazy module has no shape yet: call the module once before")
    with FakeTensorMode(allow_non_fake_inputs=True) as fake:
        inputs = [torch.empty(shape, dtype=dtype_of(module), device=device_of(module)) for shape in shapes]
    with evaluating(module):
        try:
            with quiet():
                return exported(module, tuple(inputs))
        except Exception as refusal:  # torch.export refuses more than what cannot be traced: attributes that forward() sets, its own classes
            try:
                return recorded(module, tuple(inputs), fake)
            except Exception as error:
                raise _core.Error(f"analyze: PyTorch cannot trace {type(module).__name__}: {reason(error)}") from refusal


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without torch.export's advice on how to rewrite a module that it refuses."""
    loggers = [logging.getLogger(name) for name in ("torch.export", "torch.fx.experimental.symbolic_shapes")]
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
    if isinstance(error, (DataDependentOutputException, DynamicOutputShapeException)):
        return f"the values of a tensor decide what runs or how large a result is ({error.func})"
    return (str(error).strip() or type(error).__name__).splitlines()[0]


@contextlib.contextmanager
def evaluating(module: torch.nn.Module) -> Iterator[None]:
    """The module in evaluation, with torch's own operators. Afterwards every attribute is as before, also those that forward() sets."""
    before: list[Any] = [(m, dict(vars(m)), [(values, dict(values)) for values in (m._parameters, m._buffers, m._modules)]) for m in module.modules()]
    fast_path = torch.backends.mha.get_fastpath_enabled()
    try:
        torch.backends.mha.set_fastpath_enabled(False)  # one operator for a whole encoder layer
        for m, _, _ in before:
            m.training = False
            if type(m).__module__ == "tidepool.torch.modules":  # computes with arrays; its base class is the same layer in PyTorch
                base: Any = type(m).__bases__[0]
                vars(m)["forward"] = functools.partial(base.forward, m)
        with torch.enable_grad():
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast_path)
        for m, attributes, dicts in before:
            vars(m).clear()
            vars(m).update(attributes)
            for values, contents in dicts:
                values.clear()
                values.update(contents)


def exported(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> Traced:
    program = torch.export.export(module, inputs, strict=False)
    if unknown := decomposable(program.graph_module):
        table = torch.export.default_decompositions()
        program = program.run_decompositions({op: table[op] for op in unknown if op in table})
    if writes_to_shared_memory(program.graph_module):
        program = program.run_decompositions({})
    signature = program.graph_signature
    outputs = set(signature.user_outputs)
    (returned,) = output_node(program.graph_module).args
    return Traced(program.graph_module, {name: name for name in signature.user_inputs if isinstance(name, str)}, dict(signature.inputs_to_parameters),
                  [node for node in returned if isinstance(node, torch.fx.Node) and node.name in outputs])


def recorded(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...], fake: FakeTensorMode) -> Traced:
    """For modules that torch.export refuses: records the operators while forward() runs."""
    state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    with fake:
        values = [fake.from_tensor(value) for value in state.values()]

    def run(*arguments: torch.Tensor) -> list[torch.Tensor]:
        replaced = dict(zip(state, arguments))
        return tensors_in(torch.func.functional_call(module, replaced, arguments[len(state):]))

    def record(function: Any, decompositions: Any = None, pre_dispatch: bool = True) -> torch.fx.GraphModule:
        with naming(module):
            return make_fx(function, decompositions, pre_dispatch=pre_dispatch, _allow_non_fake_inputs=True)(*values, *inputs)

    graph = record(run)
    if unknown := decomposable(graph):
        table = torch.export.default_decompositions()
        graph = record(run, {op: table[op] for op in unknown if op in table})
    if writes_to_shared_memory(graph):
        graph = record(torch.func.functionalize(run), pre_dispatch=False)  # which takes composite operators apart, too
    names = [node.name for node in graph.graph.nodes if node.op == "placeholder"]
    parameters = {name for name, _ in module.named_parameters()}
    (returned,) = output_node(graph).args
    arguments = [*inspect.signature(module.forward).parameters, *(f"input{i}" for i in range(len(inputs)))]
    return Traced(graph, dict(zip(names[len(state):], arguments)), {place: name for place, name in zip(names, state) if name in parameters},
                  [node for node in returned if isinstance(node, torch.fx.Node)])


def tensors_in(value: Any, depth: int = 0) -> list[torch.Tensor]:
    """The tensors in what forward() returned: tensors, lists, dicts, objects."""
    if isinstance(value, torch.Tensor):
        return [value]
    if depth > 16 or value is None or isinstance(value, (str, bytes, int, float, torch.nn.Module)):
        return []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else getattr(value, "__dict__", {}).values()
    return [tensor for part in parts for tensor in tensors_in(part, depth + 1)]


@contextlib.contextmanager
def naming(module: torch.nn.Module) -> Iterator[None]:
    """Notes in each recorded node which module it comes from, as torch.export does."""
    stack: list[tuple[str, tuple[str, str]]] = []
    calls: dict[str, int] = {}
    last: list[torch.fx.Node] = []

    def note() -> None:
        mode = get_proxy_mode()
        if mode is None:
            return
        graph = mode.tracer.graph
        node = last[0].next if last else next(iter(graph.nodes), None)
        while node is not None and node.op != "root":
            node.meta.setdefault("nn_module_stack", dict(stack))
            last[:] = [node]
            node = node.next

    def enter(path: str, kind: str) -> None:
        note()
        calls[path] = calls.get(path, 0) + 1
        stack.append((f"{path}@{calls[path]}", (path, kind)))

    def leave() -> None:
        note()
        stack.pop()

    hooks = []
    try:
        for path, m in module.named_modules():
            kind = f"{type(m).__module__}.{type(m).__qualname__}"
            hooks.append(m.register_forward_pre_hook(lambda *_, path=path, kind=kind: enter(path, kind), prepend=True))
            hooks.append(m.register_forward_hook(lambda *_: leave()))
        yield
    finally:
        for hook in hooks:
            hook.remove()


def output_node(graph: torch.fx.GraphModule) -> Any:
    return next(node for node in reversed(graph.graph.nodes) if node.op == "output")


def operators(graph: torch.fx.GraphModule) -> Iterator[Any]:
    """The calls of operators, those in the bodies of torch.no_grad() and the like included."""
    for part in graph.modules():
        if isinstance(part, torch.fx.GraphModule):
            yield from (node for node in part.graph.nodes if isinstance(node.target, torch._ops.OpOverload))


def base_name(op: Any) -> str:
    """ "relu" for aten::relu_ and aten::relu.out; with the name of the library if that is not PyTorch's."""
    library, _, name = op._schema.name.partition("::")
    name = name[:-1] if name.endswith("_") and not name.endswith("__") else name
    return name if library == "aten" else f"{library}::{name}"


def decomposable(graph: torch.fx.GraphModule) -> set[Any]:
    return {node.target for node in operators(graph) if base_name(node.target) in DECOMPOSED}


def writes_to_shared_memory(graph: torch.fx.GraphModule) -> bool:
    """Whether an operator writes to memory that another value shows too, and that value is read afterwards. relu_(x) alone is no reason."""
    owner: dict[torch.fx.Node, torch.fx.Node] = {}  # the value whose memory a view shows
    views: dict[torch.fx.Node, list[torch.fx.Node]] = {}  # all values that show the memory of one
    order: dict[torch.fx.Node, int] = {}
    for part in graph.modules():
        order.update((node, i) for i, node in enumerate(part.graph.nodes if isinstance(part, torch.fx.GraphModule) else ()))
    for node in operators(graph):
        for argument, value in zip(node.target._schema.arguments, node.args):
            alias = argument.alias_info
            if not isinstance(value, torch.fx.Node) or (alias is None and "dropout" not in node.target._schema.name):
                continue
            first = owner.get(value, value)
            same = views.setdefault(first, [first])
            if alias is not None and alias.is_write:
                if first.op == "placeholder" and node.graph is not graph.graph:
                    return True  # memory of the graph around
                if any(order[user] > order[node] for other in same if other is not value for user in other.users):
                    return True
            owner[node] = first
            same.append(node)
    return False
