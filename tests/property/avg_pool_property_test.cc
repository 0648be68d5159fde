// Properties of average and sum pooling.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;
constexpr double rounding = 1e-6;  // of an f32 average of small numbers

template <class R>
class AvgPoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(AvgPoolProperty, Ranks, RankName);

template <int N>
Tensor sum_pool(const Tensor& x, const Windows<N>& w) {
  return Functions<N>::sum_pool(x, w.template options<SumPoolOptions<N>>());
}

template <int N>
AvgPoolOptions<N> avg_options(const Windows<N>& w, CountPad count = {}) {
  auto o = w.template options<AvgPoolOptions<N>>();
  o.count_include_pad = count;
  return o;
}

template <int N>
Tensor avg_pool(const Tensor& x, const Windows<N>& w, CountPad count = {}) {
  return Functions<N>::avg_pool(x, avg_options(w, count));
}

// x with its padding as real zeros around it.
template <int N>
Tensor padded(const Tensor& x, const Windows<N>& w) {
  Dims shape = w.shape;
  for (int i = 0; i < N; ++i) shape[i + 2] += 2 * w.padding[i];
  Tensor y = zeros(shape, x.dtype());
  Tensor inside = y;
  for (int i = 0; i < N; ++i) inside = inside.slice(i + 2, w.padding[i], w.padding[i] + w.shape[i + 2]);
  copy(x, inside.span());
  return y;
}

TYPED_TEST(AvgPoolProperty, SumsAndAveragesAreLinear) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto combined = [](double a, double b) { return 2 * a - 3 * b; };
    for (DType dtype : {DType::f32, DType::f64, DType::i32, DType::i64}) {
      const Tensor x = whole_numbers(w.shape, rng, dtype), y = whole_numbers(w.shape, rng, dtype);
      EXPECT_TRUE(near(map(sum_pool(x, w), sum_pool(y, w), combined), sum_pool(map(x, y, combined), w), 0)) << dtype_name(dtype);
      if (!is_floating(dtype)) continue;
      EXPECT_TRUE(near(map(avg_pool(x, w), avg_pool(y, w), combined), avg_pool(map(x, y, combined), w), 10 * rounding));
    }
  }
}

TYPED_TEST(AvgPoolProperty, AverageTimesDivisorIsTheSum) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng), sum = sum_pool(x, w);
    AvgPoolOptions<N> o = avg_options(w);
    for (int64_t divisor : {1, 4, -2}) {  // divisions by these are exact
      o.divisor_override = divisor;
      EXPECT_TRUE(near(sum, map(Functions<N>::avg_pool(x, o), [&](double v) { return v * static_cast<double>(divisor); }), 0));
    }
    const auto times = [](double a, double b) { return a * b; };
    const Tensor real_cells = sum_pool(full(w.shape, 1), w);
    EXPECT_TRUE(near(sum, map(avg_pool(x, w, false), real_cells, times), 10 * rounding));
    const Tensor all_taps = full(sum.shape(), static_cast<double>(w.volume()));
    EXPECT_TRUE(near(sum, map(avg_pool(x, w, Divisor::full_kernel), all_taps, times), 10 * rounding));
    if (w.ceil) continue;  // windows that hang over the padding divide by less
    EXPECT_TRUE(near(sum, map(avg_pool(x, w, true), all_taps, times), 10 * rounding));
  }
}

TYPED_TEST(AvgPoolProperty, PaddingIsZerosAroundTheInput) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng), wide = padded(x, w);
    Windows<N> bare = w;
    bare.shape = wide.shape();
    for (int i = 0; i < N; ++i) bare.padding[i] = 0;
    // With ceil_mode the wider input may have windows that begin in the padding after it.
    const auto cut = [&](Tensor y, const Tensor& like) {
      for (int i = 2; i < N + 2; ++i) y = y.slice(i, 0, like.size(i));
      return y;
    };
    const Tensor sum = sum_pool(x, w), average = avg_pool(x, w, true);
    EXPECT_TRUE(same(sum, cut(sum_pool(wide, bare), sum)));
    EXPECT_TRUE(same(average, cut(avg_pool(wide, bare, true), average)));
    EXPECT_TRUE(same(average, cut(avg_pool(wide, bare, false), average)));
  }
}

