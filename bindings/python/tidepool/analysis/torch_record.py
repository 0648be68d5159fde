"""The operators that a module calls, recorded while forward() runs: for modules that torch.export refuses."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx

from .torch_nodes import output_node, writes_to_shared_memory
from .torch_traced import Traced, decompositions


def recorded(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...], fake: FakeTensorMode) -> Traced:
    """For modules that torch.export refuses: records the operators while forward() runs."""
    state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    with fake:
        values = [fake.from_tensor(value.detach()) for value in state.values()]  # which forward() may write to

    def run(*arguments: torch.Tensor) -> list[torch.Tensor]:
        tensors = dict(zip(state, arguments))
        return tensors_in(torch.func.functional_call(module, tensors, arguments[len(state):]))

    def record(function: Any, replaced: Any = None, pre_dispatch: bool = True) -> torch.fx.GraphModule:
        with naming(module):
            return make_fx(function, replaced, pre_dispatch=pre_dispatch, _allow_non_fake_inputs=True)(*values, *inputs)

    graph = record(run)
    if replaced := decompositions(graph):
        graph = record(run, replaced)
    if writes_to_shared_memory(graph):
        graph = record(torch.func.functionalize(run), pre_dispatch=False)  # which takes composite operators apart, too
    names = [node.name for node in graph.graph.nodes if node.op == "placeholder"]
    parameters = {name for name, _ in module.named_parameters()}
    (returned,) = output_node(graph).args
    arguments = [*inspect.signature(module.forward).parameters, *(f"input{i}" for i in range(len(inputs)))]
    placeholders = {place: name for place, name in zip(names, state) if name in parameters}
    return Traced(graph, dict(zip(names[len(state):], arguments)), placeholders,
                  [node for node in returned if isinstance(node, torch.fx.Node)])


def tensors_in(value: Any, depth: int = 0) -> list[torch.Tensor]:
    """The tensors in what forward() returned: tensors, lists, dicts, objects."""
    if isinstance(value, torch.Tensor):
        return [value]
    if depth > 16 or value is None or isinstance(value, (str, bytes, int, float, torch.nn.Module)):
        return []
    parts = value if isinstance(value, (dict, list, tuple, set)) else getattr(value, "__dict__", {})
    return [tensor for part in (parts.values() if isinstance(parts, dict) else parts) for tensor in tensors_in(part, depth + 1)]


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
