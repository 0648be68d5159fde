#include "tidepool/executor.h"

#include <cstddef>
#include <new>
#include <string>

#include "parallel/arena.h"
#include "parallel/thread_count.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1 {
namespace {

class SerialExecutor final : public Executor {
 public:
  int concurrency() const noexcept override { return 1; }
  void parallel_for(int64_t n, int64_t /*grain*/, RangeFn body) override {
    if (n > 0) body(0, n);
  }
};

}  // namespace

void detail::check_thread_count(const char* function, int threads) {
  if (threads < 1 || threads > max_threads) {
    throw Error(ErrorCode::invalid_argument,
                std::string(function) + ": threads must be in [1, " + std::to_string(max_threads) + "], got " + std::to_string(threads));
  }
  if (threads > 1 && !has_threads()) {
    throw Error(ErrorCode::unsupported,
                std::string(function) + ": threads must be 1 in a build without oneTBB, got " + std::to_string(threads));
  }
}

Executor& serial_executor() noexcept {
  // Never destroyed, so that calls from destructors of static objects still work.
  alignas(SerialExecutor) static std::byte memory[sizeof(SerialExecutor)];
  static SerialExecutor& instance = *new (memory) SerialExecutor;
  return instance;
}

std::unique_ptr<Executor> make_executor(int threads) {
  detail::check_thread_count("make_executor", threads);
#ifdef TIDEPOOL_HAS_TBB
  if (threads > 1) return detail::make_arena_executor(threads);
#endif
  return std::make_unique<SerialExecutor>();
}

bool has_threads() noexcept {
#ifdef TIDEPOOL_HAS_TBB
  return true;
#else
  return false;
#endif
}

}  // namespace tidepool::inline v0_1
