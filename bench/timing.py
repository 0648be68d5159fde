"""Best times of contenders that take turns, so that a slow moment of the machine touches all of them."""

import time
from typing import NamedTuple


class Budget(NamedTuple):
    seconds: float  # each contender is measured at least that long
    repetitions: int  # and at least that often
    patience: float  # but a slow one no longer than that, if it was measured once


FULL = Budget(0.3, 5, 2.0)
QUICK = Budget(0.03, 3, 0.2)

# A turn is a few calls, so that the caches hold its own data in all but the first. With threads it is longer, because a rest follows it.
TURN_SECONDS = {False: 3e-3, True: 30e-3}
SHORTEST = 30e-6  # calls that take less are timed several at once


class Stopwatch:
    """What is known of one contender."""

    def __init__(self, job, warm_up):
        self.job, self.calls = job, 1
        self.best = self.slow = warm_up
        self.spent, self.count = 0.0, 0

    def turn(self, budget, threads):
        if self.slow > budget.patience:
            self.count = 1  # its one call has to do
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
    """Best seconds per call and the number of measurements, for every name. `warm_ups` are the first calls of jobs that had theirs.

    With several threads a job's `rest` follows its turn: the seconds for which its idle threads go on spinning, in the next one's way."""
    warm = warm_ups or {}
    watches = {name: Stopwatch(job, warm[name] if name in warm else job.time(1)) for name, job in jobs.items()}
    active = dict(watches)
    while active:
        for name, watch in list(active.items()):
            watch.turn(budget, threads)
            if watch.done(budget):
                del active[name]
    return {name: (watch.best, watch.count) for name, watch in watches.items()}
