"""Times PyTorch's pooling with and without tidepool.torch.enable(), in one process on the same tensors: ./dev python bench/pytorch.py [--threads N]"""

import argparse
import time

import tidepool.torch as tt
import torch
import torch.nn.functional as F

# name, function, shape, whether gradients are computed
ROWS = [
    ("max_pool2d k3 s2 p1", lambda x: F.max_pool2d(x, 3, 2, 1), (32, 64, 112, 112), False),
    ("max_pool2d k2 s2", lambda x: F.max_pool2d(x, 2), (32, 64, 112, 112), False),
    ("max_pool2d k3 s2 p1, forward and backward", lambda x: F.max_pool2d(x, 3, 2, 1), (32, 64, 112, 112), True),
    ("avg_pool2d k3 s2 p1", lambda x: F.avg_pool2d(x, 3, 2, 1), (32, 64, 112, 112), False),
    ("adaptive_avg_pool2d 7", lambda x: F.adaptive_avg_pool2d(x, 7), (32, 256, 28, 28), False),
    ("max_pool3d k2 s2", lambda x: F.max_pool3d(x, 2), (2, 16, 32, 112, 112), False),
    ("max_pool2d k3 s2 p1, one call", lambda x: F.max_pool2d(x, 3, 2, 1), (1, 16, 8, 8), False),
    ("avg_pool2d k3 s2 p1, one call", lambda x: F.avg_pool2d(x, 3, 2, 1), (1, 16, 8, 8), False),
]


def best_time(call, budget):
    call()
    start, best, count = time.perf_counter(), float("inf"), 1
    while True:
        begin = time.perf_counter()
        for _ in range(count):
            call()
        took = time.perf_counter() - begin
        best = min(best, took / count)
        if took < 1e-3:
            count *= 2
        if time.perf_counter() - start > budget:
            return best


def measure(function, shape, gradient, layout, seconds):
    x = torch.randn(shape).to(memory_format=layout).requires_grad_(gradient)
    grad = torch.ones_like(function(x)) if gradient else None

    def call():
        if gradient:
            torch.autograd.grad(function(x), x, grad)
        else:
            with torch.no_grad():
                function(x)

    tt.disable()
    theirs = best_time(call, seconds)
    with tt.enabled():
        return theirs, best_time(call, seconds)


def text(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.1f} us"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="time budget of each measurement [1.0]")
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    print(f"PyTorch {torch.__version__}, float32, {a.threads} thread{'s' * (a.threads > 1)}\n")
    print("| | shape | layout | PyTorch | with tidepool | faster by |\n|---|---|---|---|---|---|")
    for name, function, shape, gradient in ROWS:
        for layout, word in ((torch.contiguous_format, "NCHW"), (torch.channels_last, "NHWC")):
            if len(shape) != 4 and word == "NHWC":
                continue
            theirs, ours = measure(function, shape, gradient, layout, a.seconds)
            print(f"| {name} | {'×'.join(map(str, shape))} | {word} | {text(theirs)} | {text(ours)} | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
