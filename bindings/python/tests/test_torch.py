"""tidepool.torch: kinds of tensors, what is kept for backward, modules, enable() and what falls through."""

import inspect
import pickle
import unittest
import warnings

try:
    import torch
except ImportError:
    raise unittest.SkipTest("no PyTorch here")

import tidepool
import tidepool.torch as tt
import torch.nn.functional as F
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode


class Tensors(unittest.TestCase):
    def test_tensors_come_back(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.uint8):
            x = (torch.randn(2, 3, 8, 8) * 9).to(dtype)
            y, where = tidepool.max_pool2d(x, 3, 2, 1, return_indices=True)
            expected = F.max_pool2d(x, 3, 2, 1, return_indices=True)
            self.assertIs(type(y), torch.Tensor)
            self.assertTrue(torch.equal(y, expected[0]) and torch.equal(where, expected[1]))

    def test_views_are_read_in_place_and_out_is_written(self):
        x = torch.randn(2, 6, 9, 10)[:, ::2, 1:].transpose(2, 3)
        out = torch.empty(2, 3, 5, 4)
        self.assertIs(tidepool.avg_pool2d(x, 2, out=out), out)
        torch.testing.assert_close(out, F.avg_pool2d(x, 2))

    def test_gradients_are_not_lost_silently(self):
        x = torch.zeros(1, 1, 4, 4, requires_grad=True)
        with self.assertRaisesRegex(tidepool.Error, "tidepool.torch"):
            tidepool.max_pool2d(x, 2)
        with torch.no_grad():
            self.assertEqual(tidepool.max_pool2d(x, 2).shape, (1, 1, 2, 2))

    def test_other_devices_are_refused(self):
        with self.assertRaises((tidepool.Error, RuntimeError, BufferError)):
            tidepool.max_pool2d(torch.zeros(1, 1, 4, 4, device="meta"), 2)

    def test_lazy_negatives(self):
        x = torch.randn(1, 1, 4, 4, dtype=torch.complex64).conj().imag
        self.assertTrue(x.is_neg())
        with self.assertRaisesRegex(tidepool.Error, "resolve_neg"):
            tidepool.max_pool2d(x, 2)
        expected = F.max_pool2d(x, 2), F.avg_pool2d(x, 2)
        with tt.enabled():
            self.assertTrue(torch.equal(F.max_pool2d(x, 2), expected[0]) and torch.equal(F.avg_pool2d(x, 2), expected[1]))

    def test_a_byte_per_output_is_kept(self):
        x = torch.randn(2, 3, 16, 16, requires_grad=True)
        saved = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: saved.append(t) or t, lambda t: t):
            y = tt.max_pool2d(x, 3, 2, 1)
        self.assertEqual([(t.dtype, t.shape) for t in saved], [(torch.uint8, y.shape)])


class Modules(unittest.TestCase):
    def test_same_constructor_text_and_numbers(self):
        x = {1: torch.randn(2, 3, 12), 2: torch.randn(2, 3, 12, 10), 3: torch.randn(2, 3, 6, 6, 6)}
        for rank, shape in x.items():
            for name, args in {"MaxPool": (3, 2, 1), "AvgPool": (3, 2, 1), "AdaptiveMaxPool": (2,), "AdaptiveAvgPool": (2,), "LPPool": (2, 2)}.items():
                ours, theirs = getattr(tt, f"{name}{rank}d")(*args), getattr(nn, f"{name}{rank}d")(*args)
                with self.subTest(module=repr(theirs)):
                    self.assertEqual(repr(ours), repr(theirs))
                    torch.testing.assert_close(ours(shape), theirs(shape))
            pool, unpool, other = (getattr(m, f"{name}{rank}d") for m, name in ((tt, "MaxPool"), (tt, "MaxUnpool"), (nn, "MaxUnpool")))
            y, where = pool(2, return_indices=True)(shape)
            self.assertTrue(torch.equal(unpool(2)(y, where, output_size=shape.shape), other(2)(y, where, output_size=shape.shape)))
            if rank > 1:
                results = []
                for module in (tt, nn):
                    torch.manual_seed(1)
                    results.append(getattr(module, f"FractionalMaxPool{rank}d")(2, output_ratio=0.5)(shape))
                self.assertTrue(torch.equal(*results))

    def test_are_classes_that_can_be_read_and_pickled(self):
        self.assertEqual(len(tt.modules.__all__), 20)
        for name in tt.modules.__all__:
            module = getattr(tt, name)
            self.assertIs(module.__base__, getattr(nn, name))
            self.assertIn("def forward(self", inspect.getsource(module))
        copy = pickle.loads(pickle.dumps(tt.MaxPool2d(3, 2, 1)))
        self.assertIs(type(copy), tt.MaxPool2d)
        self.assertEqual(copy.padding, 1)


