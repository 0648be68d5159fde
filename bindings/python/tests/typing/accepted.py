"""Calls that a type checker must accept, and the types it must infer. Also run, so that the calls are real."""

from __future__ import annotations

import numpy as np
import tidepool
import tidepool.torch as tt
import torch
from typing_extensions import assert_type

x = np.ones((1, 1, 4, 4), np.float32)
t = torch.ones(1, 1, 4, 4)
yes: bool = bool(x[0, 0, 0, 0])


def numpy_results(image: np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]]) -> None:
    assert_type(tidepool.max_pool2d(image, 2), np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]])
    assert_type(tidepool.max_pool2d(image, 2, return_indices=False), np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]])
    assert_type(tidepool.avg_pool2d(image, (2, 2), padding="same"), np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]])
    for values, indices in (
        tidepool.max_pool2d(image, 2, return_indices=True),
        tidepool.min_pool2d(image, 2, None, 0, 1, False, True),
        tidepool.adaptive_max_pool2d(image, (2, None), True),
        tidepool.global_max_pool2d(image, return_indices=True),
        tidepool.fractional_max_pool2d(image, 2, 2, return_indices=True, seed=1),
    ):
        assert_type(values, np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]])
        integers: np.ndarray[tuple[int, ...], np.dtype[np.integer]] = indices
        image.reshape(-1)[indices]
        assert_type(tidepool.max_unpool2d(values, integers, 2), np.ndarray[tuple[int, int, int, int], np.dtype[np.float32]])


def tensor_results() -> None:
    assert_type(tidepool.max_pool2d(t, 2), torch.Tensor)
    assert_type(tidepool.max_pool2d(t, 2, return_indices=True), tuple[torch.Tensor, torch.Tensor])
    assert_type(tt.max_pool2d(t, 2), torch.Tensor)
    assert_type(tt.max_pool2d(t, 2, return_indices=True), tuple[torch.Tensor, torch.Tensor])
    assert_type(tt.max_pool2d(t, 2, None, 0, 1, False, True), tuple[torch.Tensor, torch.Tensor])
    assert_type(tt.max_pool2d(t, 2, return_indices=yes), "torch.Tensor | tuple[torch.Tensor, torch.Tensor]")
    assert_type(tt.adaptive_max_pool2d(t, 2, return_indices=True), tuple[torch.Tensor, torch.Tensor])
    assert_type(tt.avg_pool2d(t, 2, padding=((1, 0), (0, 1))), torch.Tensor)
    assert_type(tt.lp_pool2d(t, 2.0, 2, preset="onnx"), torch.Tensor)
    tt.MaxPool2d(2, return_indices=True)(t)
    with tt.enabled():
        assert_type(tt.is_enabled(), bool)


def the_rest() -> None:
    assert_type(tidepool.num_threads(), int)
    assert_type(tidepool.__version__, str)
    out = np.empty((1, 1, 2, 2), np.float32)
    tidepool.max_pool2d(x, 2, out=out)
    tidepool.max_pool2d_backward(out, np.zeros((1, 1, 2, 2), np.int64), x.shape, 2)
    try:
        tidepool.max_pool2d(x, 0)
    except tidepool.Error as e:
        error: ValueError = e
        assert str(error)


def analyses() -> None:
    net = tidepool.analyze("conv 3x3 8 p1, max 2", (3, 8, 8))
    assert_type(net, tidepool.Analysis)
    assert_type(net.layers[0].shape, "tuple[int, ...] | None")
    assert_type(net.layers[0].fields[0].size, int)
    assert_type(net.field("conv1", (0, 0)).along(2), tuple[tuple[int, int], ...])
    assert_type(net.findings[0].text if net.findings else "", str)
    assert_type(net.parameters, int)
    assert_type(net.to_html(), str)
    assert_type(net.to_markdown(), str)
    tidepool.analyze(torch.nn.Conv2d(3, 8, 3), [(1, 3, 8, 8)])


numpy_results(x)
tensor_results()
analyses()
the_rest()
