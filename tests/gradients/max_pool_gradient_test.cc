// Gradients of max pooling: finite differences, adjoints, ties, and the documented order of sums.
#include <gtest/gtest.h>

#include "gradients/numbers.h"
#include "support/compare.h"
#include "support/max_pool_families.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::distinct;
using test::dot;
using test::integers;
using test::same_bits;

constexpr uint64_t cases = 12;

template <class F>
typename F::Options random_options(test::Rng& rng) {
  const int64_t k = rng.between(1, 4), d = rng.between(1, 2);
  return {.kernel_size = k,
          .stride = rng.between(1, 3),
          .padding = rng.between(0, (d * (k - 1) + 1) / 2),
          .dilation = d,
          .ceil_mode = rng.one_in(2),
          .index_base = rng.pick({IndexBase::plane, IndexBase::tensor, IndexBase::window})};
}

template <class F>
Dims random_shape(test::Rng& rng) {
  Dims shape{rng.between(1, 2), rng.between(1, 3)};
  for (int i = 0; i < F::rank; ++i) shape.push_back(rng.between(7, F::rank == 3 ? 8 : 12));
  return shape;
}

template <class F>
class MaxPoolGradient : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolGradient, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolGradient, FiniteDifferences) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const auto o = random_options<F>(rng);
    const Dims shape = random_shape<F>(rng);
    Tensor x = distinct(shape, rng);
    const Pooled y = F::with_indices(x, o);
    const Tensor weights = integers(y.values.shape(), rng);
    const Tensor grad = F::backward(weights, y.indices, shape, o);
    // The loss is linear this close to x, and every number here is exact: the quotient is the derivative.
    const double h = 0.25;
    for (int64_t i = 0; i < x.numel(); i += 1 + x.numel() / 60) {
      double& cell = x.data<double>()[i];
      const double before = cell;
      // The result of an empty window is infinite, and would make the loss infinite.
      const auto loss = [&] {
        Tensor v = F::pool(x, o);
        for (int64_t j = 0; j < v.numel(); ++j)
          if (std::isinf(v.data<double>()[j])) v.data<double>()[j] = 0;
        return dot(v, weights);
      };
      cell = before + h;
      const double above = loss();
      cell = before - h;
      const double below = loss();
      cell = before;
      ASSERT_EQ(cells(grad)[static_cast<size_t>(i)], (above - below) / (2 * h)) << "seed " << seed << " cell " << i;
    }
  }
}

TYPED_TEST(MaxPoolGradient, DoubleBackwardIsTheAdjointOfBackward) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const auto o = random_options<F>(rng);
    const Dims shape = random_shape<F>(rng);
    const Pooled y = F::with_indices(distinct(shape, rng), o);
    const Tensor g = integers(y.values.shape(), rng), v = integers(shape, rng);
    EXPECT_EQ(dot(F::backward(g, y.indices, shape, o), v), dot(g, F::double_backward(v, y.indices, o))) << "seed " << seed;
  }
}

TYPED_TEST(MaxPoolGradient, EveryIndexBaseGivesTheSameGradient) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    auto o = random_options<F>(rng);
    o.nan = rng.pick({NanPolicy::propagate, NanPolicy::ignore});
    const Dims shape = random_shape<F>(rng);
    const DType dtype = rng.pick({DType::f32, DType::f64, DType::f16, DType::bf16});
    Tensor x(shape, dtype), g(F::shape(shape, o), dtype), v(shape, dtype);
    test::fill(x.span(), test::Contents::specials, rng);
    test::fill(g.span(), test::Contents::finite, rng);
    test::fill(v.span(), test::Contents::specials, rng);
    std::vector<Tensor> backward, twice;
    for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
      o.index_base = base;
      const Pooled y = F::with_indices(x, o);
      backward.push_back(F::backward(g, y.indices, shape, o));
      twice.push_back(F::double_backward(v, y.indices, o));
    }
    for (size_t i : {1u, 2u}) {
      EXPECT_TRUE(same_bits(backward[0], backward[i])) << "seed " << seed;
      EXPECT_TRUE(same_bits(twice[0], twice[i])) << "seed " << seed;
    }
  }
}

TYPED_TEST(MaxPoolGradient, IntoMemoryOfTheCallerOverwritesWhatWasThere) {
  using F = TypeParam;
  test::Rng rng(3);
  const auto o = random_options<F>(rng);
  const Dims shape = random_shape<F>(rng);
  const Pooled y = F::with_indices(distinct(shape, rng), o);
  const Tensor g = integers(y.values.shape(), rng), v = integers(shape, rng);
  Tensor grad = full(shape, 77, DType::f64), twice = full(y.values.shape(), 77, DType::f64);
  F::backward_into(grad.span(), g, y.indices, o);
  EXPECT_TRUE(same_bits(F::backward(g, y.indices, shape, o), grad));
  F::double_backward_into(twice.span(), v, y.indices, o);
  EXPECT_TRUE(same_bits(F::double_backward(v, y.indices, o), twice));
}

TEST(MaxPoolGradientRules, TiesGoToTheFirst) {
  const MaxPoolOptions<2> o{.kernel_size = 2};
  const Pooled p = max_pool2d_with_indices(full({1, 1, 4, 4}, 3), o);
  EXPECT_EQ(cells(max_pool2d_backward(full({1, 1, 2, 2}, 1), p.indices, {1, 1, 4, 4}, o)),
            (Cells{1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0}));
}

