"""Made-up measurements for the tests of the benchmark's scripts."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "bench")]
import targets  # noqa: E402


def row(id_="stem32", problem="max2d fwd f32 nchw 32x64x112x112 k3 s2 p1", seconds=0.01, limit=0.95, rivals=None, **more):
    """As bench/measure.py makes it; what is not given follows from the problem's text."""
    op, way, dtype, layout = problem.split()[:4]
    found = {
        "id": id_, "problem": problem, "op": op[:-2], "pass": way, "dtype": dtype, "layout": layout, "channels_last": layout[1] != "c",
        "rank": int(op[-2]), "indices": None, "index_bytes": None, "taps": 9, "read_bytes": 80_000_000, "written_bytes": 20_000_000,
        "elements": 25_000_000, "outputs": 5_000_000, "kernel": "columns", "target": "AVX3", "scratch_bytes": 0, "seconds": seconds, "measurements": 9,
        "gb_per_s": 0.1 / seconds, "limit_seconds": limit * seconds, "limit_ratio": limit,
        "rivals": {key: {"note": "", "seconds": ratio * seconds, "ratio": ratio, "measurements": 5} for key, ratio in (rivals or {}).items()},
    }  # fmt: skip
    return found | more


def report(rows=(), **more):
    machine = {"cpu": "A <CPU>", "cores": 2, "l2_bytes": 1 << 20, "l3_bytes": 1 << 25, "memory_gb": 8, "system": "Linux 6", "load": 0.1}
    made = {"command": "./dev bench", "date": "2026-01-02", "threads": 1, "quick": False, "revision": "abc", "machine": machine, "wrong": [],
            "versions": {"tidepool": "0.1.0", "pytorch": "2.13.0", "xnnpack": ""}, "absent": {"xnnpack": "not installed"}, "rows": list(rows),
            "seconds": 60.0}  # fmt: skip
    made |= more
    return made | {"targets": targets.judge(made)}


def verdict(made, name):
    return next(t for t in made["targets"] if t["target"] == name)
