// Properties of global pooling: one output per channel.
#include <limits>

#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class GlobalPoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(GlobalPoolProperty, Ranks, RankName);

// One window that covers the whole plane.
template <int N>
Windows<N> one_window(Rng& rng) {
  Windows<N> w = random_windows<N>(rng, Simple::yes);
  w.kernel = w.stride = w.spatial();
  return w;
}

TYPED_TEST(GlobalPoolProperty, IsAdaptivePoolingToOneBin) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = one_window<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Extent<N> one(1);
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i32}) {
      const Tensor x = filled(w.shape, Contents::smooth, rng, dtype);
      EXPECT_TRUE(same(F::adaptive_avg_pool(x, one), F::global_avg_pool(x))) << dtype_name(dtype);
      EXPECT_TRUE(same(F::adaptive_max_pool(x, one), F::global_max_pool(x))) << dtype_name(dtype);
      EXPECT_TRUE(same(F::adaptive_max_pool_with_indices(x, one), F::global_max_pool_with_indices(x))) << dtype_name(dtype);
    }
  }
}

TYPED_TEST(GlobalPoolProperty, IsAWindowOverTheWholePlane) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = one_window<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng);
    EXPECT_TRUE(same(F::avg_pool(x, w.template options<AvgPoolOptions<N>>()), F::global_avg_pool(x)));
    EXPECT_TRUE(same(F::sum_pool(x, w.template options<SumPoolOptions<N>>()), F::global_sum_pool(x)));
    EXPECT_TRUE(same(F::max_pool_with_indices(x, w.template options<MaxPoolOptions<N>>()), F::global_max_pool_with_indices(x)));
    for (double p : {1.0, 2.0, 3.5, std::numeric_limits<double>::infinity()}) {
      auto norm = w.template options<LpPoolOptions<N>>();
      norm.norm_type = p;
      EXPECT_TRUE(same(F::lp_pool(x, norm), F::global_lp_pool(x, p))) << "p " << p;
    }
  }
}

// Sums and maxima of every channel by a plain loop.
TYPED_TEST(GlobalPoolProperty, EveryCellOfTheChannelCounts) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = one_window<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    for (DType dtype : {DType::f32, DType::f64, DType::i32, DType::i64}) {
      const Tensor x = whole_numbers(w.shape, rng, dtype);
      const std::vector<double> all = cells(x);
      const size_t planes = static_cast<size_t>(w.shape[0] * w.shape[1]), plane = all.size() / planes;
      std::vector<double> sums(planes, 0), most(planes, -1000);
      for (size_t i = 0; i < all.size(); ++i) {
        sums[i / plane] += all[i];
        most[i / plane] = std::max(most[i / plane], all[i]);
      }
      EXPECT_EQ(cells(F::global_sum_pool(x)), sums) << dtype_name(dtype);
      EXPECT_EQ(cells(F::global_max_pool(x)), most) << dtype_name(dtype);
      if (!is_floating(dtype)) continue;
      for (double& v : sums) v /= static_cast<double>(plane);
      EXPECT_TRUE(same(tensor_of(sums, F::global_sum_pool(x).shape(), dtype), F::global_avg_pool(x))) << dtype_name(dtype);
    }
  }
}

TYPED_TEST(GlobalPoolProperty, TheOrderOfCellsDoesNotMatter) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = one_window<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng);
    for (int axis = 2; axis < N + 2; ++axis) {
      const Tensor y = flipped(x, axis);
      EXPECT_TRUE(same(F::global_avg_pool(x), F::global_avg_pool(y))) << "axis " << axis;
      EXPECT_TRUE(same(F::global_sum_pool(x), F::global_sum_pool(y))) << "axis " << axis;
      EXPECT_TRUE(same(F::global_max_pool(x), F::global_max_pool(y))) << "axis " << axis;
      EXPECT_TRUE(same(F::global_lp_pool(x, 2), F::global_lp_pool(y, 2))) << "axis " << axis;
    }
  }
}

TYPED_TEST(GlobalPoolProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = one_window<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng, DType::f64), sum = F::global_sum_pool(x), average = F::global_avg_pool(x);
    const Tensor y = whole_numbers(sum.shape(), rng, DType::f64);
    EXPECT_EQ(dot(sum, y), dot(x, F::global_sum_pool_backward(y, w.shape)));
    EXPECT_TRUE(same(sum, F::global_sum_pool_double_backward(x)));
    EXPECT_NEAR(dot(average, y), dot(x, F::global_avg_pool_backward(y, w.shape)), 1e-8);
    EXPECT_TRUE(same(average, F::global_avg_pool_double_backward(x)));
    const Pooled most = F::global_max_pool_with_indices(x);
    EXPECT_EQ(dot(most.values, y), dot(x, F::global_max_pool_backward(y, most.indices, w.shape)));
    EXPECT_TRUE(same(most.values, F::global_max_pool_double_backward(x, most.indices)));
    const Tensor norm = F::global_lp_pool(x, 2);
    EXPECT_NEAR(dot(norm, y), dot(x, F::global_lp_pool_backward(y, x, 2)), 1e-8);
  }
}

}  // namespace
}  // namespace tidepool::test
