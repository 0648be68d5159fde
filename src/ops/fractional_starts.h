// Where the windows of fractional pooling begin, from one sample per plane and axis.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// Checks that samples have this dtype, shape N, C, spatial rank (or a larger N) and values in [0, 1). Throws Error.
void check_samples(const char* function, const Geometry& g, const TensorView& samples, DType dtype);

// Computes RunArrays::starts from samples that have been checked.
Tensor fractional_starts(const char* function, const Geometry& g, const TensorView& samples);

}  // namespace tidepool::inline v0_1::detail
