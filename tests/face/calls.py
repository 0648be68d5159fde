"""Builds the project in calls/ against an installed package, as a user would, and runs it.

usage: calls.py --compiler g++ --standard 20 --prefix PREFIX --build FOLDER [--launcher ccache] [--nn]
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
PROJECT = pathlib.Path(__file__).resolve().parent / "calls"


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout}")


def main():
    arguments = argparse.ArgumentParser()
    for name in ("compiler", "standard", "prefix", "build"):
        arguments.add_argument(f"--{name}", required=True)
    arguments.add_argument("--launcher", default="")
    arguments.add_argument("--nn", action="store_true")
    args = arguments.parse_args()
    if not shutil.which(args.compiler):
        print(f"skipped: {args.compiler} is not installed")
        return SKIPPED
    shutil.rmtree(args.build, ignore_errors=True)
    run(["cmake", "-S", str(PROJECT), "-B", args.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={args.prefix}",
         f"-DCMAKE_CXX_COMPILER={args.compiler}", f"-DCMAKE_CXX_STANDARD={args.standard}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={args.launcher}",
         f"-DNN={'ON' if args.nn else 'OFF'}"])
    run(["cmake", "--build", args.build])
    run([f"{args.build}/face"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
