// Memory between unreadable pages, so that an access out of bounds crashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tidepool::test {

enum class Flush : uint8_t { end, start };

// `bytes` of memory whose last (or first) byte touches the unreadable page.
std::shared_ptr<std::byte> guarded_memory(int64_t bytes, Flush flush);

// The scratch memory of one run: filled with NaNs, because kernels must not rely on what it holds; its end touches the unreadable page, and
// the bytes before it are watched. The memory is kept for the next scratch of the same thread.
class GuardedScratch {
 public:
  explicit GuardedScratch(int64_t bytes);
  std::span<std::byte> span() const { return span_; }
  // Whether the bytes directly before the scratch are unchanged.
  bool intact_before() const;

 private:
  std::span<std::byte> span_;
};

}  // namespace tidepool::test
