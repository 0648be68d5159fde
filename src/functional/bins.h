// The windows (bins) of adaptive and global pooling. Global pooling has one bin, the whole plane.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// A sum is an average with the divisor 1.
inline Reduction bin_reduction(Op op) { return op == Op::sum ? Reduction{.divisor = Divisor::fixed, .fixed_divisor = 1} : Reduction{}; }

inline Geometry bins(const char* function, int rank, const Dims& shape, const Sizes& output) {
  return Geometry::adaptive(function, rank, shape, output).value();
}

}  // namespace tidepool::inline v0_1::detail
