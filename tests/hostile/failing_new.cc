// Replaces operator new by one that can be made to fail.
#include "hostile/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "tidepool/error.h"

namespace {

// Counts down to the allocation that fails.
thread_local int64_t allocations_left = -1;
thread_local bool only_one = false, failed = false;
std::atomic<int64_t> live = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left == 0) {
    failed = true;
    if (only_one) allocations_left = -1;
    throw std::bad_alloc();
  }
  if (allocations_left > 0) --allocations_left;
  void* p = alignment == 0 ? std::malloc(bytes) : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  ++live;
  return p;
}

void* allocate_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    return allocate(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release(void* p) noexcept {
  if (p == nullptr) return;
  --live;
  std::free(p);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes == 0 ? 1 : bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<std::size_t>(alignment)); }
// Those without exceptions call the others in the standard library, but not in the library of a sanitizer.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate_or_null(bytes == 0 ? 1 : bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

void tidepool::test::fail_allocation(int64_t n) {
  allocations_left = n;
  only_one = failed = false;
}
void tidepool::test::fail_one_allocation(int64_t n) {
  allocations_left = n;
  only_one = true;
  failed = false;
}
bool tidepool::test::completes_with_failure(int64_t n, const std::function<void()>& f) {
  const struct Restore {
    ~Restore() { fail_allocation(-1); }
  } restore;
  fail_allocation(n);
  try {
    f();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    return false;
  }
}
bool tidepool::test::has_failed() { return failed; }
int64_t tidepool::test::live_allocations() { return live; }
