"""Measures target T9: the time of a clean build and the size of the stripped shared library."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(folder, options, environment, jobs, say):
    """Configures and builds. Raises RuntimeError with the end of the log if that fails."""
    commands = (["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options],
                ["ninja", "-C", str(folder), "-j", str(jobs)])  # fmt: skip
    for command in commands:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        tail = []
        try:
            for line in process.stdout:
                tail = [*tail[-20:], line]
                if line.startswith("["):
                    say(line.split("]")[0] + "]")
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if process.wait() != 0:
            raise RuntimeError("the build failed:\n" + "".join(tail))


def measure(say):
    jobs = int(os.environ.get("TIDEPOOL_JOBS", os.cpu_count()))
    clean = os.environ | {"CCACHE_DISABLE": "1"}
    folder = Path(tempfile.mkdtemp(prefix="weight-", dir=ROOT / "build"))
    try:
        begin = time.monotonic()
        build(folder / "whole", [], clean, jobs, lambda at: say(f"clean build of library, tools and tests {at}"))
        took = time.monotonic() - begin
        options = ["-DBUILD_SHARED_LIBS=ON", *(f"-DTIDEPOOL_BUILD_{part}=OFF" for part in ("TESTS", "TOOLS", "EXAMPLES", "BENCH"))]
        build(folder / "shared", options, os.environ, jobs, lambda at: say(f"shared library {at}"))
        library = next(path for path in (folder / "shared").rglob("libtidepool.so*") if path.is_file() and not path.is_symlink())
        subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
        return {"build_seconds": took, "jobs": jobs, "library_bytes": library.stat().st_size}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
