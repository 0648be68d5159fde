// The sizes of the processor's caches.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::detail {

// Of the largest cache that a thread uses, read from the system once; a common size where the system does not tell.
int64_t largest_cache_bytes() noexcept;

}  // namespace tidepool::inline v0_1::detail
