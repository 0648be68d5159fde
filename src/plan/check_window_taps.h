// The fast check of one-byte window indices. Checking every window exactly would take longer than the backward pass itself.
#pragma once

#include "kernels/kernel.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1::detail {

// True when every index, in an array with these strides, is a tap inside its window, or no_index where that is allowed. False when an index
// may be wrong, or when the geometry is not one that this check supports: then the exact check must decide.
bool all_window_taps_valid(const KernelArgs& a, const uint8_t* indices, const Strides5& strides, bool may_be_none, Executor& executor);

}  // namespace tidepool::inline v0_1::detail
