#ifdef TIDEPOOL_HAS_TBB

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>

#include "core/checked.h"
#include "core/fork.h"
#include "core/thread_state.h"
#include "parallel/arena.h"
#include "parallel/tsan_order.h"

namespace tidepool::inline v0_1::detail {

namespace {

// More than one, so that a thread that finishes early can take another piece; few enough that the cost per piece does not matter.
constexpr int64_t pieces_per_thread = 4;

// oneTBB never starts more threads than its global limit, and prints a warning when an arena asks for more.
int limited_threads(int threads) {
  if (forked_since_first_call()) return 1;
  const size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::clamp<size_t>(allowed, 1, static_cast<size_t>(threads)));
}

// Keeps the first exception of the pieces for the caller. oneTBB would pass it on too, but not where oneTBB and this library are built with
// different standard libraries.
class FirstException {
 public:
  template <class Body>
  void run(const Body& body) noexcept {
    try {
      body();
    } catch (...) {
      if (!found_.exchange(true)) exception_ = std::current_exception();
    }
  }
  bool found() const noexcept { return found_.load(std::memory_order_relaxed); }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> found_ = false;
  std::exception_ptr exception_;
};

// In a child process after fork, oneTBB has neither its threads nor, if one of them held it, its locks. Everything runs on the calling
// thread then, and oneTBB is not called at all.
class ArenaExecutor final : public Executor {
 public:
  explicit ArenaExecutor(int threads) : threads_(threads), arena_(std::make_unique<tbb::task_arena>(limited_threads(threads))) {}
  ~ArenaExecutor() override {
    if (forked_since_first_call()) (void)arena_.release();  // NOLINT(bugprone-unused-return-value)
  }

  int concurrency() const noexcept override { return threads_; }

  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    if (n <= 0) return;
    const int64_t piece = std::max({grain, ceil_div(n, threads_ * pieces_per_thread), int64_t{1}});
    const int64_t pieces = ceil_div(n, piece);
    if (pieces == 1 || forked_since_first_call()) return body(0, n);
    TsanOrder before;  // what the caller has written, read by the pieces
    TsanOrder after;   // what the pieces have written, read by the caller
    FirstException failure;
    const ThreadState state = thread_state;
    const auto run = [&](const tbb::blocked_range<int64_t>& range) {
      before.acquire();
      const ReleaseAtEnd done{after};
      const ThreadStateScope settings(state);
      failure.run([&] {
        for (int64_t i = range.begin(); i < range.end() && !failure.found(); ++i) {
          const int64_t begin = i * piece;
          body(begin, begin + std::min(piece, n - begin));
        }
      });
    };
    before.release();
    {
      const AcquireAtEnd all_done{after};
      arena_->execute([&] {
        // While the thread waits for its last pieces, it takes no other task, which could wait for a lock that the caller holds.
        tbb::this_task_arena::isolate([&] { tbb::parallel_for(tbb::blocked_range<int64_t>(0, pieces), run, tbb::simple_partitioner()); });
      });
    }
    failure.rethrow();
  }

 private:
  int threads_;
  std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace

std::unique_ptr<Executor> make_arena_executor(int threads) { return std::make_unique<ArenaExecutor>(threads); }

}  // namespace tidepool::inline v0_1::detail

#endif
