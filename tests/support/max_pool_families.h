// The six families of max and min pooling as types, so that one test covers max_pool1d to min_pool3d.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/min_pool.h"

namespace tidepool::test {

template <Op op_, int N>
struct ExtremumFamily : ExtremumPoolFunctions<op_, N> {
  using Options = MaxPoolOptions<N>;
  static constexpr int rank = N;
  static constexpr Op op = op_;
  static std::string name() { return ExtremumPoolFunctions<op_, N>::name(); }
  static Tensor pool(const TensorArg& x, const Options& o) { return ExtremumFamily::forward(x, o); }
};
using Max1 = ExtremumFamily<Op::max, 1>;
using Max2 = ExtremumFamily<Op::max, 2>;
using Max3 = ExtremumFamily<Op::max, 3>;
using Min1 = ExtremumFamily<Op::min, 1>;
using Min2 = ExtremumFamily<Op::min, 2>;
using Min3 = ExtremumFamily<Op::min, 3>;

using Families = ::testing::Types<Max1, Max2, Max3, Min1, Min2, Min3>;
struct FamilyName {
  template <class F>
  static std::string GetName(int) {
    return F::name();
  }
};

// N, C, and `size` along each of `rank` spatial dims.
inline Dims cube(int64_t batch, int64_t channels, int64_t size, int rank) {
  Dims d{batch, channels};
  for (int i = 0; i < rank; ++i) d.push_back(size);
  return d;
}

}  // namespace tidepool::test
