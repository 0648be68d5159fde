#include <cstdlib>
#include <memory>

#include "plan/plan_impl.h"

namespace tidepool::inline v0_1::detail {

std::byte* thread_scratch(int64_t bytes) {
  struct Free {
    void operator()(std::byte* p) const noexcept { std::free(p); }
  };
  thread_local std::unique_ptr<std::byte, Free> memory;
  thread_local int64_t size = 0;
  if (bytes > size) {
    memory.reset();
    size = 0;
    memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, static_cast<size_t>((bytes + 63) / 64 * 64))));
    if (memory != nullptr) size = bytes;
  }
  return memory.get();
}

}  // namespace tidepool::inline v0_1::detail
