"""Calls that a type checker must reject, each with the error code it must give. The comments are read by test_types.py; this file is not run."""

import numpy as np
import tidepool
import tidepool.torch as tt
import torch

x = np.ones((1, 1, 4, 4), np.float32)
t = torch.ones(1, 1, 4, 4)

tidepool.max_pool2d([[1.0]], 2)  # expect: call-overload
tidepool.max_pool2d(x, 2.5)  # expect: call-overload
tidepool.max_pool2d(x)  # expect: call-overload
tidepool.max_pool2d(x, 2, nan="skip")  # expect: call-overload
tidepool.max_pool2d(x, 2, dilatation=1)  # expect: call-overload
tidepool.avg_pool2d(x, 2, padding="both")  # expect: arg-type
tidepool.avg_pool2d(x, 2, preset="tf")  # expect: arg-type
tidepool.avg_pool2d(x, 2, return_indices=True)  # expect: call-arg
tidepool.avg_pool2d_backward(x)  # expect: call-arg
pair: tuple[torch.Tensor, torch.Tensor] = tt.max_pool2d(t, 2)  # expect: assignment
tidepool.max_pool2d(t, 2, return_indices=True).sum()  # expect: attr-defined
tidepool.max_pool2d(x, 2).backward()  # expect: attr-defined
tt.max_pool2d(x, 2)  # expect: call-overload
tt.avg_pool2d(x, 2)  # expect: arg-type
tt.avg_pool2d(t, 2, out=t)  # expect: call-arg
tidepool.max_pool4d(x, 2)  # expect: attr-defined
tidepool.set_num_threads("all")  # expect: arg-type
tidepool.analyze("relu", (3, 8, 8), batch=1)  # expect: call-arg
tidepool.analyze("relu", (3.0, 8, 8))  # expect: arg-type
tidepool.analyze("relu", (3, 8, 8)).layers[0].size  # expect: attr-defined
tidepool.analyze("relu", (3, 8, 8)).field("relu1")  # expect: call-arg
