// Average and sum pooling as types, so that one test covers avg_pool1d to sum_pool3d.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/ops/avg_pool.h"

namespace tidepool::test {

#define TIDEPOOL_FAMILY(family, fn, op_, Options_, N)                                                        \
  struct family {                                                                                            \
    using Options = Options_<N>;                                                                             \
    static constexpr int rank = N;                                                                           \
    static constexpr Op op = op_;                                                                            \
    static std::string name() { return #fn; }                                                                \
    static Dims shape(const Dims& s, const Options& o) { return fn##_shape(s, o); }                          \
    static Tensor pool(TensorView x, const Options& o) { return fn(x, o); }                                  \
    static Tensor backward(TensorView g, const Dims& s, const Options& o) { return fn##_backward(g, s, o); } \
    static Tensor double_backward(TensorView g, const Options& o) { return fn##_double_backward(g, o); }     \
  };
TIDEPOOL_FAMILY(Avg1, avg_pool1d, Op::avg, AvgPoolOptions, 1)
TIDEPOOL_FAMILY(Avg2, avg_pool2d, Op::avg, AvgPoolOptions, 2)
TIDEPOOL_FAMILY(Avg3, avg_pool3d, Op::avg, AvgPoolOptions, 3)
TIDEPOOL_FAMILY(Sum1, sum_pool1d, Op::sum, SumPoolOptions, 1)
TIDEPOOL_FAMILY(Sum2, sum_pool2d, Op::sum, SumPoolOptions, 2)
TIDEPOOL_FAMILY(Sum3, sum_pool3d, Op::sum, SumPoolOptions, 3)
#undef TIDEPOOL_FAMILY

using AverageFamilies = ::testing::Types<Avg1, Avg2, Avg3, Sum1, Sum2, Sum3>;
struct AverageFamilyName {
  template <class F>
  static std::string GetName(int) {
    return F::name();
  }
};

}  // namespace tidepool::test
