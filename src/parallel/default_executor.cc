// The executor of calls that are given none.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "core/fork.h"
#include "parallel/thread_count.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1 {
namespace {

int default_threads() noexcept {
  return has_threads() ? std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, detail::max_threads) : 1;
}

// One executor per number of threads. They are never destroyed: a thread may still use one while another thread sets a new number.
class ExecutorRegistry {
 public:
  Executor& current() {
    if (Executor* executor = current_.load(std::memory_order_acquire)) return *executor;
    return select(default_threads(), false);
  }

  // Makes the executor with that many threads the current one. Without `replace`, one that another thread has selected meanwhile stays.
  Executor& select(int threads, bool replace) {
    const std::lock_guard lock(detail::mutex_of(detail::SharedState::executors));
    if (Executor* executor = current_.load(std::memory_order_relaxed); executor != nullptr && !replace) return *executor;
    std::unique_ptr<Executor>& slot = made_[threads];
    if (slot == nullptr) slot = make_executor(threads);
    current_.store(slot.get(), std::memory_order_release);
    return *slot;
  }

 private:
  std::map<int, std::unique_ptr<Executor>> made_;
  std::atomic<Executor*> current_ = nullptr;
};

// Never destroyed, so that calls from destructors of static objects still work.
ExecutorRegistry& registry() {
  static ExecutorRegistry& instance = *new ExecutorRegistry;
  return instance;
}

}  // namespace

Executor& default_executor() { return registry().current(); }

void set_num_threads(int threads) {
  detail::check_thread_count("set_num_threads", threads);
  registry().select(threads, true);
}

int num_threads() { return default_executor().concurrency(); }

}  // namespace tidepool::inline v0_1
