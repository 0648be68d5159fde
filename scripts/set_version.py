#!/usr/bin/env python3
"""Sets the version of the project: set_version.py MAJOR.MINOR.PATCH

It is written in CMakeLists.txt. Its first two numbers are also part of the names that the linker sees, so they stand in the namespace of all sources, in
the lists of exported symbols. Projects that ask CMake for this version, in the documentation and in the tests, ask for the new one.
"""

import re
import sys
from pathlib import Path

PROJECT = re.compile(r"(?<=^project\(tidepool VERSION )\d+\.\d+\.\d+", re.M)


def current(root):
    return PROJECT.search((root / "CMakeLists.txt").read_text(encoding="utf-8")).group()


def namespace(version):
    return "v{}_{}".format(*version.split("."))


def replace(file, pattern, new):
    old_text = file.read_text(encoding="utf-8")
    new_text = re.sub(pattern, new, old_text)
    if new_text != old_text:
        file.write_text(new_text, encoding="utf-8")


def set_version(root, version):
    old = current(root)
    for folder in ("include", "src", "tests/install/symbols"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".h", ".cc", ".in", ".txt"):
                replace(file, rf"\b{namespace(old)}\b", namespace(version))
    old_short, short = (number.rpartition(".")[0] for number in (old, version))
    for file in ("docs/building.md", "tests/install/consumer/CMakeLists.txt", "tests/install/consumer_c/CMakeLists.txt"):
        replace(root / file, rf"find_package\(tidepool {re.escape(old_short)}\b", f"find_package(tidepool {short}")
    # Last, so that the command can be repeated if it was stopped.
    replace(root / "CMakeLists.txt", PROJECT, version)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[1]):
        sys.exit("usage: set_version.py MAJOR.MINOR.PATCH")
    set_version(Path(__file__).resolve().parents[1], sys.argv[1])
