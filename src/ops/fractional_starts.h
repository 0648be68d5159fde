// Where the windows of fractional pooling begin, from one sample per plane and axis.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// N (at least), C, R samples in [0, 1) of that dtype. Throws Error.
void check_samples(const char* function, const Geometry& g, const TensorView& samples, DType dtype);

// The array that RunArrays::starts describes. The samples have been checked.
Tensor fractional_starts(const char* function, const Geometry& g, const TensorView& samples);

}  // namespace tidepool::detail
