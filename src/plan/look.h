// Looking at all of an array before any of it is used, on as many threads as will use it.
#pragma once

#include <algorithm>
#include <atomic>

#include "tidepool/executor.h"

namespace tidepool::detail {

// Whether look(begin, end) is true for all parts of [0, n), of which each has `cost` cells. Parts are large: looking is quick.
template <class Look>
bool all_right(Executor& executor, int64_t n, int64_t cost, const Look& look) {
  constexpr int64_t least_cells = 1 << 16;
  std::atomic<bool> right = true;
  executor.parallel_for(n, std::max<int64_t>(least_cells / std::max<int64_t>(cost, 1), 1), [&](int64_t begin, int64_t end) {
    if (right.load(std::memory_order_relaxed) && !look(begin, end)) right.store(false, std::memory_order_relaxed);
  });
  return right.load(std::memory_order_relaxed);
}

}  // namespace tidepool::detail
