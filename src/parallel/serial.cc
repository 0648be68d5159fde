#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "parallel/arena.h"
#include "tidepool/error.h"
#include "tidepool/executor.h"

namespace tidepool {

namespace {

// Beyond any machine this runs on: more is a mistake, and threads are not free.
constexpr int max_threads = 1024;

class SerialExecutor final : public Executor {
 public:
  int concurrency() const noexcept override { return 1; }
  void parallel_for(int64_t n, int64_t /*grain*/, RangeFn body) override {
    if (n > 0) body(0, n);
  }
};

void check_threads(const char* op, int threads) {
  if (threads < 1 || threads > max_threads) {
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": threads must be in [1, " + std::to_string(max_threads) + "], got " + std::to_string(threads));
  }
  if (threads > 1 && !has_threads()) {
    throw Error(ErrorCode::unsupported, std::string(op) + ": threads must be 1 in a build without oneTBB, got " + std::to_string(threads));
  }
}

int default_threads() noexcept {
  return has_threads() ? std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, max_threads) : 1;
}

// Executors are made once per number of threads and kept for good: a caller may still run on one while another thread sets a new number.
class Registry {
 public:
  Executor& current() {
    if (Executor* executor = current_.load(std::memory_order_acquire)) return *executor;
    return select(default_threads(), false);
  }

  // Without `replace`, what someone else set in the meantime stays.
  Executor& select(int threads, bool replace) {
    const std::lock_guard lock(mutex_);
    if (Executor* executor = current_.load(std::memory_order_relaxed); executor != nullptr && !replace) return *executor;
    std::unique_ptr<Executor>& slot = made_[threads];
    if (slot == nullptr) slot = make_executor(threads);
    current_.store(slot.get(), std::memory_order_release);
    return *slot;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Executor>> made_;
  std::atomic<Executor*> current_ = nullptr;
};

// Never destroyed, so that it also serves calls made while the program ends.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

}  // namespace

Executor& serial_executor() noexcept {
  static SerialExecutor instance;
  return instance;
}

std::unique_ptr<Executor> make_executor(int threads) {
  check_threads("make_executor", threads);
#ifdef TIDEPOOL_HAS_TBB
  if (threads > 1) return detail::make_arena_executor(threads);
#endif
  return std::make_unique<SerialExecutor>();
}

Executor& default_executor() { return registry().current(); }

void set_num_threads(int threads) {
  check_threads("set_num_threads", threads);
  registry().select(threads, true);
}

int num_threads() { return default_executor().concurrency(); }

bool has_threads() noexcept {
#ifdef TIDEPOOL_HAS_TBB
  return true;
#else
  return false;
#endif
}

}  // namespace tidepool
