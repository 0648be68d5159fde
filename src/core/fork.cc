#include "core/fork.h"

#include <array>
#include <atomic>

#include "core/portable.h"

#if TIDEPOOL_POSIX
#include <pthread.h>
#endif

namespace tidepool::inline v0_1::detail {
namespace {

constexpr size_t shared_states = static_cast<size_t>(SharedState::count);
// Powers of two: so many that threads rarely wait for each other, so few that fork() locks them all in a microsecond.
constexpr int stripe_bits = 5;

// On a cache line of its own.
struct alignas(64) Line {
  std::mutex mutex;
};
constinit std::array<Line, shared_states + (size_t{1} << stripe_bits)> mutexes;
constinit std::atomic<bool> asked = false, forked = false;

#if TIDEPOOL_POSIX
// Once per process. On other systems there is no fork.
void register_handlers() noexcept {
  static const int registered = pthread_atfork(
      [] {
        for (Line& line : mutexes) line.mutex.lock();
      },
      [] {
        for (Line& line : mutexes) line.mutex.unlock();
      },
      [] {
        for (Line& line : mutexes) line.mutex.unlock();
        forked.store(asked.load(std::memory_order_relaxed), std::memory_order_relaxed);
      });
  (void)registered;
}
#else
void register_handlers() noexcept {}
#endif

}  // namespace

std::mutex& mutex_of(SharedState state) {
  register_handlers();
  return mutexes[static_cast<size_t>(state)].mutex;
}

std::mutex& mutex_of(const void* object) {
  register_handlers();
  const uint64_t scrambled = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(object)) * 0x9E3779B97F4A7C15U;
  return mutexes[shared_states + static_cast<size_t>(scrambled >> (64 - stripe_bits))].mutex;
}

bool forked_since_first_call() noexcept {
  if (!asked.load(std::memory_order_relaxed)) {
    register_handlers();
    asked.store(true, std::memory_order_relaxed);
  }
  return forked.load(std::memory_order_relaxed);
}

}  // namespace tidepool::inline v0_1::detail
