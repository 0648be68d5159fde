// The memory that a tensor and its views share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tidepool::inline v0_1::detail {

struct Storage {
  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (memory != nullptr) ::operator delete(memory, alignment);
  }

  // Allocates at least one byte, so that empty tensors have a valid pointer too. Throws std::bad_alloc.
  void allocate(size_t bytes);

  std::align_val_t alignment{64};
  void* memory = nullptr;       // from allocate(); null when the memory belongs to `owner`
  std::shared_ptr<void> owner;  // keeps memory from outside alive, for example of a DLPack tensor
  std::atomic<uint64_t> version{0};
};

}  // namespace tidepool::inline v0_1::detail
