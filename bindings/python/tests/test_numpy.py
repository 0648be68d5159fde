"""The functions on NumPy arrays and on anything with a buffer: what comes out, in which kind, and what is refused."""

import array
import os
import signal
import threading
import time
import unittest

import numpy as np
import tidepool

RNG = np.random.default_rng(1)


def windows(x, k, s, reduce):
    """A direct implementation in two dimensions."""
    h, w = (x.shape[2] - k) // s + 1, (x.shape[3] - k) // s + 1
    return np.array([[[[reduce(c[i * s : i * s + k, j * s : j * s + k]) for j in range(w)] for i in range(h)] for c in n] for n in x], x.dtype)


class Values(unittest.TestCase):
    def test_against_loops(self):
        x = RNG.standard_normal((2, 3, 7, 9)).astype(np.float32)
        np.testing.assert_array_equal(tidepool.max_pool2d(x, 3, 2), windows(x, 3, 2, np.max))
        np.testing.assert_array_equal(tidepool.min_pool2d(x, 3, 2), windows(x, 3, 2, np.min))
        np.testing.assert_allclose(tidepool.avg_pool2d(x, 3, 2), windows(x, 3, 2, np.mean), rtol=2e-6, atol=1e-6)
        np.testing.assert_allclose(tidepool.sum_pool2d(x, 3, 2), windows(x, 3, 2, np.sum), rtol=2e-6, atol=1e-6)
        np.testing.assert_allclose(tidepool.lp_pool2d(x, 2, 3, 2), windows(x, 3, 2, np.linalg.norm), rtol=2e-6)

    def test_every_dtype(self):
        for dtype in "float32 float64 float16 int8 uint8 int16 int32 int64 bool".split():
            x = (RNG.random((1, 2, 4, 4)) * 2).astype(dtype)
            y = tidepool.max_pool2d(x, 2)
            self.assertEqual(y.dtype, x.dtype)
            np.testing.assert_array_equal(y, windows(x, 2, 2, np.max))

    def test_options_of_ours(self):
        x = np.arange(16.0).reshape(1, 1, 4, 4)
        self.assertEqual(tidepool.max_pool2d(x, 3, 2, padding="same").shape, (1, 1, 2, 2))
        self.assertEqual(tidepool.max_pool2d(x, 2, 1, padding=((1, 0), (0, 1))).shape, (1, 1, 4, 4))
        values, taps = tidepool.max_pool2d(x, 2, return_indices=True, index_base="window")
        self.assertEqual((taps.dtype, taps.ravel().tolist()), (np.uint8, [3, 3, 3, 3]))
        self.assertEqual(tidepool.max_pool2d(np.array([[[np.nan, 1.0]]])[None], (1, 2), nan="ignore").item(), 1.0)
        self.assertEqual(tidepool.avg_pool2d(x, 3, 2, 1, preset="onnx").ravel()[0], 2.5)
        self.assertEqual(tidepool.avg_pool2d(x, 3, 2, 1, count_include_pad="full_kernel").ravel()[0], 10 / 9)
        large = np.arange(400.0).reshape(1, 1, 20, 20)
        drawn = [tidepool.fractional_max_pool2d(large, 2, 6, seed=seed) for seed in (5, 5, 6)]
        np.testing.assert_array_equal(drawn[0], drawn[1])
        self.assertFalse(np.array_equal(drawn[0], drawn[2]))
        self.assertEqual(tidepool.adaptive_avg_pool2d(x, (2, None)).shape, (1, 1, 2, 4))
        self.assertEqual(tidepool.lp_pool1d(np.array([[-1.0, 2.0]]), 1, 2, signed_power=True).item(), 1.0)

    def test_backward_is_the_transpose(self):
        """<pool(gg), grad> = <gg, backward(grad)> for every op that is linear once its indices are known."""
        for rank in (1, 2, 3):
            shape = (2, 3, *[5] * rank)
            x, gg = RNG.standard_normal((2, *shape))
            get = lambda name: getattr(tidepool, name.replace("#", f"{rank}d"))
            for name in ("avg_pool", "sum_pool"):
                y = get(f"{name}#_double_backward")(gg, 3, 2, 1)
                grad = RNG.standard_normal(y.shape)
                back = get(f"{name}#_backward")(grad, shape, 3, 2, 1)
                self.assertAlmostEqual((y * grad).sum(), (back * gg).sum())
            for base in ("plane", "tensor", "window"):
                y, where = get("max_pool#")(x, 3, 2, 1, return_indices=True, index_base=base)
                grad = RNG.standard_normal(y.shape)
                back = get("max_pool#_backward")(grad, where, shape, 3, 2, 1, index_base=base)
                self.assertAlmostEqual((get("max_pool#_double_backward")(gg, where, 3, 2, 1, index_base=base) * grad).sum(), (back * gg).sum())


