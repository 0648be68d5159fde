// The six families of max and min pooling as types, so that one test covers max_pool1d to min_pool3d.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/ops/max_pool.h"

namespace tidepool::test {

#define TIDEPOOL_FAMILY(family, fn, op_, N)                                                                                           \
  struct family {                                                                                                                     \
    using Options = MaxPoolOptions<N>;                                                                                                \
    static constexpr int rank = N;                                                                                                    \
    static constexpr Op op = op_;                                                                                                     \
    static std::string name() { return #fn; }                                                                                         \
    static Dims shape(const Dims& s, const Options& o) { return fn##_shape(s, o); }                                                   \
    static Tensor pool(TensorView x, const Options& o) { return fn(x, o); }                                                           \
    static Pooled with_indices(TensorView x, const Options& o) { return fn##_with_indices(x, o); }                                    \
    static void into(TensorSpan y, TensorView x, const Options& o) { fn##_into(y, x, o); }                                            \
    static void with_indices_into(TensorSpan y, TensorSpan i, TensorView x, const Options& o) { fn##_with_indices_into(y, i, x, o); } \
    static Tensor backward(TensorView g, TensorView i, const Dims& s, const Options& o) { return fn##_backward(g, i, s, o); }         \
    static void backward_into(TensorSpan y, TensorView g, TensorView i, const Options& o) { fn##_backward_into(y, g, i, o); }         \
    static Tensor double_backward(TensorView g, TensorView i, const Options& o) { return fn##_double_backward(g, i, o); }             \
    static void double_backward_into(TensorSpan y, TensorView g, TensorView i, const Options& o) {                                    \
      fn##_double_backward_into(y, g, i, o);                                                                                          \
    }                                                                                                                                 \
  };
TIDEPOOL_FAMILY(Max1, max_pool1d, Op::max, 1)
TIDEPOOL_FAMILY(Max2, max_pool2d, Op::max, 2)
TIDEPOOL_FAMILY(Max3, max_pool3d, Op::max, 3)
TIDEPOOL_FAMILY(Min1, min_pool1d, Op::min, 1)
TIDEPOOL_FAMILY(Min2, min_pool2d, Op::min, 2)
TIDEPOOL_FAMILY(Min3, min_pool3d, Op::min, 3)
#undef TIDEPOOL_FAMILY

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
