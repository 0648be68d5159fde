"""Signatures as text: one def, and the overloads of functions with return_indices."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH = 140  # columns


@dataclass
class Parameter:
    name: str
    annotation: str
    default: str | None
    keyword_only: bool

    def __str__(self) -> str:
        return f"{self.name}: {self.annotation}" + ("" if self.default is None else f" = {self.default}")


def signature(name: str, parameters: list[Parameter], result: str, tail: str = "") -> list[str]:
    """The lines of a def, wrapped below its opening parenthesis."""
    words, star = [], False
    for p in parameters:
        if p.keyword_only and not star:
            words.append("*")
            star = True
        words.append(str(p))
    head = f"def {name}("
    lines = [head]
    for i, word in enumerate(words):
        last = i + 1 == len(words)
        piece = word + (f") -> {result}:{tail}" if last else ", ")
        if len(lines[-1]) + len(piece.rstrip()) > WIDTH and lines[-1] != head:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * len(head))
        lines[-1] += piece
    return lines


def changed(parameters: list[Parameter], **annotations: str) -> list[Parameter]:
    """A copy with other annotations."""
    return [Parameter(p.name, annotations.get(p.name, p.annotation), p.default, p.keyword_only) for p in parameters]


def by_position(parameters: list[Parameter]) -> list[Parameter]:
    """A copy in which return_indices, and so all before it, must be given."""
    at = [p.name for p in parameters].index("return_indices")
    return [Parameter(p.name, p.annotation, None if i <= at else p.default, p.keyword_only) for i, p in enumerate(parameters)]


def by_keyword(parameters: list[Parameter]) -> list[Parameter]:
    """A copy in which return_indices must be given by name, and so all that come after it."""
    at = [p.name for p in parameters].index("return_indices")
    keywords = [Parameter(p.name, p.annotation, None if i == 0 else p.default, True) for i, p in enumerate(parameters[at:])]
    return parameters[:at] + keywords


def overloads(name: str, parameters: list[Parameter], array: str) -> list[str]:
    """The signatures that tell a type checker what comes back for each value of return_indices."""
    lines: list[str] = []

    def add(parameters: list[Parameter], result: str) -> None:
        lines.extend(["@overload", *signature(name, parameters, result, " ...")])

    add(changed(parameters, return_indices="Literal[False]"), array)
    # The type of a NumPy array includes its dtype, and the indices have another one than the input.
    kinds = [("Tensor", "Tensor")] if array == "Tensor" else [("NumpyArray", "NumpyIndices"), ("Array", "Array")]
    at = [p.name for p in parameters].index("return_indices")
    has_defaults_before = any(p.default is not None for p in parameters[:at])
    for values, indices in kinds:
        pair = f"tuple[{values}, {indices}]"
        typed = changed(parameters, input=values, return_indices="Literal[True]", out=f"{pair} | None")
        if has_defaults_before:
            add(by_keyword(typed), pair)
        add(by_position(typed), pair)
    add(implementation(parameters, array), result_of(parameters, array))
    return lines


def result_of(parameters: list[Parameter], array: str) -> str:
    if all(p.name != "return_indices" for p in parameters):
        return array
    return f"{array} | tuple[{array}, {'Tensor' if array == 'Tensor' else 'DLPackArray'}]"


def implementation(parameters: list[Parameter], array: str) -> list[Parameter]:
    if all(p.name != "return_indices" for p in parameters):
        return parameters
    return changed(parameters, out=f"{result_of(parameters, array)} | None")
