// Tests with random problems can run a share of them: TIDEPOOL_TEST_SHARE=20 runs one in twenty. Emulated processors need it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace tidepool::test {

inline uint64_t share_of(uint64_t count) {
  const char* divisor = std::getenv("TIDEPOOL_TEST_SHARE");
  return divisor == nullptr ? count : std::max<uint64_t>(count / std::max<uint64_t>(std::strtoull(divisor, nullptr, 10), 1), 1);
}

}  // namespace tidepool::test