class Arrays(unittest.TestCase):
    def test_strided_inputs(self):
        base = RNG.standard_normal((4, 6, 10, 12))
        for x in (base[::2, 1:, ::-1], base.transpose(0, 1, 3, 2), np.asfortranarray(base), base[:, :, ::2, ::3], np.broadcast_to(base[:1], base.shape)):
            np.testing.assert_array_equal(tidepool.max_pool2d(x, 2), tidepool.max_pool2d(np.ascontiguousarray(x), 2))

    def test_channels_last_stays(self):
        x = RNG.standard_normal((2, 8, 8, 16)).transpose(0, 3, 1, 2)
        y = tidepool.max_pool2d(x, 2)
        self.assertEqual(y.strides[1], y.itemsize)
        np.testing.assert_array_equal(y, tidepool.max_pool2d(x.copy(), 2))

    def test_out(self):
        x = RNG.standard_normal((1, 2, 8, 8))
        for name, args in {"max_pool2d": (2,), "avg_pool2d": (2,), "lp_pool2d": (2.0, 2), "adaptive_max_pool2d": (4,)}.items():
            out = np.empty((1, 4, 4, 2)).transpose(0, 3, 1, 2)
            self.assertIs(getattr(tidepool, name)(x, *args, out=out), out)
            np.testing.assert_array_equal(out, getattr(tidepool, name)(x, *args))
        pair = np.empty((1, 2, 4, 4)), np.empty((1, 2, 4, 4), np.int64)
        self.assertIs(tidepool.max_pool2d(x, 2, return_indices=True, out=pair), pair)
        with self.assertRaisesRegex(tidepool.Error, "must have shape 1x2x4x4"):
            tidepool.max_pool2d(x, 2, out=np.empty((1, 2, 4, 5)))
        with self.assertRaisesRegex(tidepool.Error, "out overlaps input"):
            tidepool.max_pool2d(x, 1, out=x)

    def test_buffers_of_others(self):
        x = memoryview(array.array("f", range(16))).cast("B").cast("f", [1, 1, 4, 4])
        self.assertEqual(tidepool.max_pool2d(x, 2).ravel().tolist(), [5, 7, 13, 15])
        read_only = np.arange(16.0).reshape(1, 1, 4, 4)
        read_only.flags.writeable = False
        self.assertEqual(tidepool.max_pool2d(read_only, 2).ravel().tolist(), [5, 7, 13, 15])

    def test_results_outlive_everything(self):
        y = tidepool.max_pool2d(RNG.standard_normal((1, 1, 64, 64)), 2)[0, 0, 1:]
        copy = y.copy()
        for _ in range(100):
            tidepool.max_pool2d(RNG.standard_normal((1, 1, 64, 64)), 2)
        np.testing.assert_array_equal(y, copy)


