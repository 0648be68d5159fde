#pragma once

#include <cstdint>

namespace tidepool::test {

// From now on the n-th allocation of this thread, counted from 0, and all later ones fail. A negative n turns failures off.
void fail_allocation(int64_t n);

}  // namespace tidepool::test
