"""The C face from ctypes: what a language without a C compiler sees. The shared library is the first argument."""

import ctypes
import sys
import unittest

LIBRARY = sys.argv.pop(1)


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("shape", ctypes.c_int64 * 8), ("strides", ctypes.c_int64 * 8)]


class Arrays(ctypes.Structure):
    _fields_ = [(name, Array) for name in ("input", "output", "indices_out", "indices_in", "saved", "grad", "starts")]


def dense(cells, shape):
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    pad = [0] * (8 - len(shape))
    return Array(ctypes.addressof(cells), 0, len(shape), (ctypes.c_int64 * 8)(*shape, *pad), (ctypes.c_int64 * 8)(*strides, *pad))


class Ctypes(unittest.TestCase):
    def setUp(self):
        self.tp = ctypes.CDLL(LIBRARY)
        self.tp.tp_last_error.restype = ctypes.c_char_p
        self.tp.tp_plan_kernel.restype = ctypes.c_char_p
        self.tp.tp_plan_kernel.argtypes = self.tp.tp_plan_free.argtypes = [ctypes.c_void_p]
        self.tp.tp_plan_run.argtypes = [ctypes.c_void_p] * 3

    def parse(self, text):
        plan = ctypes.c_void_p()
        return self.tp.tp_plan_parse(text, ctypes.byref(plan)), plan

    def test_pools(self):
        status, plan = self.parse(b"avg2d fwd f32 nchw 1x1x4x4 k2")
        self.assertEqual(status, 0)
        self.assertTrue(self.tp.tp_plan_kernel(plan))
        x, y = (ctypes.c_float * 16)(*range(16)), (ctypes.c_float * 4)()
        arrays = Arrays(input=dense(x, (1, 1, 4, 4)), output=dense(y, (1, 1, 2, 2)))
        self.assertEqual(self.tp.tp_plan_run(plan, ctypes.addressof(arrays), None), 0)
        self.assertEqual(list(y), [2.5, 4.5, 10.5, 12.5])
        self.tp.tp_plan_free(plan)

    def test_refuses(self):
        status, plan = self.parse(b"avg2d fwd f32 nchw 1x1x4x4 k9")
        self.assertNotEqual(status, 0)
        self.assertIsNone(plan.value)
        self.assertIn(b"avg_pool2d", self.tp.tp_last_error())


if __name__ == "__main__":
    unittest.main()
