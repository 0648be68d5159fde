// The result type of pooling with indices.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// indices[i] is the position of values[i] in the input.
//
//   auto [values, indices] = max_pool2d_with_indices(x, 2);
struct Pooled {
  Tensor values;
  Tensor indices;
};

}  // namespace tidepool::inline v0_1
