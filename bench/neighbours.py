"""Measures random shapes near those of the suite, to show that kernels are not tuned to particular shapes."""

import random
import re

from timing import take_turns

SHAPE = re.compile(r"\b\d+(?:x\d+){2,4}\b")


def neighbour(problem, rng):
    """The problem with channels and every spatial size changed by 1 to 5, and the batch too if it is 8 or more."""
    shape = SHAPE.search(problem)
    sizes = [int(n) for n in shape[0].split("x")]

    def moved(n):
        return max(1, n + rng.choice([-1, 1]) * rng.randint(1, 5))

    near = [sizes[0] if sizes[0] < 8 else moved(sizes[0]), *map(moved, sizes[1:])]
    return problem[: shape.start()] + "x".join(map(str, near)) + problem[shape.end() :]


def open_neighbour(driver, problem, threads, rng):
    """A valid neighbour. Draws again if a size became smaller than the window."""
    from driver import Case

    for _ in range(20):
        try:
            return Case(driver, neighbour(problem, rng), threads)
        except ValueError:
            continue
    return None


def measure(driver, workload, threads, budget, count, seed):
    """Measures tidepool's GB/s on `count` neighbours and on the shape of the workload, in turns."""
    from driver import Case

    if workload.id == "tiny":  # here the cost of the call dominates, so GB/s are not comparable
        return []

    rng = random.Random(f"{seed} {workload.problem}")
    found = []
    for _ in range(count):
        near = open_neighbour(driver, workload.problem, threads, rng)
        if near is None:
            continue
        with near, Case(driver, workload.problem, threads) as base:
            times = take_turns({"base": base.job("ours"), "near": near.job("ours")}, budget, threads)

            def speed(case, name):
                return (case.about["read_bytes"] + case.about["written_bytes"]) / times[name][0] / 1e9

            found.append({"id": workload.id, "base": base.about["problem"], "problem": near.about["problem"], "kernel": near.about["kernel"],
                          "base_kernel": base.about["kernel"], "gb_per_s": speed(near, "near"), "ratio": speed(near, "near") / speed(base, "base")})  # fmt: skip
    return found
