#pragma once

#include "tidepool/tensor.h"

namespace tidepool {

// A pooled tensor and, for every cell of it, where it came from: auto [values, indices] = max_pool2d_with_indices(x, 2).
struct Pooled {
  Tensor values;
  Tensor indices;
};

}  // namespace tidepool
