"""Measures whole networks in PyTorch with and without tidepool.torch.enable(), in turns on the same weights and inputs."""

import time
from typing import NamedTuple

MODES = ("inference", "training")
LAYOUTS = ("contiguous", "channels_last")


class Budget(NamedTuple):
    turns: int  # of each side
    turn_seconds: float  # at least, and at least one step


FULL = Budget(12, 0.5)
QUICK = Budget(6, 0.15)

TOLERANCE = 1e-3  # of the loss, between both sides: gradients of overlapping windows are added in another order than PyTorch's


class Cell(NamedTuple):
    network: str
    mode: str
    layout: str

    @property
    def name(self):
        """The text that --filter is matched with."""
        return f"{self.network} {self.mode} {self.layout}"


def cells(names, matches):
    return [cell for name in names for mode in MODES for layout in LAYOUTS if matches((cell := Cell(name, mode, layout)).name)]


class Step:
    """A step of a network: of training, or a forward pass of inference. Returns the loss, or a number that depends on all results."""

    def __init__(self, torch, make, shape, cell):
        torch.manual_seed(1)
        form = getattr(torch, {"contiguous": "contiguous_format"}.get(cell.layout, cell.layout))
        self.torch, self.training = torch, cell.mode == "training"
        self.net = make().to(memory_format=form).train(self.training)
        self.x = torch.randn(shape).to(memory_format=form)
        with torch.no_grad():
            y = self.net.eval()(self.x)
        self.net.train(self.training)
        labels = (y.shape[0], *y.shape[2:])
        self.target = torch.randint(y.shape[1], labels)
        # Without momentum: the optimizer should not hide what pooling costs.
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-5)

    def __call__(self):
        if not self.training:
            with self.torch.inference_mode():
                return self.net(self.x).sum().item()
        self.optimizer.zero_grad()
        loss = self.torch.nn.functional.cross_entropy(self.net(self.x), self.target)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def timed(step, seconds):
    """The shortest of as many steps as fit into the time, at least one."""
    begin, best = time.perf_counter(), float("inf")
    while True:
        start = time.perf_counter()
        step()
        now = time.perf_counter()
        best = min(best, now - start)
        if now - begin >= seconds:
            return best


def row_of(cell, shape, without, with_):
    """`without` and `with_`: the times of the turns. The noise is what PyTorch gains over itself between every other turn."""
    odd, even = min(without[::2]), min(without[1::2] or without)
    return {"network": cell.network, "mode": cell.mode, "layout": cell.layout, "shape": list(shape), "pytorch_seconds": min(without),
            "tidepool_seconds": min(with_), "ratio": min(without) / min(with_), "noise": max(odd, even) / min(odd, even), "turns": len(without)}  # fmt: skip


def measure(torch, enabled, make, shape, cell, budget):
    """A row for the report. Raises ValueError if both sides compute different losses."""
    losses, times = {}, {False: [], True: []}
    for on in times:  # also warms up
        step = Step(torch, make, shape, cell)  # the same weights for both
        with enabled(on):
            step()
            losses[on] = step()
    if not abs(losses[True] - losses[False]) <= TOLERANCE * max(1, abs(losses[False])):
        raise ValueError(f"{cell.name}: PyTorch computes {losses[False]:.6g}, and {losses[True]:.6g} with tidepool")
    for _ in range(budget.turns):
        for on, found in times.items():
            with enabled(on):
                found.append(timed(step, budget.turn_seconds))
    return row_of(cell, shape, times[False], times[True])


def measure_all(threads, quick, matches, progress):
    """Returns (rows, wrong, versions) for the report."""
    import torch
    from models import NETWORKS

    torch.set_num_threads(threads)  # before tidepool reads it
    import tidepool
    from tidepool.torch import enabled

    chosen = cells(NETWORKS, matches)
    if not chosen:
        raise RuntimeError("no network matches; the names are " + ", ".join(NETWORKS))
    rows, wrong = [], []
    for at, cell in enumerate(chosen):
        progress.show(at, len(chosen), cell.name)
        make, shape = NETWORKS[cell.network]
        try:
            rows.append(measure(torch, enabled, make, shape, cell, QUICK if quick else FULL))
        except ValueError as error:
            wrong.append(str(error))
    return rows, wrong, {"tidepool": tidepool.__version__, "pytorch": torch.__version__}
