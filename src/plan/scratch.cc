#include "plan/scratch.h"

#include <cstdlib>
#include <utility>

#include "core/thread_object.h"

namespace tidepool::inline v0_1::detail {

void FreeScratch::operator()(std::byte* memory) const noexcept { std::free(memory); }

ScratchLease::ScratchLease(int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  if (ScratchBuffer* kept = thread_object<ScratchBuffer>(); kept != nullptr && kept->size >= bytes) {
    buffer_ = std::exchange(*kept, {});
    return;
  }
  const int64_t size = (bytes + 63) / 64 * 64;
  buffer_.memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, static_cast<size_t>(size))));
  if (buffer_.memory != nullptr) buffer_.size = size;
}

// On the thread that ends the run. An executor with fibres may end it on another one than it began on.
ScratchLease::~ScratchLease() {
  if (buffer_.size == 0) return;
  if (ScratchBuffer* kept = thread_object<ScratchBuffer>(); kept != nullptr && kept->size < buffer_.size) std::swap(*kept, buffer_);
}

}  // namespace tidepool::inline v0_1::detail
