#!/usr/bin/env python3
"""Writes tests/nn/weights: the state dict of a small PyTorch network in both file formats, with an input and PyTorch's output for it.

Needs PyTorch and the package safetensors.
"""

from pathlib import Path

import numpy
import torch
from safetensors.torch import save_file

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "nn" / "weights"


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3)
        self.bn = torch.nn.BatchNorm2d(2)
        self.fc = torch.nn.Linear(18, 3)

    def forward(self, x):
        x = torch.nn.functional.max_pool2d(torch.relu(self.bn(self.conv(x))), 2)
        return self.fc(torch.flatten(x, 1))


def main():
    torch.manual_seed(1)
    net = Small()
    x = torch.randn(4, 1, 8, 8)
    net(x)  # updates the running statistics, so that they are not the initial ones
    net.eval()
    state = net.state_dict()
    FOLDER.mkdir(exist_ok=True)
    save_file(state, FOLDER / "small.safetensors", metadata={"format": "pt"})
    numpy.savez_compressed(FOLDER / "small.npz", **{name: tensor.numpy() for name, tensor in state.items()})
    with torch.no_grad():
        numpy.savez(FOLDER / "answer.npz", x=x.numpy(), logits=net(x).numpy())


if __name__ == "__main__":
    main()