def calls_of_ours(function):
    """How many of tidepool's functions ran meanwhile."""
    from tidepool.torch import dropin

    class Spy:
        count = 0

        def __getattr__(self, name):
            Spy.count += callable(getattr(tidepool._core, name)) and name != "Error"
            return getattr(tidepool._core, name)

    real, dropin._core = dropin._core, Spy()
    before = calls_without_indices()
    try:
        function()
    finally:
        dropin._core = real
    return Spy.count + calls_without_indices() - before


def calls_without_indices():
    return tidepool._core.TorchLibrary.calls


class Spectator(TorchDispatchMode):
    """Sees every operation."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.seen.append(str(function))
        return function(*args, **(kwargs or {}))


class DropIn(unittest.TestCase):
    def setUp(self):
        self.assertFalse(tt.is_enabled())

    def tearDown(self):
        tt.disable()

    def test_on_and_off_again_without_a_warning(self):
        x = torch.randn(1, 2, 8, 8)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(3):
                tt.enable()
                tt.enable()
                self.assertEqual(calls_of_ours(lambda: F.max_pool2d(x, 2)), 1)
                tt.disable()
                self.assertEqual(calls_of_ours(lambda: F.max_pool2d(x, 2)), 0)
        with tt.enabled():
            with tt.enabled(False):
                self.assertFalse(tt.is_enabled())
            self.assertTrue(tt.is_enabled())
        self.assertFalse(tt.is_enabled())

    def test_every_operator_is_ours(self):
        x3, x4, x5 = torch.randn(2, 2, 12), torch.randn(2, 2, 12, 12), torch.randn(2, 2, 8, 8, 8)
        where4 = F.max_pool2d(x4, 2, return_indices=True)
        where5 = F.max_pool3d(x5, 2, return_indices=True)
        table = {
            "max": lambda x3, x4, x5: (F.max_pool1d(x3, 2), F.max_pool2d(x4, 2), F.max_pool3d(x5, 2)),
            "avg": lambda x3, x4, x5: (F.avg_pool1d(x3, 2), F.avg_pool2d(x4, 2), F.avg_pool3d(x5, 2)),
            "adaptive_avg": lambda x3, x4, x5: (F.adaptive_avg_pool1d(x3, 5), F.adaptive_avg_pool2d(x4, 5), F.adaptive_avg_pool3d(x5, 3)),
            "adaptive_max": lambda x3, x4, x5: (F.adaptive_max_pool1d(x3, 5), F.adaptive_max_pool2d(x4, 5), F.adaptive_max_pool3d(x5, 3)),
            "lp": lambda x3, x4, x5: (F.lp_pool1d(x3, 2, 2), F.lp_pool2d(x4, 2, 2), F.lp_pool3d(x5, 2, 2)),
            "fractional": lambda x3, x4, x5: (F.fractional_max_pool2d(x4, 2, 5), F.fractional_max_pool2d(x4, 3, 5), F.fractional_max_pool3d(x5, 2, 3)),
        }
        tt.enable()
        for name, function in table.items():
            with self.subTest(op=name):
                self.assertEqual(calls_of_ours(lambda: function(x3, x4, x5)), 3)
                inputs = [t.clone().requires_grad_() for t in (x3, x4, x5)]
                self.assertEqual(calls_of_ours(lambda: sum(y.sum() for y in function(*inputs)).backward()), 6)
        self.assertEqual(calls_of_ours(lambda: (F.max_unpool2d(*where4, 2), F.max_unpool3d(*where5, 2))), 2)

    def test_no_indices_without_gradients(self):
        tt.enable()
        for x, pool in ((torch.randn(1, 2, 8), F.max_pool1d), (torch.randn(1, 2, 8, 8), F.max_pool2d), (torch.randn(2, 8, 8, 8), F.max_pool3d)):
            with_grad = x.clone().requires_grad_()
            before = calls_without_indices()
            pool(with_grad, 2).sum().backward()
            self.assertEqual(calls_without_indices(), before)
            self.assertEqual(int(with_grad.grad.count_nonzero()), pool(x, 2).numel())
            with torch.no_grad():
                pool(with_grad, 2)
            with torch.inference_mode():
                pool(x, 2)
            self.assertEqual(calls_without_indices(), before + 3)

    def test_others_see_what_they_would(self):
        x = torch.randn(1, 2, 8, 8)
        negated = torch.randn(1, 2, 8, 8, dtype=torch.complex64).conj().imag
        expected = F.max_pool2d(negated, 2)
        with Spectator() as theirs:
            F.max_pool2d(x, 2)
        tt.enable()
        with Spectator() as ours:
            F.max_pool2d(x, 2)
        self.assertEqual(ours.seen, theirs.seen)
        self.assertTrue(torch.equal(F.max_pool2d(negated, 2), expected))
        with torch.no_grad(), torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(x, torch.ones_like(x))
            tangent = torch.autograd.forward_ad.unpack_dual(F.max_pool2d(dual, 2)).tangent
        self.assertTrue(torch.equal(tangent, torch.ones(1, 2, 4, 4)))

    def test_the_rest_falls_through(self):
        tt.enable()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch says that quantised tensors will go
            q = torch.quantize_per_tensor(torch.randn(1, 2, 4, 4), 0.1, 0, torch.quint8)
            self.assertTrue(F.max_pool2d(q, 2).is_quantized and F.adaptive_avg_pool2d(q, 2).is_quantized)
        self.assertTrue(F.max_pool2d(torch.randn(1, 2, 4, 4).to_mkldnn(), 2).is_mkldnn)
        self.assertEqual(F.max_pool2d(torch.randn(1, 2, 4, 4, device="meta"), 2).shape, (1, 2, 2, 2))
        self.assertTrue(F.adaptive_avg_pool2d(torch.randn(1, 2, 4, 4, dtype=torch.complex64), 1).is_complex())
        for bad in (lambda: F.max_pool2d(torch.randn(1, 1, 4, 4, dtype=torch.complex64), 2), lambda: F.max_pool2d(torch.randn(4), 2),
                    lambda: F.avg_pool2d(torch.randn(1, 1, 4, 4), 0)):
            with self.assertRaises(RuntimeError) as ours:
                bad()
            with tt.enabled(False), self.assertRaises(RuntimeError) as theirs:
                bad()
            self.assertEqual(str(ours.exception), str(theirs.exception))

    def test_forward_mode_vmap_and_tracing(self):
        x = torch.randn(2, 2, 8, 8)
        expected = torch.func.jvp(lambda x: F.max_pool2d(x, 2), (x,), (x,)), torch.vmap(lambda x: F.max_pool2d(x, 2))(x)
        tt.enable()
        with torch.no_grad():
            got = torch.func.jvp(lambda x: F.max_pool2d(x, 2), (x,), (x,)), torch.vmap(lambda x: F.max_pool2d(x, 2))(x)
        torch.testing.assert_close(got, expected)
        traced = make_fx(lambda x: F.max_pool2d(x, 2) + F.avg_pool2d(x, 2), tracing_mode="fake")(x)
        torch.testing.assert_close(traced(x), F.max_pool2d(x, 2) + F.avg_pool2d(x, 2))


if __name__ == "__main__":
    unittest.main()
