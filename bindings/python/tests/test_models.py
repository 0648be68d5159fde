"""Whole networks of PyTorch's modules under enable(): the same logits, the same gradients, and how long they take."""

import sys
import threading
import time
import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("no PyTorch here")

import nets
import tidepool.torch as tt
import torch.nn.functional as F


MAX_ALONE = ("VGG-11", "SqueezeNet", "U-Net-like")  # besides PyTorch's mean, and averages over bins of one cell


def step(net, x):
    """Logits and the gradients of all parameters."""
    net.zero_grad(set_to_none=True)
    logits = net(x)
    logits.square().mean().backward()
    return [logits.detach(), *(p.grad.clone() for p in net.parameters())]


def seconds(function, repeats=3):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def forward(net, x):
    with torch.no_grad():
        net(x)


class Models(unittest.TestCase):
    def setUp(self):
        self.threads = torch.get_num_threads()
        torch.set_num_threads(1)  # PyTorch's convolutions give other bits with other numbers of threads

    def tearDown(self):
        torch.set_num_threads(self.threads)
        tt.disable()

    def test_networks(self):
        for name, (make, size) in nets.NETS.items():
            torch.manual_seed(0)
            net, x = make(), torch.randn(2, 3, size, size)
            for layout in (torch.contiguous_format, torch.channels_last):
                x = x.to(memory_format=layout)
                net = net.to(memory_format=layout)
                with self.subTest(net=name, layout=layout):
                    theirs = step(net, x)
                    with tt.enabled():
                        ours = step(net, x)
                    if name in MAX_ALONE:
                        self.assertTrue(all(torch.equal(a, b) for a, b in zip(ours, theirs)))
                    for a, b in zip(ours, theirs):
                        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5 * max(1.0, b.abs().max().item()))
            net.eval()
            plain, plain_step = seconds(lambda: forward(net, x)), seconds(lambda: step(net, x))
            with tt.enabled():
                print(f"{name}: forward {plain * 1e3:.1f} ms, {seconds(lambda: forward(net, x)) * 1e3:.1f} with tidepool; "
                      f"training step {plain_step * 1e3:.1f} ms, {seconds(lambda: step(net, x)) * 1e3:.1f} with tidepool", file=sys.stderr)

    def test_eight_threads_at_once(self):
        x = torch.randn(4, 16, 32, 32)
        expected = F.max_pool2d(x, 3, 2, 1), F.avg_pool2d(x, 3, 2, 1)
        wrong = []

        def work():
            for _ in range(20):
                y = x.clone().requires_grad_()
                values = F.max_pool2d(y, 3, 2, 1)
                values.sum().backward()
                if not (torch.equal(values, expected[0]) and torch.equal(F.avg_pool2d(x, 3, 2, 1), expected[1]) and y.grad.sum() == values.numel()):
                    wrong.append(threading.get_ident())

        with tt.enabled():
            threads = [threading.Thread(target=work) for _ in range(8)]
            [t.start() for t in threads]
            [t.join() for t in threads]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
