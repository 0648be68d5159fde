// Average and sum pooling as types, so that one test covers avg_pool1d to sum_pool3d.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::test {

template <Op op_, int N, class Functions>
struct SumFamily : Functions {
  static constexpr int rank = N;
  static constexpr Op op = op_;
  static std::string name() { return Functions::name(); }
  static Tensor pool(const TensorArg& x, const typename Functions::Options& o) { return Functions::forward(x, o); }
};
using Avg1 = SumFamily<Op::avg, 1, AvgPoolFunctions<1>>;
using Avg2 = SumFamily<Op::avg, 2, AvgPoolFunctions<2>>;
using Avg3 = SumFamily<Op::avg, 3, AvgPoolFunctions<3>>;
using Sum1 = SumFamily<Op::sum, 1, SumPoolFunctions<1>>;
using Sum2 = SumFamily<Op::sum, 2, SumPoolFunctions<2>>;
using Sum3 = SumFamily<Op::sum, 3, SumPoolFunctions<3>>;

using AverageFamilies = ::testing::Types<Avg1, Avg2, Avg3, Sum1, Sum2, Sum3>;
struct AverageFamilyName {
  template <class F>
  static std::string GetName(int) {
    return F::name();
  }
};

}  // namespace tidepool::test
