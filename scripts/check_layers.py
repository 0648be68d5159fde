#!/usr/bin/env python3
"""Checks which files include which. Prints every offence as file:line: rule, and exits 1 if there is one.

    core < geometry < kernels < plan < ops < functional < nn
    core < parallel < elementwise < autograd < functional
    core < parallel, runtime < plan
    ops < c
    core < io < data, plot; io < nn
    geometry < analyze < nn

A folder includes folders to its left only. A public header belongs to one of these folders. The reference implementation shares no code with
src/, and the tools include nothing of tests/.
"""

import argparse
import re
import sys
from pathlib import Path

# Each folder of src/ and the folders directly to its left. What those may include, it may include too.
USES = {
    "core": [],
    "geometry": ["core"],
    "kernels": ["geometry"],
    "parallel": ["core"],
    "runtime": ["core"],
    "plan": ["kernels", "parallel", "runtime"],
    "ops": ["plan"],
    "c": ["ops"],
    "elementwise": ["parallel"],
    "autograd": ["elementwise"],
    "functional": ["ops", "autograd"],
    "io": ["core"],
    "data": ["io"],
    "plot": ["io"],
    "analyze": ["geometry"],
    "nn": ["functional", "io", "analyze"],
}

# The folder of each public header that lies in include/tidepool itself. Headers in include/tidepool/FOLDER belong to FOLDER.
HEADER_FOLDER = {
    "half.h": "core",
    "dtype.h": "core",
    "export.h": "core",
    "error.h": "core",
    "extent.h": "core",
    "dims.h": "core",
    "options.h": "core",
    "random.h": "core",
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
    "gradcheck.h": "functional",
    "autograd.h": "autograd",
    "trace.h": "autograd",
    "c.h": "c",
    "analyze.h": "umbrella",
    "nn.h": "umbrella",
    "tidepool.h": "umbrella",
}

# Public headers that the reference implementation may include: types that describe a problem, and arrays.
REFERENCE_MAY_USE = {"core", "geometry"}

# Folders outside the library, and the trees of this repository that each may include besides the public headers and itself.
OUTSIDE = {
    "tools": {"reference"},
    "examples": set(),
    "bindings": set(),
}

# Other libraries: their includes, and the only places for them. Folders end in /, anything else is a file.
LIBRARIES = [
    ("Highway", r"hwy/", ["src/kernels/", "src/runtime/", "bench/rivals/face.cc", "tests/lifetime/programs/fewer_targets.cc"]),
    ("oneTBB", r"(?:tbb|oneapi/tbb)/|tbb\.h$", ["src/parallel/tbb.cc", "tests/lifetime/outer_tasks_test.cc"]),
    ("oneDNN", r"(?:oneapi/dnnl/)?dnnl", ["src/nn/", "bench/rivals/"]),
    ("XNNPACK", r"xnnpack|pthreadpool", ["bench/rivals/"]),
    ("CLI11", r"CLI/", ["tools/"]),
    ("nlohmann-json", r"nlohmann/", ["tools/", "tests/cli/", "bench/rivals/"]),
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
ROOTS = ["include", "src", "reference", "tools", "tests", "fuzz", "bench", "examples", "bindings"]


def below(folder):
    """The folders that a folder may include, itself among them."""
    found, waiting = set(), [folder]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += USES.get(name, [])
    return found


def folder_of(path):
    """The folder of src/ that a file belongs to, or the top-level folder when it is outside the library."""
    parts = path.split("/")
    if parts[:2] == ["include", "tidepool"]:
        return parts[2] if len(parts) > 3 and parts[2] in USES else HEADER_FOLDER.get("/".join(parts[2:]))
    return parts[1] if parts[0] == "src" else parts[0]


def target_of(include, here, files):
    """The file of this repository that an include means, or None when it belongs to another library."""
    beside = str(Path(here).parent / include)
    for candidate in (beside, f"include/{include}", f"src/{include}", include, f"tests/{include}", f"tools/tidepool/{include}"):
        if candidate in files:
            return candidate
    return None


def library_offence(here, include):
    for name, pattern, places in LIBRARIES:
        if re.match(pattern, include) and not any(here.startswith(p) if p.endswith("/") else here == p for p in places):
            return f"{name} belongs to {', '.join(places)} alone"
    return None


def offence(here, include, target):
    """Why this include must not stand in this file, or None. `target` is the included file, None for other libraries."""
    if ".." in include.split("/"):
        return "an include never climbs with .."
    if target is None:
        return library_offence(here, include)
    mine, theirs = folder_of(here), folder_of(target)
    public = target.startswith("include/")
    if theirs is None:
        return f"{target} has no folder yet: give it one in HEADER_FOLDER"
    if here.startswith("include/") and not public:
        return f"a public header includes public headers alone, not {target}"
    if mine == "reference":
        allowed = theirs == "reference" or (public and theirs in REFERENCE_MAY_USE)
        return None if allowed else f"the reference implementation shares no code with src/ and knows tensors and problems alone, not {target}"
    if here.startswith(("include/", "src/")):
        if mine == "umbrella":
            return None
        if mine not in USES:
            return f"{here} has no folder yet: give it one in {'USES' if here.startswith('src/') else 'HEADER_FOLDER'}"
        if theirs not in below(mine):
            return f"{mine} may include {', '.join(sorted(below(mine)))}, not {theirs} ({target})"
        return None
    if mine in OUTSIDE and not public and theirs != mine and theirs not in OUTSIDE[mine]:
        return f"{mine} may include {', '.join(['public headers', *sorted(OUTSIDE[mine])])}, not {target}"
    return None


def includes(root):
    """Every include of the repository as (file, line number, text, included file or None)."""
    files = {
        str(path.relative_to(root)): path
        for top in ROOTS
        for path in sorted((root / top).rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    }
    for name, path in files.items():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := INCLUDE.match(line):
                include = match[1] or match[2]
                yield name, number, include, target_of(include, name, files)


def edges_of(found):
    """{folder: {included folder: "file:line" of one such include}} for the folders of src/, from the includes themselves."""
    edges = {}
    for name, number, _, target in found:
        if target is None or not name.startswith(("include/", "src/")) or not target.startswith(("include/", "src/")):
            continue
        mine, theirs = folder_of(name), folder_of(target)
        if mine != theirs and "umbrella" not in (mine, theirs):
            edges.setdefault(mine, {}).setdefault(theirs, f"{name}:{number}")
    return edges


def cycle(edges):
    """A list of folders of which each includes the next and the last is the first again, or None."""
    done = set()

    def visit(folder, path):
        if folder in path:
            return [*path[path.index(folder) :], folder]
        if folder in done:
            return None
        for included in sorted(edges.get(folder, {})):
            if found := visit(included, [*path, folder]):
                return found
        done.add(folder)
        return None

    for folder in sorted(edges):
        if found := visit(folder, []):
            return found
    return None


def check(root):
    found = list(includes(root))
    offences = [f"{name}:{number}: {why}" for name, number, include, target in found if (why := offence(name, include, target))]
    # Computed from the includes and not from USES, so that a mistake in that table cannot hide a cycle.
    edges = edges_of(found)
    if not offences and (folders := cycle(edges)):
        places = ", ".join(edges[a][b] for a, b in zip(folders, folders[1:]))
        offences.append(f"{edges[folders[0]][folders[1]]}: folders include each other: {' > '.join(folders)} ({places})")
    return offences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    offences = check(parser.parse_args().root)
    print("\n".join(offences) if offences else "layers: every include points the right way")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
