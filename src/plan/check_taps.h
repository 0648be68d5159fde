// A quick look at compact indices, where looking at every window would take longer than the backward pass itself.
#pragma once

#include "kernels/kernel.h"
#include "tidepool/executor.h"

namespace tidepool::detail {

// Whether every index, in an array with these strides, names a cell of its window, or none where that is allowed. False may also mean
// that a closer look is needed.
bool taps_are_right(const KernelArgs& a, const uint8_t* indices, const Strides5& strides, bool may_be_none, Executor& executor);

}  // namespace tidepool::detail
