// The fast check of window indices of one or two bytes. Checking every window exactly would take longer than the backward pass itself.
#pragma once

#include "kernels/kernel.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1::detail {

// True when every index, in an array with these strides, is a tap inside its window, or no_index where that is allowed. False when an index
// may be wrong, or when the arrays are not ones that this check supports: then the exact check must decide.
template <class T>
bool all_window_taps_valid(const KernelArgs& a, const T* indices, const Strides5& strides, bool may_be_none, Executor& executor);

extern template bool all_window_taps_valid(const KernelArgs&, const uint8_t*, const Strides5&, bool, Executor&);
extern template bool all_window_taps_valid(const KernelArgs&, const uint16_t*, const Strides5&, bool, Executor&);

}  // namespace tidepool::inline v0_1::detail
