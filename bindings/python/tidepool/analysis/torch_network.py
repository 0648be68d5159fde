"""A PyTorch module as a network of tidepool's layers."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Optional

import torch
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from .. import _core
from .torch_call import Call
from .torch_graph import trace, untraceable
from .torch_nodes import base_name, bound, expected_shape, is_operator, module_call, module_path, output_node, shape_of, written_by
from .torch_ops import CONVERTERS
from .torch_ops.elementwise import SAME_CELLS
from .torch_traced import Traced
from .torch_values import Result, Value, tensors


TRACING = threading.RLock()  # PyTorch traces one module at a time; a module is in evaluation meanwhile
REGIONS = {"tag_activation_checkpoint", "wrap", "wrap_with_autocast", "wrap_with_set_grad_enabled"}


def network_of(module: torch.nn.Module, shapes: list[tuple[int, ...]]) -> _core.Network:
    module = getattr(module, "_orig_mod", module)  # of torch.compile
    with TRACING:
        try:
            conversion = Conversion(module, trace(module, shapes))
            conversion.run()
        except GuardOnDataDependentSymNode as error:  # x[x > 0], which torch.export accepts
            raise untraceable(module, error) from None
    return conversion.network


class Conversion:
    """Walks the graph. Converters of operators get it to add layers."""

    def __init__(self, module: torch.nn.Module, traced: Traced) -> None:
        self.network = _core.Network()
        self.traced = traced
        first: dict[int, str] = {}  # tied parameters have one name
        self.sizes: dict[str, int] = {}
        self.tied: dict[str, str] = {}
        for name, parameter in module.named_parameters(remove_duplicate=False):
            self.tied[name] = first.setdefault(id(parameter), name)
            self.sizes[name] = parameter.numel()
        self.childless = {name for name, m in module.named_modules() if next(m.children(), None) is None}
        self.lp = {name for name, m in module.named_modules() if isinstance(m, (torch.nn.LPPool1d, torch.nn.LPPool2d, torch.nn.LPPool3d))}
        self.calls = Counter(module_call(node) for node in layers_of(traced))
        self.counted: set[str] = set()
        self.sets: set[frozenset[str]] = set()
        self.constants: dict[int, tuple[Value, int]] = {}
        self.at: torch.fx.Node

    def run(self) -> None:
        graph = self.traced.graph
        values = []
        for node in graph.graph.nodes:
            if node.op == "placeholder":
                values.append(self.placeholder(node))
        results = self.walk(graph, values)
        for output in self.traced.outputs:
            value = results[output]
            if isinstance(value, Value):
                self.network.output(self.operand(value))

    def placeholder(self, node: torch.fx.Node) -> Any:
        fake = node.meta.get("val")
        if not isinstance(fake, torch.Tensor):
            return None
        if node.name in self.traced.inputs:
            return Value(shape_of(fake), self.network.input(self.traced.inputs[node.name], shape_of(fake)))
        name = self.traced.parameters.get(node.name)
        return Value(shape_of(fake)) if name is None else Value(shape_of(fake), None, frozenset({self.tied[name]}), name)

    def walk(self, graph: torch.fx.GraphModule, arguments: Sequence[Any]) -> dict[torch.fx.Node, Any]:
        values: dict[torch.fx.Node, Any] = {}
        rest = iter(arguments)
        look_up = lambda tree: torch.fx.map_arg(tree, lambda n: values.get(n))
        for node in graph.graph.nodes:
            if node.op == "placeholder":
                values[node] = next(rest, None)
            elif node.op == "get_attr":
                values[node] = attribute(graph, node.target)
            elif node.op == "call_function":
                outer, self.at = getattr(self, "at", node), node
                values[node] = self.call(node, look_up(list(node.args)), look_up(dict(node.kwargs)))
                for written in written_by(node):
                    values[written] = values[node]
                self.at = outer
        return values

    def call(self, node: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if node.target is getattr or isinstance(node.target, str):
            return None
        if getattr(node.target, "__name__", "") == "getitem" and not is_operator(node):
            parts, index = args
            if isinstance(parts, Value):  # of an unknown operator
                return replace(parts, shape=expected_shape(node))
            return self.part(parts, index)
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            return self.region(node, args)
        if not is_operator(node):
            return None  # torch._C._set_grad_enabled and the like
        call = Call(self, node, bound(node.target._schema, args, kwargs))
        inputs = tensors(args) + tensors(list(kwargs.values()))
        if node.meta.get("val") is None:
            return None  # assertions
        if all(v.is_constant for v in inputs):
            return self.constant_result(call, inputs)
        if self.path in self.lp and not call.name.startswith("avg_pool"):
            return next(v for v in inputs if not v.is_constant)  # a power or a factor of Lp pooling, which is one layer
        converter = CONVERTERS.get(call.name)
        try:
            result = converter(call) if converter is not None else None
        except _core.Error:  # the layer exists, but not with these options
            result = None
        return self.checked(call, result, inputs)

    def part(self, parts: Any, index: Any) -> Any:
        if callable(parts[index]):
            parts[index] = parts[index]()
        return parts[index]

    def region(self, node: torch.fx.Node, args: list[Any]) -> Any:
        """The bodies of torch.no_grad(), torch.autocast() and checkpoints are graphs of their own."""
        bodies = [i for i, a in enumerate(args) if isinstance(a, torch.fx.GraphModule)]
        if len(bodies) == 1 and str(node.target) in REGIONS:
            body = args[bodies[0]]
            results = self.walk(body, args[bodies[0] + 1:])
            (returned,) = output_node(body).args
            return results.get(returned) if isinstance(returned, torch.fx.Node) else [results.get(n) for n in returned]
        return self.unknown(str(node.target), tensors(args))

    def constant_result(self, call: Call, inputs: list[Value]) -> Result:
        parameters = frozenset(p for v in inputs for p in v.parameters)
        fake = call.node.meta.get("val")
        name = inputs[0].name if len(inputs) == 1 else ""
        if isinstance(fake, torch.Tensor):
            return Value(shape_of(fake), None, parameters, name)
        return [Value(shape_of(f), None, parameters, name) if isinstance(f, torch.Tensor) else None for f in fake or ()]

    def checked(self, call: Call, result: Optional[Result], inputs: list[Value]) -> Result:
        """What the converter returned, if it has the shape that PyTorch says. What is not known is never treated as known."""
        if isinstance(result, Value) and result.node is not None:
            shape = self.network.shape(result.node)
            if shape is None or shape == call.shape:
                return result
        elif result is not None and not isinstance(result, Value):
            return result
        elif isinstance(result, Value) and result.shape == call.shape:
            return result
        return self.unknown(call.name, inputs)

    def unknown(self, name: str, inputs: list[Value]) -> Value:
        return self.add("unknown", [v for v in inputs if not v.is_constant], {"function": name}, self.name(name),
                        [v for v in inputs if v.is_constant])

    # ---- for converters -------------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        return module_path(self.at)

    def name(self, function: str, part: str = "") -> str:
        """The path of the module, with the name of the function behind it where the module does more than this; none for the root."""
        if not self.path:
            return ""
        alone = self.path in self.childless and (self.calls[module_call(self.at)] == 1 or self.path in self.lp)
        return ".".join(word for word in (self.path, "" if alone else function, part) if word)

    def add(self, kind: str, inputs: Sequence[Value], options: dict[str, Any], name: str, weights: Sequence[Any] = ()) -> Value:
        """Appends a layer. `weights` are the constants that it computes with."""
        parameters = frozenset(p for w in weights if isinstance(w, Value) for p in w.parameters)
        count, key = self.count(parameters)
        node = self.network.add(kind, [self.operand(v) for v in inputs], options, name, key)
        self.network.set_parameters(node, count)
        shape = self.network.shape(node)
        return Value(expected_shape(self.at) if shape is None else shape, node)  # behind an unknown layer, what PyTorch says

    def operand(self, value: Value) -> int:
        """The node of a value; constants get one when they are first read."""
        if value.node is not None:
            return value.node
        if id(value) not in self.constants:
            count, key = self.count(value.parameters)
            self.constants[id(value)] = value, self.network.constant(value.shape or (1,), count, value.name, key)
        return self.constants[id(value)][1]

    def count(self, parameters: frozenset[str]) -> tuple[int, str]:
        """How many trained values these are, and a text that is the same for layers that share all of them."""
        again = parameters in self.sets
        names = parameters if again else parameters - self.counted
        self.counted |= parameters
        self.sets.add(parameters)
        return sum(self.sizes[name] for name in names), "+".join(sorted(parameters)) if names == parameters else ""


def layers_of(traced: Traced) -> list[torch.fx.Node]:
    """The operators that become layers: those of values that depend on an input."""
    found: list[torch.fx.Node] = []
    placeholders = [node for node in traced.graph.graph.nodes if node.op == "placeholder"]
    collect_layers(traced.graph, [node.name in traced.inputs for node in placeholders], found)
    return found


def collect_layers(graph: torch.fx.GraphModule, arguments: Sequence[bool], found: list[torch.fx.Node]) -> None:
    """`arguments`: which arguments of the graph depend on an input."""
    dependent: set[torch.fx.Node] = set()
    rest = iter(arguments)
    for node in graph.graph.nodes:
        if next(rest, False) if node.op == "placeholder" else any(argument in dependent for argument in node.all_input_nodes):
            dependent.add(node)
            if is_operator(node) and base_name(node.target) not in SAME_CELLS:
                found.append(node)
        for i, body in enumerate(node.args if str(node.target) in REGIONS else ()):
            if isinstance(body, torch.fx.Node) and body.op == "get_attr":
                value = getattr(graph, str(body.target), None)
                if isinstance(value, torch.fx.GraphModule):
                    collect_layers(value, [argument in dependent for argument in node.args[i + 1:]], found)


def attribute(graph: torch.nn.Module, path: Any) -> Any:
    value: Any = graph
    for name in str(path).split("."):
        value = getattr(value, name)
    return Value(shape_of(value)) if isinstance(value, torch.Tensor) else value
