#!/usr/bin/env python3
"""Compares a training step of ResNet-18 in PyTorch and in tidepool::nn, measured in turns on the same machine.

    train_step.py PROGRAM [--rounds 5] [--threads 1]

PROGRAM is tidepool_train_step of a release build. Both run with the contiguous and with the channels-last memory format; the ratio compares
the faster format of each. The smallest time of all rounds is used, because noise only makes a run slower.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

import torch
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "golden"))
from networks import ResNet18  # noqa: E402

BATCH, SIDE = 8, 128
FORMATS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}


def pytorch_step(layout, steps):
    net = ResNet18(64, 1000).to(memory_format=FORMATS[layout]).train()
    x = torch.randn(BATCH, 3, SIDE, SIDE).contiguous(memory_format=FORMATS[layout])
    target = torch.zeros(BATCH, dtype=torch.int64)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    times = []
    for _ in range(steps + 1):
        start = time.perf_counter()
        optimizer.zero_grad()
        F.cross_entropy(net(x), target).backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
    return 1e3 * sorted(times[1:])[steps // 2]


def tidepool_step(program, layout, steps, threads):
    command = [program, "--format", layout, "--steps", str(steps), "--threads", str(threads)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    step, pooling = re.search(r"step ([\d.]+) ms, pooling ([\d.]+) ms", text).groups()
    return float(step), float(pooling)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    theirs, ours = {}, {}
    for _ in range(arguments.rounds):
        for layout in FORMATS:
            theirs[layout] = min(theirs.get(layout, 1e9), pytorch_step(layout, 3))
            ours[layout] = min(ours.get(layout, (1e9, 0)), tidepool_step(arguments.program, layout, 3, arguments.threads))
    print(f"ResNet-18, {BATCH}x3x{SIDE}x{SIDE}, {arguments.threads} thread(s), ms per training step")
    for layout in FORMATS:
        step, pooling = ours[layout]
        print(f"  {layout:14} PyTorch {theirs[layout]:7.1f}   tidepool {step:7.1f}   pooling {pooling:5.2f} ({100 * pooling / step:.2f} %)")
    print(f"  best of each: {min(ours.values())[0] / min(theirs.values()):.2f} x PyTorch")


if __name__ == "__main__":
    main()
