// Arithmetic on sizes. Sizes come from the caller and have 64 bits on all platforms, so every product of them must be checked, and every
// number of bytes before it becomes a size_t.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "core/portable.h"

namespace tidepool::inline v0_1::detail {

// Division that rounds towards minus or plus infinity, for b > 0. Written without a + b, which could overflow.
inline constexpr int64_t floor_div(int64_t a, int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }
inline constexpr int64_t ceil_div(int64_t a, int64_t b) noexcept { return a / b + (a % b > 0 ? 1 : 0); }

// No array of more bytes is allocated: half of a 32-bit address space, or the whole that current 64-bit processors give a process. Some
// allocators end the program instead of throwing std::bad_alloc when they are asked for more; AddressSanitizer's is one.
inline constexpr int64_t max_bytes = std::min<int64_t>(PTRDIFF_MAX, int64_t{1} << 47);

// A number of bytes or elements to allocate, as a size_t. Throws std::bad_alloc if the platform cannot hold it.
inline size_t to_size(int64_t count) {
  if (count < 0 || count > max_bytes) throw std::bad_alloc();
  return static_cast<size_t>(count);
}

}  // namespace tidepool::inline v0_1::detail
