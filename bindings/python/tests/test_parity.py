"""Live parity with the installed PyTorch, for half a minute, and its own gradient checks."""

import os
import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("no PyTorch here")

import parity
import tidepool.torch as tt


class Parity(unittest.TestCase):
    def test_random_cases(self):
        # The same cases in every run, so that a failure is never a matter of luck. ./dev parity draws new ones.
        seed = int(os.environ.get("TIDEPOOL_PARITY_SEED", "1"))
        self.assertEqual(parity.run(float(os.environ.get("TIDEPOOL_PARITY_SECONDS", "30")), seed), 0, f"seed {seed}")


def distinct(shape, seed):
    """Cells that differ by far more than gradcheck moves them, none near zero."""
    count = torch.Size(shape).numel()
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).double()
    return ((order + 1) / 4).reshape(shape).requires_grad_()


class Gradients(unittest.TestCase):
    """Finite differences, once and twice."""

    def check(self, function, *inputs):
        self.assertTrue(torch.autograd.gradcheck(function, inputs))
        self.assertTrue(torch.autograd.gradgradcheck(function, inputs))

    def test_every_op(self):
        for rank in (1, 2, 3):
            shape = (2, 2, *[5, 4, 4][:rank])
            window = {"kernel_size": 3, "stride": 2, "padding": 1}
            op = lambda name: getattr(tt, f"{name}{rank}d")
            table = {
                "max_pool": lambda x: op("max_pool")(x, **window),
                "min_pool": lambda x: op("min_pool")(x, **window, ceil_mode=True),
                "max_pool dilated": lambda x: op("max_pool")(x, 2, 1, 1, 2),
                "avg_pool": lambda x: op("avg_pool")(x, **window, count_include_pad=False),
                "sum_pool": lambda x: op("sum_pool")(x, **window),
                "lp_pool 2": lambda x: op("lp_pool")(x, 2.0, 2),
                "lp_pool 3": lambda x: op("lp_pool")(x, 3.0, 3, 2, padding=1),
                "adaptive_max_pool": lambda x: op("adaptive_max_pool")(x, 3),
                "adaptive_avg_pool": lambda x: op("adaptive_avg_pool")(x, 3),
                "global_max_pool": lambda x: op("global_max_pool")(x),
                "global_avg_pool": lambda x: op("global_avg_pool")(x),
                "global_sum_pool": lambda x: op("global_sum_pool")(x),
                "global_lp_pool": lambda x: op("global_lp_pool")(x, 3.0),
            }
            if rank > 1:
                table["fractional_max_pool"] = lambda x: op("fractional_max_pool")(x, 2, 2, seed=3)
            for name, function in table.items():
                with self.subTest(op=name, rank=rank):
                    self.check(function, distinct(shape, rank))
            with self.subTest(op="max_unpool", rank=rank):
                values, where = op("max_pool")(distinct((2, 2, *[4] * rank), 5).detach(), 2, return_indices=True)
                self.check(lambda v: op("max_unpool")(v, where, 2), values.requires_grad_())


if __name__ == "__main__":
    unittest.main()
