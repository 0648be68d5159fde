"""What an analysis consists of. Positions are counted from 0; a range (a, b) is a, a + 1, …, b - 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional, Union

from .. import _core

Range = tuple[int, int]
Ranges = tuple[Range, ...]
Number = Union[int, Fraction]  # exact: after upsampling by 2, neighbouring cells are Fraction(1, 2) apart
Box = tuple[Ranges, ...]


@dataclass(frozen=True)
class InputAxis:
    """A spatial dimension of an input."""

    input: str
    dim: int
    name: str  # "h"
    size: int


@dataclass(frozen=True)
class Field:
    """What the cells of a layer see along one axis of an input. Positions count padding, as the usual formulas do."""

    axis: InputAxis
    depends: bool  # on this input at all
    size: int  # from the first to the last cell that a cell of the layer sees; the largest if they differ
    stride: Number  # between the fields of neighbouring cells ("jump"); 0 if all cells see the same
    begin: int  # the first position that cell 0 sees; -begin is the effective padding
    centre: Number  # the middle of what cell 0 sees
    smallest: Number  # the size along the path of the network on which the field is smallest
    holes: Ranges  # between the first and the last position that cell 0 sees
    at_most: bool  # an upper bound: a reshape or a random window was not followed
    saturated: bool  # the layer enlarges a field that covered the input on every path before: it sees nothing new ("unproductive")
    oversized: bool  # the same on some path ("critical")


@dataclass(frozen=True)
class Layer:
    """A node of the network, in the order of execution. Inputs are layers too."""

    name: str
    kind: str  # "conv"
    text: str  # "conv 3x3 64 p1"
    inputs: tuple[str, ...]
    shape: Optional[tuple[int, ...]]  # None if the layer is unknown, or depends on an unknown layer
    parameters: int
    multiply_adds: int
    fields: tuple[Field, ...]  # one for each axis of the inputs; none if the shape is None
    output_bytes: int  # 0 for views
    saved_bytes: int  # kept for the backward pass, in addition to what is counted for earlier layers
    moved_bytes: int  # inputs, parameters and output, once each
    seconds: float  # moved_bytes at memory speed
    blocked_by: Optional[str]  # the unknown layer that this layer depends on, or is
    weights: str  # layers with the same text here share their parameters, which count once


@dataclass(frozen=True)
class Loss:
    """Cells of a layer's input that no window reads."""

    layer: str
    dim: int  # of the layer's input
    cells: Ranges
    of_input: tuple[tuple[InputAxis, Ranges], ...]  # what the network loses by it
    elsewhere: bool  # another path of the network reads all of it
    remedies: tuple[str, ...]  # each enough on its own


@dataclass(frozen=True)
class Misalignment:
    """Paths whose fields have different strides or middles meet in a layer."""

    layer: str
    axis: InputAxis
    paths: tuple[tuple[Number, Number], ...]  # stride and middle of cell 0, for each input of the layer


@dataclass(frozen=True)
class Finding:
    """What a reader should know first, in one sentence."""

    kind: str  # "lost", "unseen", "misaligned", "unproductive", "critical" or "unknown"
    layer: Optional[str]  # None: the network as a whole
    text: str
    remedies: tuple[str, ...]


@dataclass(frozen=True)
class Dependence:
    """The cells of an input on which some cell of a layer depends: exactly those in one of the boxes, padding left out.

    A box has for each dimension of the input the ranges of positions that belong to it. Branches with windows of different shapes give more
    than one box. If not `exact`, some cells of the boxes may not matter.
    """

    input: str
    boxes: tuple[Box, ...]
    exact: bool

    def along(self, dim: int) -> Ranges:
        """The positions along one dimension of the input.

        Args:
            dim: The dimension, 0 for the batch.
        """
        joined: list[Range] = []
        for begin, end in sorted(r for box in self.boxes for r in box[dim]):
            if joined and begin <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((begin, end))
        return tuple(joined)

    @property
    def box(self) -> Ranges:
        """The smallest box around all of it, one range for each dimension. Empty if the layer does not depend on the input."""
        if not self.boxes:
            return ()
        ranges = [self.along(dim) for dim in range(len(self.boxes[0]))]
        return tuple((r[0][0], r[-1][1]) for r in ranges)

    def contains(self, cell: tuple[int, ...]) -> bool:
        """Whether a cell of the input belongs to it.

        Args:
            cell: A position for each dimension of the input.
        """
        dims = {len(box) for box in self.boxes}
        if dims and len(cell) not in dims:
            raise _core.Error(f"contains: a cell of the input has {max(dims)} positions, got {len(cell)}")
        return any(all(any(b <= at < e for b, e in ranges) for at, ranges in zip(cell, box)) for box in self.boxes)
