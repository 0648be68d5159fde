// Counts the finished part of a computation that another executor runs.
#pragma once

#include <algorithm>
#include <atomic>

#include "tidepool/executor.h"

namespace tidepool::cli {

class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Executor& inner) : inner_(inner) {}

  int concurrency() const noexcept override { return inner_.concurrency(); }

  // Ranges are split into pieces, because an executor with one thread gets all the work in one range.
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    done_ = 0;
    total_ = n;
    const int64_t step = std::max<int64_t>({grain, (n + pieces - 1) / pieces, 1});
    inner_.parallel_for(n, grain, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t next = end - at < 2 * step ? end : at + step;
        body(at, next);
        done_ += next - at;
        at = next;
      }
    });
  }

  // Of the newest parallel_for, from 0 to 1. Threads may call it at the same time.
  double share() const noexcept {
    const int64_t total = total_;
    return total == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(total);
  }

 private:
  static constexpr int64_t pieces = 1000;
  Executor& inner_;
  std::atomic<int64_t> done_{0}, total_{0};
};

}  // namespace tidepool::cli
