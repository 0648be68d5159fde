#!/usr/bin/env python3
"""Compares the speed of tidepool with the memory limit and with other libraries, on the workloads of bench/suite.txt or on drawn problems.

`./dev bench` installs what it needs and runs this. See docs/benchmarks.md.
"""

import argparse
import datetime
import json
import os
import re
import shlex
import signal
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "rivals"), str(HERE / "nn")]

import instruction_sets  # noqa: E402
import machine  # noqa: E402
import report as reporting  # noqa: E402
import suite  # noqa: E402
import targets  # noqa: E402
from files import write_aside  # noqa: E402
from progress import Progress  # noqa: E402


def parser():
    p = argparse.ArgumentParser(prog="./dev bench", description=__doc__.splitlines()[0], allow_abbrev=False)
    p.add_argument("--threads", type=int, default=1, metavar="N", help="threads for every library [1]; with more than one, tidepool is also measured with one")
    p.add_argument("--target", default="", metavar="NAME",
                   help="the instruction set for tidepool, such as AVX2, and for the libraries that can be restricted to it; default: the best")  # fmt: skip
    p.add_argument("--rivals", default=",".join(reporting.RIVALS), metavar="NAMES", help="the libraries to compare the suite with [all: %(default)s]")
    p.add_argument("--filter", default="", metavar="REGEX", 
                   help="only workloads whose line in bench/suite.txt (`id problem`) matches; with --random, `pass problem`; with --networks, `network mode layout`")  # fmt: skip
    p.add_argument("--quick", action="store_true", help="shorter measurements: the whole suite in about four minutes")
    p.add_argument("--json", type=Path, metavar="FILE", help="write all measurements to this file")
    p.add_argument("--gate", action="store_true", help="exit code 1 when a target is missed")
    p.add_argument("--seed", type=int, default=0, metavar="N", help="seed of --random and --neighbours [0]")
    mode = p.add_mutually_exclusive_group()
    mode.add_argument("--random", type=int, nargs="?", const=300, default=0, metavar="N",
                      help="draw N problems [300] instead of the suite, and compare every pass with PyTorch")  # fmt: skip
    mode.add_argument("--networks", action="store_true", help="whole networks in PyTorch, with and without tidepool.torch.enable()")
    mode.add_argument("--neighbours", type=int, nargs="?", const=2, default=0, metavar="N",
                      help="measure N random neighbours of every shape [2] instead of the rivals")  # fmt: skip
    mode.add_argument("--weight", action="store_true", help="measure only the time of a clean build and the size of the library")
    mode.add_argument("--kernels", nargs=argparse.REMAINDER,
                      help="run every applicable kernel on every workload with Google Benchmark; takes its flags, and --target")  # fmt: skip
    mode.add_argument("--publish", type=Path, nargs="+", metavar="FILE", help="write bench/RESULTS.md and docs/speed.svg from the JSON of earlier runs")
    return p


def arguments(argv):
    p = parser()
    a = p.parse_args(argv)
    if not 1 <= a.threads <= 1024:  # as in the command line
        p.error(f"--threads takes a number from 1 to 1024, got {a.threads}")
    a.rivals = [name for name in a.rivals.split(",") if name]
    for name in set(a.rivals) - set(reporting.RIVALS):
        p.error(f"--rivals takes {', '.join(reporting.RIVALS)}, got {name}")
    for option in ("random", "neighbours"):
        if getattr(a, option) < 0:
            p.error(f"--{option} takes a number from 1, got {getattr(a, option)}")
    try:
        a.filter = re.compile(a.filter)
    except re.error as error:
        p.error(f"--filter is no regular expression: {error}")
    if a.target and a.weight:
        p.error("--weight has no --target: it builds for all of them")
    if a.json and not a.json.absolute().parent.is_dir():
        p.error(f"--json: there is no folder {a.json.parent}")
    return a


def measure_rows(a, driver, workloads, rivals, progress):
    from measure import Wrong, measure

    rows, wrong = [], []
    for at, workload in enumerate(workloads):
        progress.show(at, len(workloads), workload.name)
        try:
            rows.append(measure(driver, workload, rivals, a.threads, budget(a)))
        except Wrong as error:
            wrong.append(str(error))
    return rows, wrong


def measure_neighbours(a, driver, workloads, progress):
    import neighbours

    found = []
    for at, workload in enumerate(workloads):
        progress.show(at, len(workloads), f"neighbours of {workload.name}")
        found += neighbours.measure(driver, workload, a.threads, budget(a), a.neighbours, a.seed)
    return found


