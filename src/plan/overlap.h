// Whether two arrays share memory.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// False only when no byte is shared. Recognises interleaved slices of one buffer as disjoint, for example different channels of it.
bool may_overlap(const TensorView& a, const TensorView& b) noexcept;

// True when two elements of the array may share memory: a stride is 0, or smaller than the extent of the dimensions below it.
bool overlaps_itself(const TensorView& t) noexcept;

}  // namespace tidepool::inline v0_1::detail
