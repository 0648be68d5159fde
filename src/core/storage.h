// The memory that a tensor and all views of it share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tidepool::detail {

struct Storage {
  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (memory != nullptr) ::operator delete(memory, alignment);
  }

  // At least a byte, so that the pointer of an empty tensor is as valid as any. Throws std::bad_alloc.
  void allocate(size_t bytes);

  std::align_val_t alignment{64};
  void* memory = nullptr;       // ours, or
  std::shared_ptr<void> owner;  // somebody else's
  std::atomic<uint64_t> version{0};
};

}  // namespace tidepool::detail
