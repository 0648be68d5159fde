#include "core/fork.h"

#include <array>
#include <atomic>

#include "core/portable.h"

#if TIDEPOOL_POSIX
#include <pthread.h>
#endif

namespace tidepool::inline v0_1::detail {
namespace {

constinit std::array<std::mutex, static_cast<size_t>(SharedState::count)> mutexes;
constinit std::atomic<bool> asked = false, forked = false;

#if TIDEPOOL_POSIX
// Once per process. On other systems there is no fork.
void register_handlers() noexcept {
  static const int registered = pthread_atfork(
      [] {
        for (std::mutex& m : mutexes) m.lock();
      },
      [] {
        for (std::mutex& m : mutexes) m.unlock();
      },
      [] {
        for (std::mutex& m : mutexes) m.unlock();
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
  return mutexes[static_cast<size_t>(state)];
}

bool forked_since_first_call() noexcept {
  if (!asked.load(std::memory_order_relaxed)) {
    register_handlers();
    asked.store(true, std::memory_order_relaxed);
  }
  return forked.load(std::memory_order_relaxed);
}

}  // namespace tidepool::inline v0_1::detail
