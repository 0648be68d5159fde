#include "nn/fork.h"

#include <mutex>

#include "core/portable.h"
#include "nn/portable_runtime.h"
#include "nn/running_statistics.h"
#include "tidepool/executor.h"

#if TIDEPOOL_POSIX
#include <pthread.h>
#endif

namespace tidepool::inline v0_1::nn {
namespace {

constinit std::mutex statistics;
thread_local bool forked_with_threads = false;

#if TIDEPOOL_POSIX

thread_local bool before_fork = false;

// Runs in the parent before fork, because in the child the C library may count its threads anew. A child without other threads keeps the
// note of its own fork for its children: they have the same description of the pool.
void note_threads() {
  before_fork = forked_with_threads;
  if (!has_one_thread()) forked_with_threads = true;
}

void restore_in_parent() { forked_with_threads = before_fork; }

struct ForkHandlers {
  ForkHandlers() {
    pthread_atfork(
        [] {
          statistics.lock();
          note_threads();
        },
        [] {
          restore_in_parent();
          statistics.unlock();
        },
        [] { statistics.unlock(); });
  }
};
const ForkHandlers registered;  // when the library is loaded, because threads of the program's own OpenMP regions count too

#endif

}  // namespace

// The changes run on the default executor. Making it takes a lock of core/fork.h, which fork() may hold while it waits for this one.
std::mutex& running_statistics_mutex() {
  (void)default_executor();
  return statistics;
}

bool onednn::lost_its_threads() noexcept { return forked_with_threads; }

}  // namespace tidepool::inline v0_1::nn
