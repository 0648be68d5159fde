// Properties that relate the dtypes to each other.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class DtypeProperty : public ::testing::Test {};
TYPED_TEST_SUITE(DtypeProperty, Ranks, RankName);

constexpr DType halves[] = {DType::f16, DType::bf16};

// Rounding never changes the order of two numbers, so it may come before or after the maximum.
TYPED_TEST(DtypeProperty, TheMaximumOfRoundedNumbersIsTheRoundedMaximum) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto o = w.template options<MaxPoolOptions<N>>();
    const Tensor x = filled(w.shape, Contents::smooth, rng);
    for (DType half : halves) {
      EXPECT_TRUE(same(F::max_pool(x, o).to(half), F::max_pool(x.to(half), o))) << dtype_name(half);
      EXPECT_TRUE(same(F::min_pool(x, o).to(half), F::min_pool(x.to(half), o))) << dtype_name(half);
    }
    EXPECT_TRUE(same(F::max_pool(x, o).to(DType::f64), F::max_pool(x.to(DType::f64), o)));
  }
}

// Whole numbers that fit every type: the maxima and where they are do not depend on the type.
TYPED_TEST(DtypeProperty, MaximaOfTheSameNumbersAreTheSame) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto o = w.template options<MaxPoolOptions<N>>();
    const Tensor x = whole_numbers(w.shape, rng, DType::f32, 0, 100);
    const Pooled most = F::max_pool_with_indices(x, o), least = F::min_pool_with_indices(x, o);
    for (DType dtype : {DType::f64, DType::f16, DType::bf16, DType::i8, DType::u8, DType::i16, DType::i32, DType::i64}) {
      const Pooled high = F::max_pool_with_indices(x.to(dtype), o), low = F::min_pool_with_indices(x.to(dtype), o);
      EXPECT_TRUE(same(most.indices, high.indices)) << dtype_name(dtype);
      EXPECT_TRUE(same(least.indices, low.indices)) << dtype_name(dtype);
      // A window without real cells has the type's own lowest or highest number.
      const std::vector<double> index = cells(most.indices), a = cells(most.values), b = cells(high.values), c = cells(least.values),
                                d = cells(low.values);
      for (size_t i = 0; i < index.size(); ++i) {
        if (index[i] < 0) continue;
        ASSERT_EQ(a[i], b[i]) << dtype_name(dtype);
        ASSERT_EQ(c[i], d[i]) << dtype_name(dtype);
      }
    }
  }
}

TYPED_TEST(DtypeProperty, HalfPrecisionAveragesAreFloatAveragesRoundedOnce) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto avg = w.template options<AvgPoolOptions<N>>();
    const auto sum = w.template options<SumPoolOptions<N>>();
    for (DType half : halves) {
      const Tensor x = filled(w.shape, Contents::smooth, rng, half), wide = x.to(DType::f32);
      EXPECT_TRUE(same(F::avg_pool(wide, avg).to(half), F::avg_pool(x, avg))) << dtype_name(half);
      EXPECT_TRUE(same(F::sum_pool(wide, sum).to(half), F::sum_pool(x, sum))) << dtype_name(half);
      const Tensor grad = filled(F::avg_pool(x, avg).shape(), Contents::smooth, rng, half);
      EXPECT_TRUE(same(F::avg_pool_backward(grad.to(DType::f32), w.shape, avg).to(half), F::avg_pool_backward(grad, w.shape, avg)))
          << dtype_name(half);
    }
  }
}

TYPED_TEST(DtypeProperty, NormsAreComputedInDoubleAndRoundedOnce) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    for (double p : {1.0, 2.0, 3.0, 1.5})
      for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        auto o = w.template options<LpPoolOptions<N>>();
        o.norm_type = p;
        const Tensor x = filled(w.shape, Contents::smooth, rng, dtype);
        EXPECT_TRUE(same(F::lp_pool(x.to(DType::f64), o).to(dtype), F::lp_pool(x, o))) << dtype_name(dtype) << " p " << p;
      }
  }
}

TYPED_TEST(DtypeProperty, IntegerSumsSaturateAndIntegerAveragesRoundAsAsked) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    for (DType dtype : {DType::i8, DType::u8, DType::i16, DType::i32}) {
      const Tensor x =
          dtype == DType::i32 ? whole_numbers(w.shape, rng, dtype, -1000, 1000) : filled(w.shape, Contents::smooth, rng, dtype);
      const Tensor wide = x.to(DType::f64);
      const auto sum = w.template options<SumPoolOptions<N>>();
      EXPECT_TRUE(same(F::sum_pool(wide, sum).to(dtype), F::sum_pool(x, sum))) << dtype_name(dtype);  // to() saturates as sums do
      auto avg = w.template options<AvgPoolOptions<N>>();
      const Tensor exact = F::avg_pool(wide, avg);
      using Round = double (*)(double);
      for (const auto& [how, round] : {std::pair<IntegerRounding, Round>{IntegerRounding::truncate, std::trunc},
                                       {IntegerRounding::floor, std::floor},
                                       {IntegerRounding::nearest_even, std::nearbyint}}) {
        avg.rounding = how;
        EXPECT_TRUE(same(map(exact, round).to(dtype), F::avg_pool(x, avg))) << dtype_name(dtype) << " rounding " << static_cast<int>(how);
      }
    }
  }
}

TYPED_TEST(DtypeProperty, BooleanMaximaAreWhetherAnyIsTrue) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::smooth, rng, DType::boolean);
    const auto sum = w.template options<SumPoolOptions<N>>();
    const std::vector<double> set = cells(F::sum_pool(x.to(DType::f32), sum)), all = cells(F::sum_pool(full(w.shape, 1), sum));
    const auto o = w.template options<MaxPoolOptions<N>>();
    const std::vector<double> any = cells(F::max_pool(x, o)), every = cells(F::min_pool(x, o));
    for (size_t i = 0; i < set.size(); ++i) {
      ASSERT_EQ(any[i], set[i] > 0 ? 1 : 0);
      ASSERT_EQ(every[i], set[i] == all[i] ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace tidepool::test
