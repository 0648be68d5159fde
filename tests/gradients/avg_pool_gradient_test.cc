// Gradients of averages, sums and adaptive pooling against finite differences and adjoints, in every layout.
#include <gtest/gtest.h>

#include <functional>

#include "gradients/numbers.h"
#include "support/avg_pool_families.h"
#include "support/compare.h"
#include "tidepool/ops/adaptive_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::distinct;
using test::dot;
using test::integers;
using test::same_bits;

constexpr uint64_t cases = 24;

// The same numbers in another layout: row-major, channels-last, or neither.
Tensor laid_out(const Tensor& t, test::Rng& rng) {
  switch (rng.between(0, 2)) {
    case 0:
      return t;
    case 1:
      return t.clone(MemoryFormat::channels_last);
    default:
      return t.transpose(1, -1).clone().transpose(1, -1);
  }
}

// One pooling with everything but its data fixed.
struct Pooling {
  std::function<Tensor(const TensorArg&)> forward, backward, double_backward;
};

Dims random_shape(int rank, test::Rng& rng) {
  Dims shape{rng.between(1, 2), rng.between(1, 3)};
  for (int i = 0; i < rank; ++i) shape.push_back(rng.between(7, rank == 3 ? 8 : 12));
  return shape;
}

// Quotients of small integers: sums of a few hundred of them keep more than ten digits.
void expect_close(double expected, double actual, uint64_t seed) {
  EXPECT_NEAR(expected, actual, 1e-9 * std::max(1.0, std::abs(expected))) << "seed " << seed;
}

// x is changed and restored. Where all cells of x are distinct, steps of 1/4 do not change the argmax, and the loss is linear.
void expect_finite_differences(const Pooling& pooling, Tensor& x, uint64_t seed) {
  test::Rng rng(seed);
  const Tensor weights = integers(pooling.forward(x).shape(), rng);
  const test::Cells grad = cells(pooling.backward(laid_out(weights, rng)));
  const double h = 0.25;
  for (int64_t i = 0; i < x.numel(); i += 1 + x.numel() / 40) {
    double& cell = x.data<double>()[i];
    const double before = cell;
    const auto loss_at = [&](double value) {
      cell = value;
      return dot(pooling.forward(laid_out(x, rng)), weights);
    };
    const double slope = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
    cell = before;
    expect_close(slope, grad[static_cast<size_t>(i)], seed);
  }
}

// <backward(g), v> == <g, double_backward(v)>
void expect_adjoint(const Pooling& pooling, const Dims& input_shape, const Dims& output_shape, uint64_t seed) {
  test::Rng rng(seed);
  const Tensor g = laid_out(integers(output_shape, rng), rng), v = laid_out(integers(input_shape, rng), rng);
  expect_close(dot(pooling.backward(g), v), dot(g, pooling.double_backward(v)), seed);
}

// A linear op is its own derivative: <forward(x), g> == <x, backward(g)>, and double backward is forward.
void expect_linear(const Pooling& pooling, const Tensor& x, uint64_t seed) {
  test::Rng rng(seed);
  const Tensor v = laid_out(x, rng), y = pooling.forward(v);
  const Tensor g = laid_out(integers(y.shape(), rng), rng);
  expect_close(dot(y, g), dot(x, pooling.backward(g)), seed);
  EXPECT_TRUE(same_bits(y, pooling.double_backward(v))) << "seed " << seed;
}

template <class F>
typename F::Options random_options(test::Rng& rng) {
  const int64_t k = rng.between(1, 4), d = rng.between(1, 2), limit = (d * (k - 1) + 1) / 2;
  typename F::Options o;
  o.kernel_size = k;
  o.stride = rng.between(1, 3);
  o.padding = rng.one_in(4) ? Padding<F::rank>(same) : Padding<F::rank>(rng.between(0, limit));
  o.dilation = d;
  if (o.padding.mode == PaddingMode::explicit_sides) o.ceil_mode = rng.pick({Rounding::floor, Rounding::ceil, Rounding::ceil_full});
  if constexpr (F::op == Op::avg) {
    o.count_include_pad = rng.pick({Divisor::window_in_padded, Divisor::valid_only, Divisor::full_kernel});
    if (rng.one_in(4)) o.divisor_override = rng.pick<int64_t>({-3, 1, 7});
  }
  return o;
}

