"""Runs inside a fresh system, with the wheel installed: results, errors, threads, and the sentence that PyTorch is missing."""

import platform

import numpy as np
import tidepool

x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
assert tidepool.max_pool2d(x, 2).tolist() == [[[[5, 7], [13, 15]]]]
assert tidepool.avg_pool2d(x, 2).tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]
assert tidepool.max_pool2d(np.asfortranarray(x), 2).tolist() == tidepool.max_pool2d(x, 2).tolist()
values, indices = tidepool.max_pool2d(x, 2, return_indices=True)
assert indices.tolist() == [[[[5, 7], [13, 15]]]]

try:
    tidepool.max_pool2d(x, 2, stride=-1)
    raise SystemExit("a negative stride was accepted")
except tidepool.Error as error:
    assert "max_pool2d: stride must be at least 1, got -1" in str(error), error

tidepool.set_num_threads(2)
big = np.random.rand(8, 16, 64, 64).astype(np.float32)
assert (tidepool.max_pool2d(big, 2) == big.reshape(8, 16, 32, 2, 32, 2).max((3, 5))).all()

net = tidepool.analyze("conv 3x3 8 p1, max 2", (3, 8, 8))
assert (net.layers[-1].shape, net.parameters, net.layers[-1].fields[0].size) == ((1, 8, 4, 4), 224, 4), net

try:
    import tidepool.torch
    raise SystemExit("PyTorch is installed")
except ModuleNotFoundError as error:
    assert str(error) == "tidepool.torch needs PyTorch 2.10 or newer, which is not installed: pip install torch", error

module = tidepool._core.__file__.rpartition("/")[2]
print(f"OK Python {platform.python_version()}, NumPy {np.__version__}, tidepool {tidepool.__version__}, module {module}")
