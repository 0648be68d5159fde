"""Compiles the lines of rejected/*.txt against an installed package, as a user's program would contain them.

usage: rejected.py --compiler g++ --include PREFIX/include [--standard 20] [--nn] [FILE...]

A line is the body of a function of its own that has `x` (a Tensor), `indices` (an i64 Tensor) and `v` (a float):

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
BEGIN = "void user{}([[maybe_unused]] const Tensor& x, [[maybe_unused]] const Tensor& indices, [[maybe_unused]] float v) {{ "


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
        """What the compiler said about a file with a function per line, in their order; nothing if it compiles."""
        source = self.work / f"{name}.cc"
        source.write_text("".join(f"{BEGIN.format(i)}{line} }}\n" for i, line in enumerate(lines)))
        return self.run([*warnings, *self.use, "-fsyntax-only", str(source)])

    def first_errors(self, name, lines):
        """For every line with errors, the beginning of the first one. Errors inside of a header count for none of several lines."""
        # A view of a local tensor is only a warning, of clang alone.
        options = ["-Werror=return-stack-address", "-Werror=dangling", "-ferror-limit=0"] if self.clang else []
        shown = self.compile(name, lines, options).splitlines()
        errors = {}
        for i, text in enumerate(shown):
            at = re.match(rf".*/{name}\.cc:(\d+):\d+: error: ", text)
            if at or (len(lines) == 1 and "error: " in text):
                errors.setdefault(int(at[1]) - 1 if at else 0, "\n".join(shown[i : i + FIRST_LINES]))
        return errors

    def rejects(self, name, cases):
        """What is wrong with each (number, code, words), or nothing if it fails with these words."""
        errors = self.first_errors(name, [code for _, code, _ in cases])
        # Compiling many lines together is quick. Whatever it does not settle is compiled by itself.
        wrong = []
        for i, (number, code, words) in enumerate(cases):
            if words not in errors.get(i, ""):
                message = self.first_errors(f"{name}_{number}", [code]).get(0)
                if message is None:
                    wrong.append((number, code, "compiles, and must not"))
                elif words not in message:
                    wrong.append((number, code, f"no '{words}' in\n{message}"))
        return wrong


def check_file(compiler, path):
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
    good = compiler.compile(f"{path.stem}_accepted", accepted, WARNINGS + ["-Wno-unused-value", "-Wno-unused-variable", "-Wno-unused-but-set-variable"])
    wrong = [f"{path.name}:{number}: {code}\n{text}" for number, code, text in compiler.rejects(path.stem, rejected)]
    if good:
        wrong.append(f"{path.name}: what must compile does not\n{good}")
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
        results = list(pool.map(lambda file: check_file(compiler, file), files))
    count = sum(lines for lines, _ in results)
    wrong = [text for _, texts in results for text in texts]
    print("\n\n".join(wrong + [f"{count} lines, {len(wrong)} wrong"]))
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
