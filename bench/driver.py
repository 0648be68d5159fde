"""Python bindings of the C++ benchmark driver (bench/rivals/*.cc): cases with their arrays, and the libraries that the driver can run."""

import ctypes
import json
from pathlib import Path

import numpy as np

LIBRARY = Path(__file__).resolve().parent.parent / "build" / "release" / "bin" / "libtidepool_bench_rivals.so"

ITEM_BYTES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2, "i8": 1, "u8": 1, "i16": 2, "i32": 4, "i64": 8, "bool": 1}
NUMPY = {"f32": "f4", "f64": "f8", "f16": "f2", "bf16": "u2", "i8": "i1", "u8": "u1", "i16": "i2", "i32": "i4", "i64": "i8", "bool": "?"}


class Cannot(Exception):
    """Raised if a library cannot compute a case. The text gives the reason for the report."""


class Array:
    """An array of a case, in memory that the driver owns."""

    def __init__(self, about):
        self.address, self.dtype, self.shape, self.strides = (about[key] for key in ("address", "dtype", "shape", "strides"))
        self.bytes = int(np.prod(self.shape, dtype=np.int64)) * ITEM_BYTES[self.dtype]

    def memory(self):
        return (ctypes.c_char * self.bytes).from_address(self.address)

    def numpy(self):
        """A view of the memory. bf16 is shown as uint16."""
        flat = np.frombuffer(self.memory(), NUMPY[self.dtype])
        return np.lib.stride_tricks.as_strided(flat, self.shape, [s * flat.itemsize for s in self.strides])

    def poison(self):
        """Fills the memory with a pattern, so that a library that does not write its result is detected."""
        ctypes.memset(self.address, 0xA5, self.bytes)


# Seconds to wait after a run until idle threads stop spinning. oneTBB's threads stop at once, OpenMP's after 300,000 pause instructions, those of
# XNNPACK's thread pool after a million.
REST = {"onednn": 0.02, "xnnpack": 0.08}


class Job:
    """A library call in C++, prepared for the arrays of its case."""

    note = ""

    def __init__(self, driver, handle, kind):
        self._driver, self._handle = driver, handle
        self.rest = REST.get(kind, 0.004)

    def time(self, calls):
        """Runs `calls` calls and returns the total seconds."""
        seconds = self._driver.bench_time(self._handle, calls)
        if seconds < 0:
            raise RuntimeError(self._driver.bench_error().decode())
        return seconds

    def result(self, case):
        return case.arrays["output"].numpy()

    def close(self):
        self._driver.bench_job_free(self._handle)


class Case:
    """A problem with filled arrays. A context manager that frees the memory at the end of the block."""

    def __init__(self, driver, problem, threads, seed=0):
        self._driver, self._jobs = driver, []
        self._handle = driver.bench_case(problem.encode(), threads, seed)
        if not self._handle:
            raise ValueError(driver.bench_error().decode())
        self.threads = threads
        self.about = json.loads(driver.bench_describe(self._handle))
        self.arrays = {name: Array(about) for name, about in self.about["arrays"].items()}

    def job(self, kind):
        handle = self._driver.bench_job(self._handle, kind.encode())
        if not handle:
            raise Cannot(self._driver.bench_error().decode())
        self._jobs.append(Job(self._driver, handle, kind))
        return self._jobs[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for job in self._jobs:
            job.close()
        self._driver.bench_case_free(self._handle)


class NativeRival:
    """A rival library that is linked into the C++ driver."""

    def __init__(self, driver, key, name):
        self.key, self.name = key, name
        self.version = driver.bench_version(key.encode()).decode()
        self.absent = "" if self.version else "not installed when the driver was built"

    def job(self, case):
        return case.job(self.key)


def use_target(driver, name):
    """Makes tidepool use this instruction set for the rest of the process, and returns the one in use. "" is the best.

    It holds for the Python package too, when that is imported afterwards and uses the same shared library of Highway."""
    found = driver.bench_target(name.encode())
    if not found:
        raise ValueError(driver.bench_error().decode())
    return found.decode()


def load(path=LIBRARY):
    driver = ctypes.CDLL(str(path))
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
        ("bench_error", text, []),
        ("bench_target", text, [text]),
        ("bench_case", pointer, [text, ctypes.c_int, ctypes.c_uint64]),
        ("bench_describe", text, [pointer]),
        ("bench_case_free", None, [pointer]),
        ("bench_job", pointer, [pointer, text]),
        ("bench_job_free", None, [pointer]),
        ("bench_time", ctypes.c_double, [pointer, ctypes.c_int64]),
        ("bench_version", text, [text]),
    ):
        function = getattr(driver, name)
        function.restype, function.argtypes = result, arguments
    return driver
