"""Writes the functions of the Python package for 1, 2 and 3 dimensions from the files in templates/.

    python3 bindings/python/generator/generate.py

A template is a Python file that holds functions without type annotations. For every rank this script
  - replaces RANK by the rank, ARANGE by an example array of 4 elements per axis, and SHAPE1, SHAPE2, SHAPE4 by shapes of that many per axis;
  - keeps lines that begin with "@2" for rank 2 only, lines that begin with "@23" for ranks 2 and 3, and so on, without the mark;
  - adds annotations and an "Args:" section from parameters.py, and overloads for functions with return_indices.
A test compares the files in tidepool/ with what this script writes.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

from parameters import SHAPES, parameter
from signatures import WIDTH, Parameter, implementation, overloads, result_of, signature

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "tidepool"
TYPES = ("Array CeilMode CountPad DLPackArray IndexBase Nan NumpyArray NumpyIndices OutputSize Padding Preset Rounding Size").split()


def for_rank(text: str, rank: int) -> str:
    """The template's text at one rank."""
    marked = re.compile(r"(\s*)@([123]+)(?: |$)")
    lines = text.splitlines()
    lines = [marked.sub(r"\1", line) for line in lines if not (mark := marked.match(line)) or str(rank) in mark[2]]
    text = "\n".join(lines).replace("ARANGE", f"arange({4 ** rank}.0).reshape(SHAPE4)")
    for size in (1, 2, 4):
        text = text.replace(f"reshape(SHAPE{size})", f"reshape({', '.join(map(str, [1, 1] + [size] * rank))})")
        text = text.replace(f"SHAPE{size}", str((1, 1, *[size] * rank)))
    return text.replace("RANK", str(rank))


def parameters_of(node: ast.FunctionDef, rank: int, torch: bool) -> tuple[list[Parameter], list[str]]:
    """The parameters of a function, and the lines that document them."""
    a = node.args
    defaults = [None] * (len(a.args) - len(a.defaults)) + a.defaults + a.kw_defaults
    function = ("torch." if torch else "") + re.sub(r"[123]d", "", node.name)
    parameters, lines = [], []
    for i, (argument, default) in enumerate(zip(a.args + a.kwonlyargs, defaults)):
        annotation, text = parameter(function, argument.arg)
        annotation = re.sub(r"\bARRAY\b", "Tensor" if torch else "Array", annotation)
        annotation = re.sub(r"\bINDICES\b", "Tensor" if torch else "DLPackArray", annotation)
        text = text.replace("ARRAY", "Tensor" if torch else "Array").replace("SHAPE", SHAPES[rank]).replace("RANK", str(rank))
        if argument.arg == "out" and any(p.name == "return_indices" for p in parameters):
            text = "Array to write the result into, or a pair of arrays with return_indices."
        written = None if default is None else ast.unparse(default)
        parameters.append(Parameter(argument.arg, annotation, written, i >= len(a.args)))
        lines.append(f"    {argument.arg}: {text}")
    return parameters, lines


def docstring(node: ast.FunctionDef, documented: list[str]) -> list[str]:
    prose, mark, example = (ast.get_docstring(node) or "").partition(">>>")
    if not prose or not mark:
        raise SystemExit(f"{node.name}: a template's docstring needs a text and an example")
    text = prose.rstrip().splitlines() + ["", "Args:", *documented, "", "Example:"]
    text += textwrap.indent(mark + example.rstrip(), "    ").splitlines()
    return textwrap.indent("\n".join(['"""' + text[0], *text[1:], '"""']), "    ").splitlines()


def function_text(node: ast.FunctionDef, source: list[str], rank: int, torch: bool) -> str:
    parameters, documented = parameters_of(node, rank, torch)
    array = "Tensor" if torch else "Array"
    lines = overloads(node.name, parameters, array) if any(p.name == "return_indices" for p in parameters) else []
    lines += signature(node.name, implementation(parameters, array), result_of(parameters, array))
    lines += docstring(node, documented)
    lines += source[node.body[1].lineno - 1 : node.end_lineno]
    return "\n".join(lines)


