"""Measures drawn problems against PyTorch, in every pass that their op has."""

import draw
from suite import Workload

# PyTorch reads every element of every window, at some nanoseconds each: more than this takes it many seconds a call.
MOST_VISITS = 2e9


def jobs_of(count, seed, matches):
    """(number, pass, problem, visits) of the problems 0 to count - 1 of a seed whose pass and text match."""
    for number in range(count):
        drawn = draw.draw(seed, number)
        for way, problem in drawn.problems.items():
            if matches(f"{way} {problem}"):
                yield number, way, problem, drawn.visits


def measure(driver, pytorch, threads, budget, jobs, progress):
    """Returns (rows, skipped, wrong) for the report."""
    from measure import Wrong
    from measure import measure as measure_one

    rows, skipped, wrong = [], [], []
    for at, (number, way, problem, visits) in enumerate(jobs):
        progress.show(at, len(jobs), problem)
        reason = "PyTorch would take many seconds a call"
        if visits <= MOST_VISITS:
            try:
                row = measure_one(driver, Workload(f"draw{number}", problem), [pytorch], threads, budget)
            except Wrong as error:
                wrong.append(str(error))
                continue
            reason = row["rivals"][pytorch.key].get("cannot")
            if not reason:
                rows.append(row)
        if reason:
            skipped.append({"pass": way, "problem": problem, "reason": reason})
    return rows, skipped, wrong
