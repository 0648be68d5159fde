#include "plan/scratch.h"

#include <new>
#include <utility>

#include "core/checked.h"
#include "core/thread_object.h"

namespace tidepool::inline v0_1::detail {

namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

void FreeScratch::operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }

ScratchLease::ScratchLease(int64_t bytes) : bytes_(bytes) {
  if (bytes == 0 || bytes > max_bytes) return;
  if (ScratchBuffer* kept = thread_object<ScratchBuffer>(); kept != nullptr && kept->size >= bytes) {
    buffer_ = std::exchange(*kept, {});
    return;
  }
  buffer_.memory.reset(static_cast<std::byte*>(::operator new(static_cast<size_t>(bytes), alignment, std::nothrow)));
  if (buffer_.memory != nullptr) buffer_.size = bytes;
}

// On the thread that ends the run. An executor with fibres may end it on another one than it began on.
ScratchLease::~ScratchLease() {
  if (buffer_.size == 0) return;
  if (ScratchBuffer* kept = thread_object<ScratchBuffer>(); kept != nullptr && kept->size < buffer_.size) std::swap(*kept, buffer_);
}

}  // namespace tidepool::inline v0_1::detail
