"""tidepool as the CPU implementation of PyTorch's own pooling operators.

PyTorch's autograd is unchanged: it records the same nodes and calls the same backward operators, which tidepool computes too. A call that
tidepool does not support goes to PyTorch's own kernel, which computes it or raises PyTorch's error.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import pathlib
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

from .. import _core

Operator = Callable[..., Any]

# The dtypes of gradients that tidepool supports.
GRADIENTS = {torch.float32, torch.float64, torch.float16, torch.bfloat16}

lock = threading.Lock()
libraries: list[Any] = []  # what enable() registered with PyTorch; empty while disabled


def max_pool(rank: int) -> tuple[Operator, Operator]:
    def with_indices(x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
        return _core.max_pool(rank, x, True, None, (kernel_size, stride, padding, dilation, ceil_mode, None, None, None))

    def backward(grad, x, kernel_size, stride, padding, dilation, ceil_mode, indices):
        return _core.max_pool_backward(rank, grad, indices, x.shape, None,
                                       (kernel_size, stride, padding, dilation, ceil_mode, None, None, None))

    return with_indices, backward


def avg_pool(rank: int) -> tuple[Operator, Operator]:
    def forward(x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return _core.avg_pool(rank, x, None, (kernel_size, stride, padding, None, ceil_mode, count_include_pad, divisor_override, None, None))

    def backward(grad, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return _core.avg_pool_backward(rank, grad, x.shape, None, (kernel_size, stride, padding, None, ceil_mode, count_include_pad,
                                                                   divisor_override, None, None))

    return forward, backward


def adaptive_pool(rank: int) -> tuple[Operator, Operator, Operator, Operator]:
    return (lambda x, output_size: _core.adaptive_avg_pool(rank, x, output_size, None),
            lambda grad, x: _core.adaptive_avg_pool_backward(rank, grad, x.shape, None),
            lambda x, output_size: _core.adaptive_max_pool(rank, x, output_size, True, None, None, None),
            lambda grad, x, indices: _core.adaptive_max_pool_backward(rank, grad, indices, x.shape, None, None, None))


def fractional_max_pool(rank: int) -> tuple[Operator, Operator]:
    def forward(x, kernel_size, output_size, samples):
        return _core.fractional_max_pool(rank, x, samples, True, None, (kernel_size, output_size, None, None, None, None))

    def backward(grad, x, kernel_size, output_size, indices):
        return _core.fractional_max_pool_backward(rank, grad, indices, x.shape, None, None,
                                                  (kernel_size, output_size, None, None, None, None))

    return forward, backward


def max_unpool(rank: int) -> Operator:
    def forward(x, indices, output_size, *_):
        # PyTorch's operator has no window, only the output size. A window of stride 1 and of this size gives that output size.
        kernel_size = [o - l + 1 for o, l in zip(output_size, x.shape[-rank:])]
        return _core.max_unpool(rank, x, indices, None, (kernel_size, 1, 0, 1, output_size, None, None))

    return forward


def operators() -> dict[str, Operator]:
    """tidepool's function for each of PyTorch's operators that has a CPU kernel, by the operator's name."""
    table: dict[str, Operator] = {}
    for rank in (2, 3):
        table[f"max_pool{rank}d_with_indices"], table[f"max_pool{rank}d_with_indices_backward"] = max_pool(rank)
        table[f"avg_pool{rank}d"], table[f"avg_pool{rank}d_backward"] = avg_pool(rank)
        (table[f"_adaptive_avg_pool{rank}d"], table[f"_adaptive_avg_pool{rank}d_backward"], table[f"adaptive_max_pool{rank}d"],
         table[f"adaptive_max_pool{rank}d_backward"]) = adaptive_pool(rank)
        table[f"fractional_max_pool{rank}d"], table[f"fractional_max_pool{rank}d_backward"] = fractional_max_pool(rank)
        table[f"max_unpool{rank}d"] = max_unpool(rank)
    return table


def kernel(name: str, run: Operator) -> Operator:
    """Calls `run`, and PyTorch's own kernel where `run` raises an error.

    A backward pass goes to PyTorch only because of its dtype. After an error it must not: PyTorch does not check indices, and would write
    outside of the tensor.
    """
    theirs = torch.library.get_kernel(f"aten::{name}", "CPU")
    backward = name.endswith("_backward")

    def call(keys: Any, x: torch.Tensor, *args: Any) -> Any:
        if backward and x.dtype not in GRADIENTS:
            return theirs.call_boxed(keys, x, *args)
        try:
            return run(x, *args)
        except _core.Error as e:
            if backward:
                raise RuntimeError(str(e)) from None
        except TypeError:  # symbolic sizes, while a program is traced
            pass
        return theirs.call_boxed(keys, x, *args)

    return call


def without_indices() -> list[Any]:
    """Registers max pooling without indices for calls that need no gradient.

    In PyTorch max_pool2d is a composite of max_pool2d_with_indices and always computes indices. Where PyTorch lacks a symbol that this
    registration needs, nothing is registered: max_pool2d then stays a composite, and tidepool computes max_pool2d_with_indices.
    """
    try:
        shared = ctypes.CDLL(str(next(pathlib.Path(torch.__file__).parent.glob("lib/libtorch_cpu.*"))))

        def address(name: str) -> int | None:
            return ctypes.cast(getattr(shared, name), ctypes.c_void_p).value

        return [_core.TorchLibrary(address, key) for key in ("CPU", "AutogradCPU")]
    except (AttributeError, StopIteration):
        return []


def enable() -> None:
    """Makes tidepool compute PyTorch's pooling of CPU tensors, in the whole process, with the number of threads that PyTorch has now.

    A second call has no effect.

    Example:
        >>> import torch, tidepool.torch
        >>> tidepool.torch.enable()
        >>> torch.nn.MaxPool1d(2)(torch.arange(4.0).reshape(1, 4))  # computed by tidepool
        tensor([[1., 3.]])
        >>> tidepool.torch.disable()
    """
    with lock:
        if libraries:
            return
        _core.set_num_threads(torch.get_num_threads())
        library = torch.library.Library("aten", "IMPL")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch warns that its kernels are overridden, which is the purpose
            for name, run in operators().items():
                library.impl(name, kernel(name, run), "CPU", with_keyset=True, allow_override=True)
        libraries.extend([library, *without_indices()])


def disable() -> None:
    """Undoes enable(): PyTorch's pooling uses PyTorch's own kernels again.

    Example:
        >>> import tidepool.torch
        >>> tidepool.torch.disable()
        >>> tidepool.torch.is_enabled()
        False
    """
    with lock:
        while libraries:
            libraries.pop()._destroy()


atexit.register(disable)


def is_enabled() -> bool:
    """Whether PyTorch's pooling of CPU tensors is computed by tidepool.

    Example:
        >>> import tidepool.torch
        >>> with tidepool.torch.enabled():
        ...     tidepool.torch.is_enabled()
        True
    """
    return bool(libraries)


@contextlib.contextmanager
def enabled(on: bool = True) -> Iterator[None]:
    """enable(), or disable() when `on` is false, for a with block. The end of the block restores the previous state. Applies to all threads.

    Args:
        on: Whether tidepool computes PyTorch's pooling inside the block.

    Example:
        >>> import torch, tidepool.torch
        >>> with tidepool.torch.enabled():
        ...     torch.nn.functional.avg_pool1d(torch.arange(4.0).reshape(1, 4), 2)
        tensor([[0.5000, 2.5000]])
    """
    before = is_enabled()
    (enable if on else disable)()
    try:
        yield
    finally:
        (enable if before else disable)()
