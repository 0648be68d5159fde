#!/usr/bin/env python3
"""Compares what the installed shared libraries export with the lists in symbols/.

    symbols.py LIBDIR          fails if a library exports something else, or if its name or search path is wrong
    symbols.py LIBDIR --write  writes the lists

Instances of templates and inline functions depend on what the compiler inlines. They are not listed, but must be public names too.
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LISTS = HERE / "symbols"


def version():
    text = (HERE.parent.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(tidepool VERSION (\d+)\.(\d+)", text).groups()


def exported(library):
    """Pairs of kind and demangled name. nm prints instances of templates and inline functions with the kinds W, V and u."""
    lines = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
    pairs = [line[17:].split(" ", 1) for line in lines]
    return [(kind, name.split("@")[0]) for kind, name in pairs if kind != "A"]  # A is the version itself


def listed(symbols):
    explicit = r"Functions<|::(Conv|\w+Pool|MaxUnpool)<\d>::"  # templates that the library instantiates for users
    return sorted({name for kind, name in symbols if kind not in "WVu" or re.search(explicit, name)})


def dynamic(library, tag):
    text = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    found = re.search(rf"\({tag}\).*\[(.*)\]", text)
    return found and found.group(1)


def problems(library):
    major, minor = version()
    name = library.name.removesuffix(".so")
    symbols = exported(library)
    public = re.compile(rf"(vtable for |typeinfo for |typeinfo name for )?tidepool::v{major}_{minor}::|tp_")
    for _, symbol in symbols:
        if not public.match(symbol):
            yield f"{symbol} is exported, but is no public name of version {major}.{minor}"
    if dynamic(library, "SONAME") != f"{library.name}.{major}.{minor}":
        yield f"its name for the loader is {dynamic(library, 'SONAME')}"
    if dynamic(library, "RUNPATH") != "$ORIGIN":
        yield f"it searches for other libraries in {dynamic(library, 'RUNPATH')}"
    path = LISTS / f"{name.removeprefix('lib')}.txt"
    now = listed(symbols)
    if "--write" in sys.argv:
        path.write_text("".join(f"{symbol}\n" for symbol in now))
    before = path.read_text().splitlines() if path.exists() else []
    for symbol in sorted(set(before) - set(now)):
        yield f"no longer exported: {symbol}"
    for symbol in sorted(set(now) - set(before)):
        yield f"new: {symbol}"


def main():
    folder = Path(sys.argv[1])
    libraries = sorted(folder.glob("libtidepool*.so"))
    found = [f"{library.name}: {problem}" for library in libraries for problem in problems(library)]
    if not libraries:
        found.append(f"no libraries in {folder}")
    for line in found:
        print(line)
    if found:
        print(f"If this is intended: python3 tests/install/symbols.py {folder} --write")
    else:
        print(", ".join(f"{library.name}: {len(exported(library))}" for library in libraries), "symbols")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