def imports(own: list[str], functions: str, torch: bool) -> str:
    """The import statements: those of the template, and those of the names that annotations and decorators use."""
    nodes = ast.walk(ast.parse("from __future__ import annotations\n" + functions))
    identifiers = {n.id for n in nodes if isinstance(n, ast.Name)}
    used = lambda names: [n for n in names if n in identifiers]
    groups = ["from __future__ import annotations", ""]
    if used(["Sequence"]):
        groups.append("from collections.abc import Sequence")
    groups += [line for line in own if line.startswith("import ") and "torch" not in line]
    if names := used(["Literal", "SupportsIndex", "overload"]):
        groups.append(f"from typing import {', '.join(names)}")
    if torch:
        groups += ["", *(line for line in own if line == "import torch"), "from torch import Tensor"]
    dots = ".." + "." * torch
    groups += ["", f"from {dots} import _core"]
    relative = [line for line in own if line.startswith("from ")]
    if names := used(TYPES):
        relative.append(f"from {dots}_types import {', '.join(names)}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(groups + sorted(relative)))


def module(template: Path, rank: int) -> tuple[str, list[str]]:
    """The text of one file of functions, and the names it exports."""
    torch = template.parent.name == "torch"
    text = for_rank(template.read_text(encoding="utf-8"), rank)
    tree, source = ast.parse(text), text.splitlines()
    nodes = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    own = [ast.unparse(n) for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    functions = "\n\n\n".join(function_text(n, source, rank, torch) for n in nodes)
    header = f'{written_from(template)}"""{ast.get_docstring(tree)}"""\n\n'
    return header + imports(own, functions, torch) + "\n\n\n" + functions + "\n", [n.name for n in nodes]


def written_from(template: Path) -> str:
    return f"# Written by generate.py from bindings/python/generator/{template.relative_to(HERE)}: change that file instead.\n"


def package(names: dict[str, list[str]], rank: int, torch: bool) -> str:
    """The __init__.py of the functions of one rank."""
    kind, plural = "differentiable " * torch, "s" * (rank > 1)
    lines = ["# Written by bindings/python/generator/generate.py.", f'"""The {kind}functions for {rank} spatial dimension{plural}."""', ""]
    lines += [line for file, exported in names.items() for line in wrapped(f"from .{file} import ", exported, "(", ")")]
    return "\n".join(lines) + "\n\n" + all_of(names[file] for file in names)


def all_of(groups: Iterable[Iterable[str]]) -> str:
    """The statement that defines __all__. Type checkers understand only a literal list."""
    return "\n".join(wrapped("__all__ = ", [f'"{n}"' for group in groups for n in group], "[", "]", True)) + "\n"


def with_all(path: Path, groups: Iterable[Iterable[str]]) -> str:
    """The text of a file written by hand, with __all__, its last statement, written anew."""
    head, _, _ = path.read_text(encoding="utf-8").partition("__all__ = ")
    return head + all_of(groups)


def wrapped(head: str, words: list[str], left: str, right: str, always: bool = False) -> list[str]:
    one = head + ", ".join(words)
    if not always and len(one) <= WIDTH:
        return [one]
    return [head + left, *textwrap.wrap(", ".join(words) + ",", WIDTH - 4, initial_indent="    ", subsequent_indent="    "), right]


def modules() -> tuple[str, list[str]]:
    """The text and the names of tidepool/torch/modules.py: the classes of all ranks, in one file, so that pickles name a public module."""
    template = HERE / "templates" / "torch" / "modules.py"
    text = template.read_text(encoding="utf-8")
    head, mark, classes = text.partition("\n\n\nclass ")
    body = "".join(for_rank((mark + classes).rstrip(), rank).rstrip() for rank in (1, 2, 3))
    names = re.findall(r"^class (\w+)", body, re.MULTILINE)
    return written_from(template) + head.rstrip() + "\n\n" + all_of([names]).rstrip() + body + "\n", names


def files() -> dict[Path, str]:
    """Every generated file and its text."""
    out: dict[Path, str] = {}
    exported: dict[str, list[str]] = {"": [], "torch": []}
    for folder in exported:
        for rank in (1, 2, 3):
            target = PACKAGE / folder / f"_pool{rank}d"
            names = {}
            for template in sorted((HERE / "templates" / folder).glob("*.py")):
                if template.stem == "modules" or (template.stem == "fractional_max_pool" and rank == 1):
                    continue
                out[target / template.name], names[template.stem] = module(template, rank)
                exported[folder] += names[template.stem]
            out[target / "__init__.py"] = package(names, rank, folder == "torch")
    torch = PACKAGE / "torch"
    out[torch / "modules.py"], classes = modules()
    switches = ["disable", "enable", "enabled", "is_enabled"]
    for path, groups in {
        PACKAGE / "__init__.py": [["Analysis", "Error", "__version__", "analyze", "num_threads", "set_num_threads"], exported[""]],
        torch / "functional.py": [exported["torch"]],
        torch / "__init__.py": [switches, exported["torch"], classes],
    }.items():
        out[path] = with_all(path, groups)
    return out


def main() -> None:
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
