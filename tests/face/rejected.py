"""Compiles the lines of rejected/*.txt one by one against an installed package, as a user's program would contain them.

usage: rejected.py --compiler g++ --include PREFIX/include [--standard 20] [--nn] [FILE...]

A line is the body of a function that has `x` (a Tensor), `indices` (an i64 Tensor) and `v` (a float):

    max_pool2d(x, {.kernel_size = 3, .stride = 2});                  compiles without a warning
    max_pool2d(x, {.kernel_size = 3, .stirde = 2});  // error: stirde  must not compile

The words after "error:" must be in the first five lines of the compiler's message. "error (g++):" and "error (clang++):" give other words
for one compiler; a line with only one of them is left out for the other. Lines that begin with # are comments. Files named nn_* need
tidepool::nn.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
FOLDER = pathlib.Path(__file__).resolve().parent / "rejected"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
FIRST_LINES = 5

HEADER = """#include <array>
#include <iostream>
#include <span>
#include <vector>
#include <tidepool/{}.h>
using namespace tidepool;
"""
BEGIN = "void user([[maybe_unused]] const Tensor& x, [[maybe_unused]] const Tensor& indices, [[maybe_unused]] float v) {\n"


def is_clang(compiler):
    return "clang" in pathlib.Path(compiler).name


def parse(line, clang):
    """The code of a line, and the words of its error: None if it must compile, False if this compiler leaves it out."""
    code, *marks = re.split(r"\s*// (?=error[ :])", line)
    words = {}
    for mark in marks:
        which, text = re.fullmatch(r"error(?: \((g\+\+|clang\+\+)\))?: (.+)", mark).groups()
        words[which] = text
    if not words:
        return code, None
    return code, words.get("clang++" if clang else "g++", words.get(None, False))


class Compiler:
    def __init__(self, path, include, standard, nn, work):
        self.clang = is_clang(path)
        self.work = work
        self.command = [path, f"-std=c++{standard}", f"-I{include}", "-fdiagnostics-color=never"]
        header = work / "user.h"
        header.write_text(HEADER.format("nn" if nn else "tidepool"))
        compiled = work / ("user.h.pch" if self.clang else "user.h.gch")
        # The header is compiled once, with the warnings of careful users: the installed headers must have none.
        once = self.run(WARNINGS + ["-x", "c++-header", str(header), "-o", str(compiled)])
        if once:
            sys.exit(f"tidepool's headers do not compile without warnings:\n{once}")
        self.use = ["-include-pch", str(compiled)] if self.clang else ["-include", str(header)]

    def run(self, arguments):
        """What the compiler printed when it failed, else nothing."""
        done = subprocess.run(self.command + arguments, env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True)
        return (done.stderr or "failed without a message") if done.returncode else ""

    def compile(self, name, lines, warnings):
        source = self.work / f"{name}.cc"
        source.write_text(BEGIN + "".join(f"  {{ {line} }}\n" for line in lines) + "}\n")
        return self.run([*warnings, *self.use, "-fsyntax-only", str(source)])

    def rejects(self, name, code, words):
        """Nothing if the line fails with these words, else what is wrong."""
        # A view of a local tensor is only a warning, of clang alone.
        message = self.compile(name, [code], ["-Werror=return-stack-address", "-Werror=dangling"] if self.clang else [])
        if not message:
            return "compiles, and must not"
        # What leads to the first error ("In function ...", "In file included from ...") says nothing about it.
        shown = message.splitlines()
        while shown and "error:" not in shown[0]:
            shown.pop(0)
        first = "\n".join(shown[:FIRST_LINES])
        return "" if words in first else f"no '{words}' in\n{first}"


def check_file(compiler, path, pool):
    """The number of lines checked, and what is wrong with them."""
    accepted, rejected = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        code, words = parse(line, compiler.clang)
        if words is None:
            accepted.append(code)
        elif words:
            rejected.append((number, code, words))
    good = pool.submit(compiler.compile, f"{path.stem}_accepted", accepted, WARNINGS + ["-Wno-unused-value", "-Wno-unused-variable", "-Wno-unused-but-set-variable"])
    bad = [pool.submit(compiler.rejects, f"{path.stem}_{number}", code, words) for number, code, words in rejected]
    wrong = [f"{path.name}:{number}: {code}\n{text}" for (number, code, _), text in zip(rejected, (b.result() for b in bad)) if text]
    if good.result():
        wrong.append(f"{path.name}: what must compile does not\n{good.result()}")
    return len(accepted) + len(rejected), wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--compiler", required=True)
    arguments.add_argument("--include", required=True)
    arguments.add_argument("--standard", default="20")
    arguments.add_argument("--nn", action="store_true")
    arguments.add_argument("files", nargs="*", type=pathlib.Path)
    args = arguments.parse_args()
    if not shutil.which(args.compiler):
        print(f"skipped: {args.compiler} is not installed")
        return SKIPPED
    files = args.files or sorted(FOLDER.glob("*.txt"))
    if not args.nn:
        files = [file for file in files if not file.name.startswith("nn_")]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = Compiler(args.compiler, args.include, args.standard, args.nn, pathlib.Path(work))
        results = [check_file(compiler, file, pool) for file in files]
    count = sum(lines for lines, _ in results)
    wrong = [text for _, texts in results for text in texts]
    print("\n\n".join(wrong + [f"{count} lines, {len(wrong)} wrong"]))
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
