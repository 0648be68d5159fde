// Executors that split work in unusual ways. Results must not depend on it.
#pragma once

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "support/rng.h"
#include "tidepool/executor.h"

namespace tidepool::test {

// Small pieces on the calling thread, last first, and more of them than concurrency() suggests.
class ReverseExecutor : public Executor {
 public:
  int concurrency() const noexcept override { return 3; }
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    const int64_t piece = std::max<int64_t>({grain, 1, n / 16});
    const int64_t pieces = n == 0 ? 0 : (n + piece - 1) / piece;
    for (int64_t i = pieces - 1; i >= 0; --i) body(i * piece, std::min(n, (i + 1) * piece));
  }
};

// Pieces of uneven length, shuffled, each on a thread of its own, `concurrency` at a time.
class ShuffledThreads : public Executor {
 public:
  ShuffledThreads(int concurrency, uint64_t seed) : concurrency_(concurrency), rng_(seed) {}

  int concurrency() const noexcept override { return concurrency_; }
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    std::vector<std::pair<int64_t, int64_t>> pieces;
    for (int64_t at = 0; at < n;) {
      const int64_t end = std::min(n, at + std::max<int64_t>(grain, 1) + rng_.between(0, n / 8));
      pieces.emplace_back(at, end);
      at = end;
    }
    for (size_t i = pieces.size(); i > 1; --i)
      std::swap(pieces[i - 1], pieces[static_cast<size_t>(rng_.between(0, static_cast<int64_t>(i) - 1))]);
    for (size_t first = 0; first < pieces.size(); first += static_cast<size_t>(concurrency_)) {
      std::vector<std::thread> threads;
      for (size_t i = first; i < std::min(pieces.size(), first + static_cast<size_t>(concurrency_)); ++i)
        threads.emplace_back([&body, piece = pieces[i]] { body(piece.first, piece.second); });
      for (std::thread& t : threads) t.join();
    }
  }

 private:
  int concurrency_;
  Rng rng_;
};

}  // namespace tidepool::test
