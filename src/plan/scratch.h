// Scratch memory of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tidepool::inline v0_1::detail {

struct FreeScratch {
  void operator()(std::byte* memory) const noexcept;
};

struct ScratchBuffer {
  std::unique_ptr<std::byte, FreeScratch> memory;  // aligned to 64 bytes
  int64_t size = 0;
};

// Borrows a scratch buffer for the lifetime of this object. Each thread keeps the largest buffer that it has used, so that most runs
// allocate nothing. While a run has that buffer, the thread's cache is empty: a run that begins in the middle of another one, because the
// executor does other work while it waits, gets a buffer of its own.
class ScratchLease {
 public:
  explicit ScratchLease(int64_t bytes);
  ~ScratchLease();
  ScratchLease(const ScratchLease&) = delete;
  ScratchLease& operator=(const ScratchLease&) = delete;

  bool ok() const noexcept { return buffer_.size >= bytes_; }  // false when there is not that much memory
  std::span<std::byte> span() const noexcept { return {buffer_.memory.get(), static_cast<size_t>(bytes_)}; }

 private:
  int64_t bytes_;
  ScratchBuffer buffer_;
};

}  // namespace tidepool::inline v0_1::detail
