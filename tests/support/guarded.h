// Memory between unreadable pages, so that an access out of bounds crashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tidepool::test {

enum class Flush : uint8_t { end, start };

// `bytes` of memory whose last (or first) byte touches the unreadable page.
std::shared_ptr<std::byte> guarded_memory(int64_t bytes, Flush flush);

}  // namespace tidepool::test