template <class F>
class AvgPoolGradient : public ::testing::Test {};
TYPED_TEST_SUITE(AvgPoolGradient, test::AverageFamilies, test::AverageFamilyName);

TYPED_TEST(AvgPoolGradient, FiniteDifferencesAndAdjoints) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const auto o = random_options<F>(rng);
    const Dims shape = random_shape(F::rank, rng);
    const Pooling pooling{[&](const TensorArg& x) { return F::pool(x, o); }, [&](const TensorArg& g) { return F::backward(g, shape, o); },
                          [&](const TensorArg& v) { return F::double_backward(v, o); }};
    Tensor x = integers(shape, rng);
    expect_finite_differences(pooling, x, seed);
    expect_linear(pooling, x, seed);
    expect_adjoint(pooling, shape, F::shape(shape, o), seed);
  }
}

template <int N>
struct Adaptive {
  static constexpr int rank = N;
  using Avg = AdaptiveAvgPoolFunctions<N>;
  using Max = AdaptiveMaxPoolFunctions<N>;

  static Pooling average(const Dims& shape, const Extent<N>& output) {
    const AdaptiveAvgPoolOptions<N> o{.output_size = output};
    return {[=](const TensorArg& x) { return Avg::forward(x, o); }, [=](const TensorArg& g) { return Avg::backward(g, shape); },
            [=](const TensorArg& v) { return Avg::double_backward(v, o); }};
  }
  static Pooling max(const Tensor& x, const AdaptiveMaxPoolOptions<N>& o) {
    const Pooled y = Max::with_indices(x, o);
    return {[=](const TensorArg& v) { return Max::forward(v, o); },
            [=, shape = x.shape()](const TensorArg& g) { return Max::backward(g, y.indices, shape, o); },
            [=](const TensorArg& v) { return Max::double_backward(v, y.indices, o); }};
  }
};

// Fewer outputs than inputs, as many, or more.
template <int N>
Extent<N> random_output(test::Rng& rng) {
  std::vector<int64_t> sizes;
  for (int i = 0; i < N; ++i) sizes.push_back(rng.one_in(6) ? keep_size : rng.between(1, N == 3 ? 9 : 14));
  return std::span<const int64_t>(sizes);
}

template <class F>
class AdaptiveGradient : public ::testing::Test {};
using AdaptiveFamilies = ::testing::Types<Adaptive<1>, Adaptive<2>, Adaptive<3>>;
TYPED_TEST_SUITE(AdaptiveGradient, AdaptiveFamilies);

TYPED_TEST(AdaptiveGradient, AveragesAreLinear) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const Dims shape = random_shape(F::rank, rng);
    const Pooling pooling = F::average(shape, random_output<F::rank>(rng));
    Tensor x = integers(shape, rng);
    expect_finite_differences(pooling, x, seed);
    expect_linear(pooling, x, seed);
    expect_adjoint(pooling, shape, pooling.forward(x).shape(), seed);
  }
}

TYPED_TEST(AdaptiveGradient, MaximaFollowTheirWinners) {
  using F = TypeParam;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    Tensor x = distinct(random_shape(F::rank, rng), rng);
    AdaptiveMaxPoolOptions<F::rank> o{.index_base = rng.pick({IndexBase::plane, IndexBase::tensor, IndexBase::window})};
    const Tensor in_some_layout = laid_out(x, rng);
    o.output_size = random_output<F::rank>(rng);
    const Pooling pooling = F::max(in_some_layout, o);
    expect_finite_differences(pooling, x, seed);
    expect_adjoint(pooling, x.shape(), pooling.forward(x).shape(), seed);
    // Near x the op is linear: its derivative at x, applied to x, is its value.
    EXPECT_TRUE(same_bits(pooling.forward(x), pooling.double_backward(x))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tidepool