TEST(MaxPoolGradientRules, OverlappingWindowsAdd) {
  const MaxPoolOptions<1> o{.kernel_size = 3, .stride = 1};
  const Tensor x = Tensor::from<float>({1, 1, 5}, {0, 0, 9, 0, 0});
  const Pooled p = max_pool1d_with_indices(x, o);
  EXPECT_EQ(cells(max_pool1d_backward(Tensor::from<float>({1, 1, 3}, {1, 10, 100}), p.indices, {1, 1, 5}, o)), (Cells{0, 0, 111, 0, 0}));
}

// Floating-point addition is not associative. Gradients are added in row-major order of the outputs, as documented.
TEST(MaxPoolGradientRules, SumsRunInRowMajorOrderOfTheOutputs) {
  for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window})
    for (MemoryFormat format : {MemoryFormat::contiguous, MemoryFormat::channels_last}) {
      const MaxPoolOptions<2> o{.kernel_size = 2, .stride = 1, .padding = 1, .index_base = base};
      Tensor x = zeros({1, 2, 1, 1});
      const Pooled p = max_pool2d_with_indices(x.clone(format), o);
      // 2^24 + 1 rounds back to 2^24; what comes after the cancellation survives.
      const Tensor g = Tensor::from<float>({1, 2, 2, 2}, {16777216, 1, -16777216, 1, 1, 16777216, 1, -16777216}).clone(format);
      EXPECT_EQ(cells(max_pool2d_backward(g, p.indices, {1, 2, 1, 1}, o)), (Cells{1, 0})) << index_base_name(base);
    }
}

TEST(MaxPoolGradientRules, HalfTypesAddInFloatAndRoundOnce) {
  const MaxPoolOptions<1> o{.kernel_size = 3, .stride = 1, .padding = 1};
  for (DType dtype : {DType::f16, DType::bf16}) {
    const Pooled p = max_pool1d_with_indices(Tensor::from<float>({1, 1, 3}, {0, 9, 0}).to(dtype), o);
    // 1 + eps/2 + eps/2: rounding at every addition would give 1.
    const float half_ulp = dtype == DType::f16 ? 0x1p-11f : 0x1p-8f;
    const Tensor g = Tensor::from<float>({1, 1, 3}, {1, half_ulp, half_ulp}).to(dtype);
    EXPECT_EQ(cells(max_pool1d_backward(g, p.indices, {1, 1, 3}, o)), (Cells{0, 1 + 2 * half_ulp, 0})) << dtype_name(dtype);
  }
}

TEST(MaxPoolGradientRules, ASumOfMinusZerosIsPlusZero) {
  const MaxPoolOptions<1> o{.kernel_size = 1};
  const Pooled p = max_pool1d_with_indices(zeros({1, 1, 40}), o);
  const Tensor g = max_pool1d_backward(full({1, 1, 40}, -0.0), p.indices, {1, 1, 40}, o);
  EXPECT_TRUE(same_bits(zeros({1, 1, 40}), g));
}

TEST(MaxPoolGradientRules, NanAndInfinityInGradientsStayWhereTheyBelong) {
  const MaxPoolOptions<1> o{.kernel_size = 2};
  const Pooled p = max_pool1d_with_indices(Tensor::from<float>({1, 1, 4}, {1, 2, 4, 3}), o);
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Cells g = cells(max_pool1d_backward(Tensor::from<float>({1, 1, 2}, {inf, nan}), p.indices, {1, 1, 4}, o));
  EXPECT_EQ(g[0], 0);
  EXPECT_EQ(g[1], inf);
  EXPECT_TRUE(std::isnan(g[2]));
  EXPECT_EQ(g[3], 0);
}

TEST(MaxPoolGradientRules, TheWinnerIsTheSameInBackwardAsInForwardWithNan) {
  const MaxPoolOptions<1> o{.kernel_size = 4};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Pooled p = max_pool1d_with_indices(Tensor::from<float>({1, 1, 4}, {nan, 5, nan, 7}), o);
  EXPECT_EQ(cells(max_pool1d_backward(full({1, 1, 1}, 1), p.indices, {1, 1, 4}, o)), (Cells{0, 0, 1, 0}));
}

// The taps of a window of 256 cells need all values of a byte, so the index for "no cell" must not be one of them.
TEST(MaxPoolGradientRules, WindowsOf256TapsTellTheLastTapFromNone) {
  const MaxPoolOptions<2> o{.kernel_size = 16, .nan = NanPolicy::ignore, .index_base = IndexBase::window};
  Tensor x = full({1, 2, 16, 16}, std::numeric_limits<double>::quiet_NaN());
  test::put<float>(x.span(), {0, 1, 15, 15}, 3);  // channel 0: nothing but NaN; channel 1: the last tap
  const Pooled p = max_pool2d_with_indices(x, o);
  const Cells g = cells(max_pool2d_backward(full({1, 2, 1, 1}, 1), p.indices, {1, 2, 16, 16}, o));
  EXPECT_EQ(g[255], 0);
  EXPECT_EQ(g[511], 1);
}

}  // namespace
}  // namespace tidepool
