// Chooses the code of one instruction set from a table that HWY_EXPORT has made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

namespace tidepool::inline v0_1::detail {

// The function compiled for `target`, one of Highway's bits. Unlike HWY_DYNAMIC_DISPATCH this reads no state of the process, so two threads
// can ask for different targets at the same time.
template <class Function, size_t count>
Function function_for(Function const (&table)[count], int64_t target) {
  if constexpr (count == 1) {  // a build with one target
    return table[0];
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return table[chosen.GetIndex()];
  }
}

}  // namespace tidepool::inline v0_1::detail
