// The slow version: plain loops that are obviously right. It shares no code with src/ and knows nothing of windows but their definition.
#pragma once

#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::oracle {

struct Expected {
  Tensor values;   // row-major
  Tensor indices;  // forward with indices: row-major, of index_dtype(); otherwise empty
};

// What the problem must give. `indices` is read by the backward passes only; any strides, any alignment.
Expected run(const Problem& problem, TensorView input, TensorView indices = {});

}  // namespace tidepool::oracle
