#!/usr/bin/env python3
"""Compares the speed of tidepool with the memory limit and with other libraries, on the workloads of bench/suite.txt.

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
sys.path[:0] = [str(HERE), str(HERE / "rivals")]

import machine  # noqa: E402
import report as reporting  # noqa: E402
import suite  # noqa: E402
import targets  # noqa: E402
from files import write_aside  # noqa: E402
from progress import Progress  # noqa: E402


def arguments(argv):
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads for every library [1]; with more than one, tidepool is also measured with one")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only workloads whose line in bench/suite.txt (`id problem`) matches")
    parser.add_argument("--quick", action="store_true", help="shorter measurements: the whole suite in under three minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements to this file")
    parser.add_argument("--gate", action="store_true", help="exit code 1 when a target is missed")
    parser.add_argument("--neighbours", type=int, nargs="?", const=2, default=0, metavar="N",
                        help="measure N random neighbours of every shape [2] instead of the rivals")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the neighbours [0]")
    parser.add_argument("--weight", action="store_true", help="measure only the time of a clean build and the size of the library")
    parser.add_argument("--kernels", nargs=argparse.REMAINDER, help="run every applicable kernel on every workload with Google Benchmark; takes its flags")
    parser.add_argument("--publish", type=Path, nargs="+", metavar="FILE", help="write bench/RESULTS.md and docs/speed.svg from the JSON of earlier runs")
    a = parser.parse_args(argv)
    if not 1 <= a.threads <= 1024:  # as in the command line
        parser.error(f"--threads takes a number from 1 to 1024, got {a.threads}")
    if a.neighbours < 0:
        parser.error(f"--neighbours takes a number from 1, got {a.neighbours}")
    try:
        a.filter = re.compile(a.filter)
    except re.error as error:
        parser.error(f"--filter is no regular expression: {error}")
    if a.json and not a.json.absolute().parent.is_dir():
        parser.error(f"--json: there is no folder {a.json.parent}")
    return a


def measure_rows(a, driver, workloads, rivals, progress):
    from measure import Wrong, measure
    from timing import FULL, QUICK

    rows, wrong = [], []
    for at, workload in enumerate(workloads):
        progress.show(at, len(workloads), workload.name)
        try:
            rows.append(measure(driver, workload, rivals, a.threads, QUICK if a.quick else FULL))
        except Wrong as error:
            wrong.append(str(error))
            progress.clear()
            print(f"WRONG {error}", file=sys.stderr)
    return rows, wrong


def measure_neighbours(a, driver, workloads, progress):
    import neighbours
    from timing import FULL, QUICK

    found = []
    for at, workload in enumerate(workloads):
        progress.show(at, len(workloads), f"neighbours of {workload.name}")
        found += neighbours.measure(driver, workload, a.threads, QUICK if a.quick else FULL, a.neighbours, a.seed)
    return found


def run(a, argv):
    # Set before the libraries are loaded, because OpenMP reads it only once.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(a.threads)
    report = {"command": shlex.join(["./dev", "bench", *argv]), "date": datetime.date.today().isoformat(), "threads": a.threads, "quick": a.quick,
              "revision": machine.revision(), "machine": machine.describe(), "versions": {}, "absent": {}, "rows": [], "wrong": []}  # fmt: skip
    begin, progress = time.monotonic(), Progress()
    if a.weight:
        import weight

        report["weight"] = weight.measure(progress.note)
    else:
        workloads = [w for w in suite.read() if a.filter.search(w.name)]
        if not workloads:
            raise SystemExit(f"bench: no workload matches {a.filter.pattern!r}, see bench/suite.txt")
        import driver as native
        from onnx_rival import OnnxRuntime
        from torch_rival import PyTorch

        driver = native.load()
        rivals = [] if a.neighbours else [
            PyTorch(a.threads), OnnxRuntime(a.threads), native.NativeRival(driver, "onednn", "oneDNN"), native.NativeRival(driver, "xnnpack", "XNNPACK"),
        ]  # fmt: skip
        report["versions"] = {"tidepool": driver.bench_version(b"tidepool").decode()} | {rival.key: rival.version for rival in rivals}
        report["absent"] = {rival.key: rival.absent for rival in rivals if rival.absent}
        if a.neighbours:
            report["neighbours"] = measure_neighbours(a, driver, workloads, progress)
        else:
            report["rows"], report["wrong"] = measure_rows(a, driver, workloads, rivals, progress)
    progress.clear()
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