TYPED_TEST(AvgPoolProperty, AConstantIsItsOwnAverageWherePaddingDoesNotCount) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const double value = static_cast<double>(rng.between(1, 9));
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::u8, DType::i64}) {
      // A window without a real cell is 0.
      const Tensor expected = map(sum_pool(full(w.shape, 1, dtype), w), [&](double count) { return count > 0 ? value : 0; });
      EXPECT_TRUE(same(expected, avg_pool(full(w.shape, value, dtype), w, false))) << dtype_name(dtype);
    }
  }
}

TYPED_TEST(AvgPoolProperty, AxesAreSummedOneByOne) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng);
    Tensor y = x;
    for (int axis = N - 1; axis >= 0; --axis) y = sum_pool(y, w.only_axis(axis));
    EXPECT_TRUE(same(sum_pool(x, w), y));
  }
}

TYPED_TEST(AvgPoolProperty, SumsOfTilesAddUpToTheSumOfTheInput) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_tiles<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    for (DType dtype : {DType::f32, DType::f64, DType::i32}) {
      const Tensor x = whole_numbers(w.shape, rng, dtype);
      EXPECT_EQ(total(sum_pool(x, w)), total(x)) << dtype_name(dtype);
    }
    // Every cell belongs to one tile: the gradient of ones is ones.
    const Tensor ones = full(sum_pool(full(w.shape, 1), w).shape(), 1);
    EXPECT_TRUE(same(full(w.shape, 1), Functions<N>::sum_pool_backward(ones, w.shape, w.template options<SumPoolOptions<N>>())));
  }
}

TYPED_TEST(AvgPoolProperty, StrideIsSampling) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_windows<N>(rng);
    w.ceil = false;
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng);
    Windows<N> dense = w;
    for (int i = 0; i < N; ++i) dense.stride[i] = 1;
    Tensor sums = sum_pool(x, dense), averages = avg_pool(x, dense, false);
    for (int i = 0; i < N; ++i) {
      sums = sums.slice(i + 2, 0, sums.size(i + 2), w.stride[i]);
      averages = averages.slice(i + 2, 0, averages.size(i + 2), w.stride[i]);
    }
    EXPECT_TRUE(same(sums, sum_pool(x, w)));
    EXPECT_TRUE(same(averages, avg_pool(x, w, false)));
  }
}

TYPED_TEST(AvgPoolProperty, ShiftsByTheStrideAndFlipsCommute) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_windows<N>(rng, Simple::yes);
    // Long enough to drop a window, and such that the last window ends with the input.
    for (int i = 0; i < N; ++i) w.shape[i + 2] = w.kernel[i] + w.stride[i] * rng.between(1, 6);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng), sums = sum_pool(x, w), averages = avg_pool(x, w);
    for (int i = 0; i < N; ++i) {
      const Tensor shifted = x.slice(i + 2, w.stride[i], x.size(i + 2));
      EXPECT_TRUE(same(sums.slice(i + 2, 1, sums.size(i + 2)), sum_pool(shifted, w))) << "axis " << i;
      EXPECT_TRUE(same(averages.slice(i + 2, 1, averages.size(i + 2)), avg_pool(shifted, w))) << "axis " << i;
      EXPECT_TRUE(same(flipped(sums, i + 2), sum_pool(flipped(x, i + 2), w))) << "axis " << i;
      EXPECT_TRUE(same(flipped(averages, i + 2), avg_pool(flipped(x, i + 2), w))) << "axis " << i;
    }
  }
}

// <A x, y> = <x, A' y> for a linear map A and its gradient A'.
TYPED_TEST(AvgPoolProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto sum = w.template options<SumPoolOptions<N>>();
    const Tensor x = whole_numbers(w.shape, rng, DType::f64), sums = F::sum_pool(x, sum), y = whole_numbers(sums.shape(), rng, DType::f64);
    EXPECT_EQ(dot(sums, y), dot(x, F::sum_pool_backward(y, w.shape, sum)));
    EXPECT_TRUE(same(sums, F::sum_pool_double_backward(x, sum)));
    for (CountPad count : {CountPad(true), CountPad(false), CountPad(Divisor::full_kernel)}) {
      const AvgPoolOptions<N> average = avg_options(w, count);
      const Tensor averages = F::avg_pool(x, average);
      EXPECT_NEAR(dot(averages, y), dot(x, F::avg_pool_backward(y, w.shape, average)), 1e-8);
      EXPECT_TRUE(same(averages, F::avg_pool_double_backward(x, average)));
    }
  }
}

}  // namespace
}  // namespace tidepool::test
