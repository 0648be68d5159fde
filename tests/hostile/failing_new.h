#pragma once

#include <cstdint>

namespace tidepool::test {

// From now on the n-th allocation of this thread, counted from 0, and all later ones fail. A negative n turns failures off.
void fail_allocation(int64_t n);

// How many allocations of all threads have not been freed.
int64_t live_allocations();

}  // namespace tidepool::test