class Device:
    """A DLPack producer on another device."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise AssertionError("asked for memory of another device")


class Liar(Device):
    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return "no capsule"


class Hostile(unittest.TestCase):
    def refused(self, text, *args, error=tidepool.Error, function="max_pool2d", **kwargs):
        with self.assertRaisesRegex(error, text):
            getattr(tidepool, function)(*args, **kwargs)

    def test_arrays(self):
        x = np.zeros((1, 1, 4, 4))
        self.refused("dimensions", np.float64(3.0), 2)
        self.refused("dimensions", np.zeros(()), 2)
        self.refused("known dtype", x.astype(object), 2)
        self.refused("known dtype", x.astype(">f8"), 2)
        self.refused("known dtype", x.astype(complex), 2)
        self.refused("known dtype", x.astype("U3"), 2)
        self.refused("known dtype", x.astype(np.uint16), 2)
        self.refused("cannot be read", x.astype("M8[s]"), 2)
        self.refused("whole elements", np.zeros(16, [("a", "i1"), ("b", "f8")])["b"].reshape(1, 1, 4, 4), 2)
        self.refused("must be an array, got list", [[[[1.0]]]], 1, error=TypeError)
        self.refused("must be an array, got NoneType", None, 1, error=TypeError)
        self.refused("must be on the CPU", Device(), 2)
        self.refused("no DLPack capsule", Liar(), 2)
        frozen = np.zeros((1, 1, 2, 2))
        frozen.flags.writeable = False
        self.refused("cannot be written to", x, 2, out=frozen)
        self.refused("at most 8|dimensions", np.zeros((1,) * 12), 2)

    def test_options(self):
        x = np.zeros((1, 1, 4, 4))
        self.refused("kernel_size must be an int or a sequence of ints, got float", x, 2.0, error=TypeError)
        self.refused("kernel_size must be an int or a sequence of ints, got bool", x, True, error=TypeError)
        self.refused("kernel_size must be an int or a sequence of ints, got str", x, "22", error=TypeError)
        self.refused("kernel_size must fit 64 bits", x, 2**70)
        self.refused(r"max_pool2d: stride must be at least 1, got 0 \(axis h\)", x, 2, 0)
        self.refused("kernel_size", x, (1, 2, 3))
        self.refused("kernel_size", x, ())
        self.refused("kernel_size", x, None)
        self.refused("padding must be one of", x, 2, padding="both")
        self.refused("2 sides", x, 2, padding=((1, 2, 3), 0))
        self.refused("preset must be one of", x, 2, preset="tf")
        self.refused("nan must be one of", x, 2, nan=3, error=TypeError)
        self.refused("overflow|too large|64 bits|must be at most|at least", x, 2**62, 2**62, 2**61)

    def test_a_list_that_shrinks_while_it_is_read(self):
        class Clears:
            def __index__(self):
                sizes.clear()
                return 2

        sizes = [Clears(), 2]
        self.assertEqual(tidepool.max_pool2d(np.zeros((1, 1, 4, 4)), sizes).shape, (1, 1, 2, 2))
        self.assertEqual(sizes, [])

    def test_indices(self):
        y, where = tidepool.max_pool2d(np.zeros((1, 1, 4, 4)), 2, return_indices=True)
        for bad in (where + 99, where - 99):
            self.refused("max_unpool2d: index -?99 is outside the plane", y, bad, 2, function="max_unpool2d")
            self.refused("max_pool2d_backward: index -?99 is outside the plane", y, bad, (1, 1, 4, 4), 2, function="max_pool2d_backward")
        self.refused("dtype", y, where.astype(np.int32), 2, function="max_unpool2d")
        self.refused("shape", y, where[:, :, :1], (1, 1, 4, 4), 2, function="max_pool2d_backward")


class Threads(unittest.TestCase):
    def test_eight_at_once(self):
        x = RNG.standard_normal((8, 16, 56, 56)).astype(np.float32)
        expected = tidepool.max_pool2d(x, 3, 2, 1), tidepool.avg_pool2d(x, 3, 2, 1)
        wrong = []

        def work():
            for _ in range(10):
                if not (np.array_equal(tidepool.max_pool2d(x, 3, 2, 1), expected[0]) and np.array_equal(tidepool.avg_pool2d(x, 3, 2, 1), expected[1])):
                    wrong.append(threading.get_ident())

        threads = [threading.Thread(target=work) for _ in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        self.assertEqual(wrong, [])

    def test_fork(self):
        """A child has none of its parent's threads, and needs none."""
        x = RNG.standard_normal((8, 16, 56, 56)).astype(np.float32)
        expected = tidepool.max_pool2d(x, 3, 2, 1)
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # so that a child that hangs fails the test
            os._exit(0 if np.array_equal(tidepool.max_pool2d(x, 3, 2, 1), expected) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_others_run_meanwhile(self):
        """The interpreter's lock is free during a long call: another thread runs in the middle of it, not only before and after."""
        x = RNG.standard_normal((1, 16, 256, 256))
        times, stop = [], threading.Event()

        def tick():
            while not stop.is_set():
                times.append(time.perf_counter())
                time.sleep(0.0002)

        ticking = threading.Thread(target=tick)
        ticking.start()
        start = time.perf_counter()
        tidepool.lp_pool2d(x, 3.0, 7, 1)
        end = time.perf_counter()
        stop.set()
        ticking.join()
        quarter = (end - start) / 4
        self.assertTrue(any(start + quarter < t < end - quarter for t in times), f"a call of {end - start} s")

    def test_num_threads(self):
        before = tidepool.num_threads()
        tidepool.set_num_threads(1)
        self.assertEqual(tidepool.num_threads(), 1)
        tidepool.set_num_threads(before)
        with self.assertRaises(tidepool.Error):
            tidepool.set_num_threads(0)


class Errors(unittest.TestCase):
    def test_error_is_a_value_error(self):
        self.assertTrue(issubclass(tidepool.Error, ValueError))
        self.assertEqual(f"{tidepool.Error.__module__}.{tidepool.Error.__name__}", "tidepool.Error")


if __name__ == "__main__":
    unittest.main()
