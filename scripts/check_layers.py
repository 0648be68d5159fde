#!/usr/bin/env python3
"""Checks who includes whom. Prints every offence as file:line: rule, and exits 1 if there is one.

    core < geometry < kernels < plan < ops < functional, autograd < nn < analyze < bindings, tools
    ops < c
    core < io < data, plot; nn uses io

Includes point left only. io reads and writes files, data feeds training, plot draws it. parallel/ and runtime/ sit beside core and serve
plan, ops and what stands above them.
"""

import argparse
import re
import sys
from pathlib import Path

BELOW = {
    "core": set(),
    "geometry": {"core"},
    "kernels": {"core", "geometry"},
    "parallel": {"core"},
    "runtime": {"core"},
    "io": {"core"},
    "data": {"core", "io"},
    "plot": {"core", "io"},
}
BELOW["plan"] = {"core", "geometry", "kernels", "parallel", "runtime"}
BELOW["ops"] = BELOW["plan"] | {"plan"}
BELOW["c"] = BELOW["ops"] | {"ops"}
BELOW["functional"] = BELOW["autograd"] = BELOW["ops"] | {"ops", "functional", "autograd"}
BELOW["nn"] = BELOW["functional"] | {"io"}
BELOW["analyze"] = BELOW["nn"] | {"nn"}

# The layer of each public header. A header of this table may be included by its own layer and by layers that stand above it.
HEADER_LAYER = {
    "half.h": "core",
    "dtype.h": "core",
    "error.h": "core",
    "extent.h": "core",
    "tensor.h": "core",
    "creation.h": "core",
    "dlpack.h": "core",
    "axis.h": "geometry",
    "geometry.h": "geometry",
    "problem.h": "geometry",
    "run_arrays.h": "geometry",
    "executor.h": "parallel",
    "runtime.h": "runtime",
    "plan.h": "plan",
    "functional.h": "functional",
    "autograd.h": "autograd",
    "nn.h": "umbrella",
    "analyze.h": "analyze",
    "c.h": "c",
    "tidepool.h": "umbrella",
}

# The oracle takes the types of these layers, and computes everything itself.
ORACLE_MAY_SEE = {"core", "geometry", "ops"}

# Library, what its includes look like, and the only places for them: folders end in /, anything else is a file.
GUESTS = [
    ("Highway", r"hwy/", ["src/kernels/", "src/runtime/"]),
    ("oneTBB", r"(?:tbb|oneapi/tbb)/|tbb\.h$", ["src/parallel/tbb.cc"]),
    ("oneDNN", r"(?:oneapi/dnnl/)?dnnl", ["src/nn/", "bench/rivals/"]),
    ("XNNPACK", r"xnnpack|pthreadpool", ["bench/rivals/"]),
    ("CLI11", r"CLI/", ["tools/"]),
    ("nlohmann-json", r"nlohmann/", ["tools/", "src/analyze/", "tests/cli/", "bench/rivals/"]),
    ("libpng", r"png\.h$", ["src/io/"]),
    ("zlib", r"zlib\.h$", ["src/io/"]),
    ("the Python binding library", r"(?:nanobind|pybind11)/|Python\.h$", ["bindings/python/"]),
    ("DLPack", r"dlpack/", ["include/tidepool/dlpack.h"]),
    ("ONNX", r"onnx/onnx_pb\.h$|google/protobuf/", ["tests/onnx/"]),
    ("GoogleTest", r"(?:gtest|gmock)/", ["tests/"]),
    ("Google Benchmark", r"benchmark/", ["bench/"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SUFFIXES = {".h", ".cc", ".c"}
ROOTS = ["include", "src", "tools", "tests", "fuzz", "bench", "examples", "bindings"]


def layer_of(path):
    """The layer a file belongs to, or the folder at the top when it is outside the library."""
    parts = path.split("/")
    if parts[:2] == ["include", "tidepool"]:
        name = "/".join(parts[2:])
        folder = name.split("/")[0] if "/" in name else None
        return folder if folder in ("ops", "functional", "nn", "io", "data", "plot") else HEADER_LAYER.get(name)
    if parts[0] == "src":
        return parts[1]
    if parts[:2] == ["tests", "oracle"]:
        return "oracle"
    return parts[0]


def target_of(include, here, files):
    """The file of this tree that an include means, or None when it is somebody else's."""
    beside = str(Path(here).parent / include)
    for candidate in (beside, f"include/{include}", f"src/{include}", f"tests/{include}", f"tools/tidepool/{include}"):
        if candidate in files:
            return candidate
    return None


def offence(here, include, files):
    """Why this include must not stand in this file, or None."""
    if ".." in include.split("/"):
        return "an include never climbs with .."
    target = target_of(include, here, files)
    if target is None:
        for name, pattern, places in GUESTS:
            if re.match(pattern, include) and not any(here.startswith(p) if p.endswith("/") else here == p for p in places):
                return f"{name} belongs to {', '.join(places)} alone"
        return None

    mine, theirs = layer_of(here), layer_of(target)
    if theirs is None:
        return f"{target} has no layer yet: give it one in HEADER_LAYER"
    if here.startswith("include/") and not target.startswith("include/"):
        return f"a public header includes public headers alone, not {target}"
    if mine == "oracle":
        allowed = theirs == "oracle" or (target.startswith("include/") and theirs in ORACLE_MAY_SEE)
        return None if allowed else f"the oracle shares no code with src/ and knows tensors, problems and options alone, not {target}"
    if here.startswith(("include/", "src/")):
        if mine == "umbrella":
            return None
        if mine not in BELOW:
            return f"{here} has no layer yet: give it one in {'BELOW' if here.startswith('src/') else 'HEADER_LAYER'}"
        if mine != theirs and theirs not in BELOW[mine]:
            return f"{mine} may include {', '.join(sorted(BELOW[mine] | {mine}))}, not {theirs} ({target})"
        return None
    if mine in ("tools", "examples", "bindings") and target.startswith("src/"):
        return f"{mine} lives on the public headers, not on {target}"
    return None


def check(root):
    files = {
        str(path.relative_to(root)): path
        for top in ROOTS
        for path in sorted((root / top).rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    }
    for name, path in files.items():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            why = offence(name, match[1] or match[2], files) if match else None
            if why:
                yield f"{name}:{number}: {why}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    offences = list(check(parser.parse_args().root))
    print("\n".join(offences) if offences else "layers: every include points the right way")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
