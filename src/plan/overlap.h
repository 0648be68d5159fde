// Can writing one array change another?
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::detail {

// False only when no byte is shared. Knows interleaved slices of one buffer (some channels of it in, others out).
bool may_overlap(const TensorView& a, const TensorView& b) noexcept;

// True when two cells of the array may be the same memory: a stride of 0, or one smaller than what it steps over.
bool overlaps_itself(const TensorView& t) noexcept;

}  // namespace tidepool::detail
