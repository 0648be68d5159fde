// Initial weights with the distribution that PyTorch's layers use: uniform in ±1/√fan_in.
#pragma once

#include <cmath>

#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/random.h"

namespace tidepool::inline v0_1::nn::detail {

inline Tensor uniform(const Dims& shape, int64_t fan_in) {
  const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  return rand(shape, next_seed()) * (2 * bound) - bound;
}

inline int64_t fan_in(const Dims& weight) {
  int64_t count = 1;
  for (int d = 1; d < weight.rank; ++d) count *= weight[d];
  return count;
}

}  // namespace tidepool::inline v0_1::nn::detail
