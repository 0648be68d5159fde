// Reads numbers from the bytes that a fuzzer gives.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tidepool::fuzz {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  uint8_t byte() {  // 0 after the end
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  int below(int limit) { return byte() % limit; }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool flag() { return (byte() & 1) != 0; }
  // The first `count` bytes, which this source loses.
  ByteSource split(size_t count) {
    const ByteSource first(data_, count < size_ ? count : size_);
    data_ += first.size_;
    size_ -= first.size_;
    return first;
  }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tidepool::fuzz
