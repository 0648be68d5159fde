"""The result of an analysis."""

from __future__ import annotations

import html
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import index
from typing import Any, SupportsIndex, overload

from .. import _core
from .types import Dependence, Field, Finding, InputAxis, Layer, Loss, Misalignment, Number, Ranges
from .write_file import write_file


def exact(number: int | str) -> Number:
    return number if isinstance(number, int) else Fraction(number)


def ranges(pairs: Iterable[Sequence[int]]) -> Ranges:
    return tuple((pair[0], pair[1]) for pair in pairs)


def positions(cell: Sequence[SupportsIndex]) -> list[int]:
    try:
        return [index(position) for position in cell]
    except TypeError:
        raise TypeError(f"cell must be a tuple of ints, one for each dimension from the third on, got {cell!r}") from None


def cells_of(cell: Sequence[SupportsIndex | slice], shape: Sequence[int]) -> list[tuple[int, int]]:
    """Ranges of positions; `shape` is that of the layer."""
    try:
        parts = [part if isinstance(part, slice) else index(part) for part in cell]
    except TypeError:
        raise TypeError(f"cell must be a tuple of ints or slices, one for each dimension from the third on, got {cell!r}") from None
    found = []
    for dim, part in enumerate(parts, 2):
        if isinstance(part, slice):
            size = shape[dim] if dim < len(shape) else 0
            begin, end, step = part.indices(size)
            if step != 1 or begin >= end:
                raise _core.Error(f"field: a slice must have cells, and no others between them, got {part} of {size} positions")
            found.append((begin, end))
        else:
            found.append((part, part + 1))
    return found


