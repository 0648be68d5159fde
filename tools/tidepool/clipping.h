// Sums of integers that do not fit the element type. The library clamps them to its range.
#pragma once

#include <cstdint>
#include <string>

#include "pool_ops.h"

namespace tidepool::cli {

// The number of clamped elements of `values`, which `op` computed from `x`. Computes the sums again, with wider elements, if an element of
// `values` lies at the end of the range. 0 for i64, whose sums wrap around.
int64_t count_clipped(const PoolOp& op, int rank, const OptionFlags& flags, const Tensor& x, const Tensor& values);

// "u8 holds 0 to 255".
std::string range_text(DType dtype);

}  // namespace tidepool::cli
