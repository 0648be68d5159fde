"""Compiles the programs in flags/ with the flag of their name (no_rtti.cc with -fno-rtti) against an installed package, and compares their output.

usage: flags.py --compiler g++ --standard 20 --prefix PREFIX --libdir lib --build FOLDER [--nn]
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
PROGRAMS = pathlib.Path(__file__).resolve().parent / "flags"


def output(command, env=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout}")
    return done.stdout


def check(source, args):
    package = "tidepool-nn" if "tidepool/nn" in source.read_text() else "tidepool"
    libraries = pathlib.Path(args.prefix) / args.libdir
    flags = output(["pkg-config", "--cflags", "--libs", package], {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}).split()
    program = pathlib.Path(args.build) / source.stem
    flag = "-f" + source.stem.replace("_", "-")
    output([args.compiler, f"-std=c++{args.standard}", flag, str(source), "-o", str(program), *flags, f"-Wl,-rpath,{libraries}"])
    run = subprocess.run([str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    expected = source.with_suffix(".out").read_text()
    if run.stdout != expected:
        sys.exit(f"{source.name} with {flag} ended with {run.returncode}\n{run.stderr}expected:\n{expected}got:\n{run.stdout}")
    print(f"{source.name} with {flag}: right")


def main():
    arguments = argparse.ArgumentParser()
    for name in ("compiler", "standard", "prefix", "libdir", "build"):
        arguments.add_argument(f"--{name}", required=True)
    arguments.add_argument("--nn", action="store_true")
    args = arguments.parse_args()
    for tool in (args.compiler, "pkg-config"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            return SKIPPED
    os.makedirs(args.build, exist_ok=True)
    for source in sorted(PROGRAMS.glob("*.cc")):
        if args.nn or "tidepool/nn" not in source.read_text():
            check(source, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
