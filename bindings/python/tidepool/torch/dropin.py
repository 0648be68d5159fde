"""tidepool as the CPU implementation of PyTorch's own pooling operators.

PyTorch's autograd stays on top: it records the same nodes and calls the same backward operators, which are tidepool's too. What tidepool
refuses goes to the kernel that was there before, which computes it or refuses it in PyTorch's words.
"""

import atexit
import contextlib
import ctypes
import pathlib
import threading
import warnings

import torch

from .. import _core

GRADIENTS = {torch.float32, torch.float64, torch.float16, torch.bfloat16}

lock = threading.Lock()
libraries = []


def max_pool(rank):
    def with_indices(x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
        return _core.max_pool(rank, x, True, None, (kernel_size, stride, padding, dilation, ceil_mode, None, None, None))

    def backward(grad, x, kernel_size, stride, padding, dilation, ceil_mode, indices):
        return _core.max_pool_backward(rank, grad, indices, x.shape, None,
                                       (kernel_size, stride, padding, dilation, ceil_mode, None, None, None))

    return with_indices, backward


def avg_pool(rank):
    def forward(x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return _core.avg_pool(rank, x, None, (kernel_size, stride, padding, None, ceil_mode, count_include_pad, divisor_override, None, None))

    def backward(grad, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return _core.avg_pool_backward(rank, grad, x.shape, None, (kernel_size, stride, padding, None, ceil_mode, count_include_pad,
                                                                   divisor_override, None, None))

    return forward, backward


def adaptive_pool(rank):
    return (lambda x, output_size: _core.adaptive_avg_pool(rank, x, output_size, None),
            lambda grad, x: _core.adaptive_avg_pool_backward(rank, grad, x.shape, None),
            lambda x, output_size: _core.adaptive_max_pool(rank, x, output_size, True, None, None, None),
            lambda grad, x, indices: _core.adaptive_max_pool_backward(rank, grad, indices, x.shape, None, None, None))


def fractional_max_pool(rank):
    def forward(x, kernel_size, output_size, samples):
        return _core.fractional_max_pool(rank, x, samples, True, None, (kernel_size, output_size, None, None, None, None))

    def backward(grad, x, kernel_size, output_size, indices):
        return _core.fractional_max_pool_backward(rank, grad, indices, x.shape, None, None,
                                                  (kernel_size, output_size, None, None, None, None))

    return forward, backward


def max_unpool(rank):
    def forward(x, indices, output_size, *_):
        # The operator knows sizes alone: the window of stride 1 that leads there. There is none to something smaller.
        kernel_size = [o - l + 1 for o, l in zip(output_size, x.shape[-rank:])]
        return _core.max_unpool(rank, x, indices, None, (kernel_size, 1, 0, 1, output_size, None, None))

    return forward


def operators():
    """name -> function, for operators that have a CPU kernel of their own."""
    table = {}
    for rank in (2, 3):
        table[f"max_pool{rank}d_with_indices"], table[f"max_pool{rank}d_with_indices_backward"] = max_pool(rank)
        table[f"avg_pool{rank}d"], table[f"avg_pool{rank}d_backward"] = avg_pool(rank)
        (table[f"_adaptive_avg_pool{rank}d"], table[f"_adaptive_avg_pool{rank}d_backward"], table[f"adaptive_max_pool{rank}d"],
         table[f"adaptive_max_pool{rank}d_backward"]) = adaptive_pool(rank)
        table[f"fractional_max_pool{rank}d"], table[f"fractional_max_pool{rank}d_backward"] = fractional_max_pool(rank)
        table[f"max_unpool{rank}d"] = max_unpool(rank)
    return table


def kernel(name, run):
    """Our function, and PyTorch's own kernel for whatever ours refuses. A backward pass goes there for its dtype only: PyTorch follows
    indices without looking at them."""
    theirs = torch.library.get_kernel(f"aten::{name}", "CPU")
    backward = name.endswith("_backward")

    def call(keys, x, *args):
        if backward and x.dtype not in GRADIENTS:
            return theirs.call_boxed(keys, x, *args)
        try:
            return run(x, *args)
        except _core.Error as e:
            if backward:
                raise RuntimeError(str(e)) from None
        except TypeError:  # sizes that are no numbers yet, while a program is traced
            pass
        return theirs.call_boxed(keys, x, *args)

    return call


def without_indices():
    """max_pool2d and its like are made of others in PyTorch, and compute indices whether or not anyone looks. Ours do not where no gradient
    will be asked for. A PyTorch that lacks what they need keeps its own making, whose parts are tidepool's all the same."""
    try:
        shared = ctypes.CDLL(str(next(pathlib.Path(torch.__file__).parent.glob("lib/libtorch_cpu.*"))))
        address = lambda name: ctypes.cast(getattr(shared, name), ctypes.c_void_p).value
        return [_core.TorchLibrary(address, key) for key in ("CPU", "AutogradCPU")]
    except (AttributeError, StopIteration):
        return []


def enable():
    """From now on PyTorch's pooling of CPU tensors is computed by tidepool, on as many threads as PyTorch has now. Calling it twice does
    nothing more."""
    with lock:
        if libraries:
            return
        _core.set_num_threads(torch.get_num_threads())
        library = torch.library.Library("aten", "IMPL")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that kernels are overridden is what was asked for
            for name, run in operators().items():
                library.impl(name, kernel(name, run), "CPU", with_keyset=True, allow_override=True)
        libraries.extend([library, *without_indices()])


def disable():
    """PyTorch's own kernels again."""
    with lock:
        while libraries:
            libraries.pop()._destroy()


atexit.register(disable)


def is_enabled():
    return bool(libraries)


@contextlib.contextmanager
def enabled(on=True):
    """enable() for the length of a with block, or disable() when `on` is false; afterwards as it was. Applies to all threads."""
    before = is_enabled()
    (enable if on else disable)()
    try:
        yield
    finally:
        (enable if before else disable)()