class Analysis:
    """What tidepool.analyze found out about a network.

    Shows itself as a table in a terminal, and as a page in a notebook.

    Attributes:
        layers: All layers, in the order of execution.
        axes: The spatial dimensions of the inputs, in the order of each layer's fields.
        inputs, outputs: The names of the network's inputs and outputs.
        findings: What to know first, in sentences.
        losses: Cells that no window reads, by the layer that loses them.
        misalignments: Layers in which paths with different strides or middles meet.
        unseen: For axes of which no output depends on some positions: the axis, and these positions.
        input_sizes: Sizes near those of the inputs with which nothing is lost.
        unknown: The names of layers that are not known. What depends on them is not analysed.
        parameters, multiply_adds: Of the network. Shared weights count once.
        activation_bytes: All outputs together.
        inference_bytes: The most that is alive at one time, without the parameters.
        training_bytes: The same, with what the backward pass needs and the gradients of activations.
        moved_bytes, seconds: Inputs, parameters and outputs of all layers, and the time that takes at memory speed.
    """

    layers: tuple[Layer, ...]
    axes: tuple[InputAxis, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    findings: tuple[Finding, ...]
    losses: tuple[Loss, ...]
    misalignments: tuple[Misalignment, ...]
    unseen: tuple[tuple[InputAxis, Ranges], ...]
    input_sizes: tuple[str, ...]
    unknown: tuple[str, ...]
    parameters: int
    multiply_adds: int
    activation_bytes: int
    inference_bytes: int
    training_bytes: int
    moved_bytes: int
    seconds: float

    def __init__(self, report: _core.Report) -> None:
        self._report = report
        document = self.to_dict()
        nodes = document["nodes"]
        names = [node["name"] for node in nodes]
        name = lambda node: None if node is None else names[node]
        axes = [InputAxis(names[a["input"]], a["dim"], a["name"], a["size"]) for a in document["axes"]]
        on_axes = lambda parts: tuple((axes[p["axis"]], ranges(p["positions"])) for p in parts)

        def field(f: dict[str, Any]) -> Field:
            return Field(axes[f["axis"]], f["depends"], f["size"], exact(f["stride"]), f["begin"], exact(f["centre"]),
                         exact(f["smallest"]), ranges(f["holes"]), f["at_most"], f["saturated"], f["oversized"])

        def layer(n: dict[str, Any]) -> Layer:
            return Layer(n["name"], n["kind"], n["layer"], tuple(names[i] for i in n["inputs"]), n["shape"] and tuple(n["shape"]),
                         n["parameters"], n["multiply_adds"], tuple(field(f) for f in n["fields"]), n["output_bytes"], n["saved_bytes"],
                         n["moved_bytes"], n["seconds"], name(n["blocked_by"]), n["weights"])

        self.layers = tuple(layer(n) for n in nodes)
        self.axes = tuple(axes)
        self.inputs = tuple(names[i] for i in document["inputs"])
        self.outputs = tuple(names[i] for i in document["outputs"])
        self.findings = tuple(Finding(f["kind"], name(f["node"]), f["text"], tuple(f["remedies"])) for f in document["findings"])
        self.losses = tuple(Loss(names[l["node"]], l["dim"], ranges(l["cells"]), on_axes(l["of_input"]), l["elsewhere"],
                                 tuple(l["remedies"])) for l in document["losses"])
        self.misalignments = tuple(Misalignment(names[m["node"]], axes[m["axis"]],
                                                tuple((exact(p["stride"]), exact(p["centre"])) for p in m["paths"]))
                                   for m in document["misalignments"])
        self.unseen = on_axes(document["unseen"])
        self.input_sizes = tuple(document["input_sizes"])
        self.unknown = tuple(names[i] for i in document["unknown"])
        vars(self).update(document["totals"])
        self._index = {name: i for i, name in enumerate(names)}

    def layer(self, name: str) -> Layer:
        """The layer of this name.

        Args:
            name: As in `layers`: for PyTorch the path of the module, "layer1.0.conv1".
        """
        return self.layers[self._find(name)]

    def field(self, layer: str | Layer, cell: Sequence[SupportsIndex | slice], input: str | None = None) -> Dependence:
        """The cells of an input on which one spatial cell of a layer depends, or a box of cells, in all samples and channels.

        Args:
            layer: The layer or its name.
            cell: A position for each dimension of the layer's output from the third on: (row, column) for images. A slice stands for
                several: (slice(0, 4), 7).
            input: The name of the input. May be left out if the network has one.
        """
        if input is None and len(self.inputs) != 1:
            raise _core.Error(f"field: input must be one of {', '.join(self.inputs)}")
        source = self._find(self.inputs[0] if input is None else input)
        if self.layers[source].name not in self.inputs:
            raise _core.Error(f"field: '{input}' is not an input; the inputs are {', '.join(self.inputs)}")
        seen_by = self.layers[self._node(layer)]
        if seen_by.blocked_by is not None:
            raise _core.Error(f"field: '{seen_by.name}' depends on the unknown layer '{seen_by.blocked_by}'")
        for node, is_exact, boxes in self._report.dependence(self._node(layer), cells_of(cell, seen_by.shape or ())):
            if node == source:
                return Dependence(self.layers[node].name, tuple(tuple(ranges(dim) for dim in box) for box in boxes), is_exact)
        return Dependence(self.layers[source].name, (), True)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dict of plain values. docs/analyze-json.md describes it."""
        return json.loads(self.to_json())

    def to_json(self) -> str:
        """The same as JSON."""
        return self._report.json()

    def to_markdown(self) -> str:
        """A table in Markdown, with the totals and the findings."""
        return self._report.markdown()

    @overload
    def to_html(self, path: None = None, *, title: str = "", picture: str = "") -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str], *, title: str = "", picture: str = "") -> None: ...
    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "", picture: str = "") -> str | None:
        """One page with everything, that needs no other file. Layers can be clicked to see their fields.

        Args:
            path: Where to write the page. A file that is there is replaced once the page is complete. None returns the page instead.
            title: The title of the page.
            picture: A picture behind the fields: a data: URI, or a file name relative to the page.
        """
        page = self._report.html(title, picture)
        if path is None:
            return page
        write_file(path, page)
        return None

    def to_svg(self) -> str:
        """A drawing of the downsampling chain: sides shrink, channels and fields grow."""
        return self._report.chain_svg()

    def field_svg(self, layer: str | Layer, cell: Sequence[SupportsIndex], *, picture: str = "") -> str:
        """A drawing of the field of one spatial cell of a layer over the input.

        Args:
            layer: The layer or its name.
            cell: A position for each dimension of the layer's output from the third on: (row, column) for images.
            picture: A picture behind the field: a data: URI, or a file name.
        """
        return self._report.field_svg(self._node(layer), positions(cell), picture)

    def __repr__(self) -> str:
        return self._report.table(shutil.get_terminal_size((100, 24)).columns, False)

    def _repr_html_(self) -> str:
        # In a frame of its own, so that neither the styles nor the scripts of the page reach the notebook.
        page = html.escape(self.to_html(), quote=True)
        return (f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="tidepool.analyze" '
                'style="width: 100%; height: 42em; border: 0"></iframe>')

    def _node(self, layer: str | Layer) -> int:
        if not isinstance(layer, (str, Layer)):
            raise TypeError(f"layer must be a Layer or the name of one, got {layer!r}")
        return self._find(layer if isinstance(layer, str) else layer.name)

    def _find(self, name: str) -> int:
        if name not in self._index:
            raise _core.Error(f"there is no layer '{name}'")
        return self._index[name]
