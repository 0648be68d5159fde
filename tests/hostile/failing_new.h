#pragma once

#include <cstdint>

namespace tidepool::test {

// Makes the n-th allocation from now on in this thread fail, and all behind it; negative: none.
void fail_allocation(int64_t n);

}  // namespace tidepool::test
