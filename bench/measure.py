"""Measures one workload: tidepool, the memory limit, and every rival library that can compute it."""

from contextlib import nullcontext

from check import difference
from driver import Cannot, Case
from timing import take_turns


class Wrong(Exception):
    """Raised if a rival computes another result than tidepool. The measurements of the workload are then discarded."""


def too_slow(about, budget):
    """Whether rivals would take too long for --quick. Their cost grows with the window; large windows take seconds per call."""
    return budget.patience < 1 and about["taps"] * about["outputs"] > 2e9


def add_rivals(case, rivals, budget, jobs, warm_ups, verdicts):
    """Adds the jobs of all rivals that compute the same result to `jobs`, and the reasons for the others to `verdicts`."""
    about, output = case.about, case.arrays["output"]
    ours = jobs["ours"]
    output.poison()
    ours.time(1)
    expected = output.numpy().copy(order="K")  # keeps the memory order of the output
    indices = case.arrays.get("indices_out")
    expected_indices = indices.numpy().copy(order="K") if indices else None
    for rival in rivals:
        if rival.absent:
            verdicts[rival.key] = {"absent": rival.absent}
            continue
        if too_slow(about, budget):
            verdicts[rival.key] = {"cannot": "left out of --quick: seconds a call"}
            continue
        try:
            output.poison()
            if indices:
                indices.poison()
            job = rival.job(case)
            warm_ups[rival.key] = job.time(1)
            fault, note = difference(about, expected, job.result(case))
        except Cannot as reason:
            verdicts[rival.key] = {"cannot": str(reason)}
            continue
        if not fault and rival.key == "pytorch" and about["indices"] == "plane" and indices and (indices.numpy() != expected_indices).any():
            fault = "the indices differ"
        if fault:
            raise Wrong(f"{about['problem']}: {rival.name} and tidepool disagree: {fault}")
        verdicts[rival.key] = {"note": "; ".join(filter(None, [note, job.note]))}
        jobs[rival.key] = job


def add_unchecked(case, jobs):
    """Adds backward without the check of its indices, if the result is the same."""
    output = case.arrays["output"]
    jobs["ours"].time(1)
    expected = bytes(output.memory())
    output.poison()
    job = case.job("unchecked")
    job.time(1)
    if bytes(output.memory()) == expected:
        jobs["unchecked"] = job


def measure(driver, workload, rivals, threads, budget):
    """Returns the measurements of a workload as a dict for the JSON report."""
    with Case(driver, workload.problem, threads) as case:
        about, warm_ups, verdicts = case.about, {}, {}
        jobs = {"ours": case.job("ours"), "limit": case.job("limit")}
        add_rivals(case, rivals, budget, jobs, warm_ups, verdicts)
        if workload.id == "tiny" and about["pass"] == "fwd" and not about["indices"]:
            jobs["one_shot"] = case.job("one_shot")
        if about["op"] == "max" and about["pass"] == "bwd" and threads == 1:
            add_unchecked(case, jobs)
        with Case(driver, workload.problem, 1) if threads > 1 else nullcontext() as alone:
            if alone:
                jobs |= {"ours_alone": alone.job("ours"), "limit_alone": alone.job("limit")}
            times = take_turns(jobs, budget, threads, warm_ups)
            ours = times["ours"][0]
            moved = about["read_bytes"] + about["written_bytes"]
            row = {
                "id": workload.id,
                **{key: about[key] for key in ("problem", "op", "pass", "dtype", "layout", "channels_last", "rank", "indices", "index_bytes", "taps",
                                               "read_bytes", "written_bytes", "elements", "outputs", "kernel", "target", "scratch_bytes")},  # fmt: skip
                "seconds": ours,
                "measurements": times["ours"][1],
                "gb_per_s": moved / ours / 1e9,
                "limit_seconds": times["limit"][0],
                "limit_ratio": times["limit"][0] / ours,
                "rivals": verdicts,
            }
            for key in ("one_shot", "unchecked", "ours_alone", "limit_alone"):
                if key in times:
                    row[f"{key}_seconds"] = times[key][0]
            for key, verdict in verdicts.items():
                if key in times:
                    verdict |= {"seconds": times[key][0], "ratio": times[key][0] / ours, "measurements": times[key][1]}
            return row