def measure_drawn(a, driver, pytorch, progress):
    import drawn

    if pytorch.absent:
        raise RuntimeError(f"--random compares with PyTorch, which is absent: {pytorch.absent}")
    jobs = list(drawn.jobs_of(a.random, a.seed, a.filter.search))
    if not jobs:
        raise RuntimeError(f"no drawn problem matches {a.filter.pattern!r}")
    rows, skipped, wrong = drawn.measure(driver, pytorch, a.threads, budget(a), jobs, progress)
    return {"count": a.random, "seed": a.seed, "rows": rows, "skipped": skipped}, wrong


def budget(a):
    from timing import FULL, QUICK

    return QUICK if a.quick else FULL


def rivals_of(a, driver):
    from compiled_rival import CompiledPyTorch
    from driver import NativeRival
    from litert_rival import LiteRt
    from onnx_rival import OnnxRuntime
    from openvino_rival import OpenVino
    from torch_rival import PyTorch

    make = {
        "pytorch": lambda: PyTorch(a.threads), "torch_compile": lambda: CompiledPyTorch(a.threads, a.quick), "onnxruntime": lambda: OnnxRuntime(a.threads),
        "openvino": lambda: OpenVino(a.threads), "onednn": lambda: NativeRival(driver, "onednn", "oneDNN"),
        "xnnpack": lambda: NativeRival(driver, "xnnpack", "XNNPACK"), "litert": lambda: LiteRt(a.threads),
    }  # fmt: skip
    return [make[name]() for name in ([] if a.neighbours else ["pytorch"] if a.random else a.rivals)]


def measure_networks(a, report, progress):
    import networks

    if a.target and "libhwy" not in Path("/proc/self/maps").read_text():
        raise RuntimeError("--networks takes --target only if Highway is a shared library: the driver and the Python package each have their own otherwise")
    report["networks"], report["wrong"], report["versions"] = networks.measure_all(a.threads, a.quick, a.filter.search, progress)


def measure_problems(a, driver, report, progress):
    workloads = [] if a.random else [w for w in suite.read() if a.filter.search(w.name)]
    if not workloads and not a.random:
        raise RuntimeError(f"no workload matches {a.filter.pattern!r}, see bench/suite.txt")
    rivals = rivals_of(a, driver)
    present = {rival.key: rival.name for rival in rivals if not rival.absent}
    report["target_note"] = instruction_sets.note(a.target, present)
    report["versions"] = {"tidepool": driver.bench_version(b"tidepool").decode()} | {rival.key: rival.version for rival in rivals}
    report["absent"] = {rival.key: rival.absent for rival in rivals if rival.absent}
    if a.neighbours:
        report["neighbours"] = measure_neighbours(a, driver, workloads, progress)
    elif a.random:
        report["drawn"], report["wrong"] = measure_drawn(a, driver, rivals[0], progress)
    else:
        report["rows"], report["wrong"] = measure_rows(a, driver, workloads, rivals, progress)


def measure_all(a, report, progress):
    """Measures what the options ask for, and adds it to the report."""
    import driver as native

    # Settings of libraries, which they read once, when they are loaded.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(a.threads)
    os.environ |= instruction_sets.environment(a.target)
    driver = native.load()
    report["target"] = native.use_target(driver, a.target)
    if a.networks:
        report["target_note"] = instruction_sets.note(a.target, {"pytorch": "PyTorch"})
        measure_networks(a, report, progress)
    else:
        measure_problems(a, driver, report, progress)


def run(a, argv):
    report = {"command": shlex.join(["./dev", "bench", *argv]), "date": datetime.date.today().isoformat(), "threads": a.threads, "quick": a.quick,
              "revision": machine.revision(), "machine": machine.describe(), "versions": {}, "absent": {}, "rows": [], "wrong": []}  # fmt: skip
    begin, progress = time.monotonic(), Progress()
    if a.weight:
        import weight

        report["weight"] = weight.measure(progress.note)
    else:
        measure_all(a, report, progress)
    progress.clear()
    for text in report["wrong"]:
        print(f"WRONG {text}", file=sys.stderr)
    report["seconds"] = time.monotonic() - begin
    report["targets"] = targets.judge(report)
    print(reporting.text(report))
    if a.json:
        write_aside(a.json, json.dumps(report, indent=1) + "\n")
    missed = [t["target"] for t in report["targets"] if t["verdict"] == "miss"]
    return 1 if report["wrong"] or (a.gate and missed) else 0


def stop(_signal, _frame):
    raise KeyboardInterrupt


def main(argv):
    a = arguments(argv)
    signal.signal(signal.SIGTERM, stop)  # like Ctrl-C, so that temporary folders and files are removed
    try:
        if a.publish:
            import publish

            return publish.publish(a.publish)
        return run(a, argv)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except (OSError, RuntimeError, ValueError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
