// Windows that cover the input whatever its size: the bins of adaptive pooling, and the one bin of global pooling.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// The pooling settings of average bins, and of sums.
inline Reduction bin_reduction(Op op) { return op == Op::sum ? Reduction{.divisor = Divisor::fixed, .fixed_divisor = 1} : Reduction{}; }

inline Geometry bins(const char* function, int rank, const Dims& shape, const Sizes& output) {
  return Geometry::adaptive(function, rank, shape, output).value();
}

}  // namespace tidepool::detail
