"""Measures jobs in turns and keeps the best time of each, so that a temporary slowdown of the machine affects all of them."""

import time
from typing import NamedTuple


class Budget(NamedTuple):
    seconds: float  # minimum time spent on each job
    repetitions: int  # minimum number of measurements
    patience: float  # maximum time spent on a job, after at least one measurement


FULL = Budget(0.3, 5, 2.0)
QUICK = Budget(0.03, 3, 0.2)

# Length of a turn. It has several calls, so that after the first the caches hold the data of the job. With threads it is longer, because each
# turn is followed by a pause.
TURN_SECONDS = {False: 3e-3, True: 30e-3}
SHORTEST = 30e-6  # shorter calls are timed several at a time


class Stopwatch:
    """The measurements of one job."""

    def __init__(self, job, warm_up):
        self.job, self.calls = job, 1
        self.best = self.slow = warm_up
        self.spent, self.count = 0.0, 0

    def turn(self, budget, threads):
        if self.slow > budget.patience:
            self.count = 1  # too slow to repeat: the warm-up is its only measurement
            return
        if self.count == 0:
            self.best = float("inf")
            self.calls = self._calls_at_once()
        turn = 0.0
        while turn < TURN_SECONDS[threads > 1]:
            took = self.job.time(self.calls)
            self.best = min(self.best, took / self.calls)
            self.count += 1
            turn += took
        self.spent += turn
        if threads > 1:
            time.sleep(self.job.rest)

    def done(self, budget):
        if self.slow > budget.patience or self.spent > budget.patience:
            return self.count > 0
        return self.spent >= budget.seconds and self.count >= budget.repetitions

    def _calls_at_once(self):
        once = min(self.job.time(1) for _ in range(3)) if self.slow < SHORTEST * 20 else self.slow
        return 1 if once > SHORTEST else int(SHORTEST / max(once, 1e-9)) + 1


def take_turns(jobs, budget, threads=1, warm_ups=None):
    """Returns the best seconds per call and the number of measurements for every job. `warm_ups` has the time of the first call for jobs that already ran.

    With several threads, each turn is followed by a pause of `job.rest` seconds. Idle threads keep spinning for that long, which would slow down
    the next job."""
    warm = warm_ups or {}
    watches = {name: Stopwatch(job, warm[name] if name in warm else job.time(1)) for name, job in jobs.items()}
    active = dict(watches)
    while active:
        for name, watch in list(active.items()):
            watch.turn(budget, threads)
            if watch.done(budget):
                del active[name]
    return {name: (watch.best, watch.count) for name, watch in watches.items()}
