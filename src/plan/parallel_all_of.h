// A check of a large array, on the threads of an executor.
#pragma once

#include <algorithm>
#include <atomic>

#include "core/thread_state.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1::detail {

// Whether check(begin, end) is true for every part of [0, n). `cost` is the number of elements that each of the n items reads.
template <class Check>
bool parallel_all_of(Executor& executor, int64_t n, int64_t cost, const Check& check) {
  // Checking an element takes well under a nanosecond: smaller parts would not be worth a thread.
  constexpr int64_t least_elements = 1 << 16;
  std::atomic<bool> all = true;
  const WaitScope wait;
  executor.parallel_for(n, std::max<int64_t>(least_elements / std::max<int64_t>(cost, 1), 1), [&](int64_t begin, int64_t end) {
    if (all.load(std::memory_order_relaxed) && !check(begin, end)) all.store(false, std::memory_order_relaxed);
  });
  return all.load(std::memory_order_relaxed);
}

}  // namespace tidepool::inline v0_1::detail
