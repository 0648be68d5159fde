// The memory that a tensor and all views of it share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace tidepool::detail {

inline constexpr std::align_val_t storage_alignment{64};

struct Storage {
  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (memory != nullptr) ::operator delete(memory, storage_alignment);
  }

  void* memory = nullptr;       // ours, or
  std::shared_ptr<void> owner;  // somebody else's
  std::atomic<uint64_t> version{0};
};

}  // namespace tidepool::detail
