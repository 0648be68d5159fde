// Properties of adaptive pooling.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class AdaptivePoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(AdaptivePoolProperty, Ranks, RankName);

// An input shape and the number of bins along each axis, which may exceed the input's size.
template <int N>
struct Bins {
  Dims shape, output;

  explicit Bins(Rng& rng) : shape{rng.between(1, 3), rng.one_in(4) ? rng.between(10, 35) : rng.between(1, 5)} {
    for (int i = 0; i < N; ++i) {
      shape.push_back(rng.between(1, N == 1 ? 60 : N == 2 ? 20 : 9));
      output.push_back(rng.between(1, rng.one_in(3) ? shape[i + 2] + 4 : shape[i + 2]));
    }
  }
  Extent<N> size() const { return Extent<N>(output.span()); }
  Dims output_shape() const {
    Dims full = shape;
    for (int i = 0; i < N; ++i) full[i + 2] = output[i];
    return full;
  }
  std::string trace(uint64_t seed) const { return "seed " + std::to_string(seed) + ": " + to_string(shape) + " to " + to_string(output); }
};

TYPED_TEST(AdaptivePoolProperty, DivisibleSizesAreRegularPooling) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_windows<N>(rng, Simple::yes);
    w.stride = w.kernel;
    Dims output;
    for (int i = 0; i < N; ++i) {
      output.push_back(rng.between(1, N == 3 ? 4 : 9));
      w.shape[i + 2] = output[i] * w.kernel[i];
    }
    SCOPED_TRACE(trace(seed, w));
    const Extent<N> size(output.span());
    const Tensor x = whole_numbers(w.shape, rng);
    EXPECT_TRUE(same(F::avg_pool(x, w.template options<AvgPoolOptions<N>>()), F::adaptive_avg_pool(x, size)));
    const auto max = w.template options<MaxPoolOptions<N>>();
    for (DType dtype : {DType::f32, DType::f16, DType::i16, DType::u8}) {
      const Tensor y = filled(w.shape, Contents::specials, rng, dtype);
      EXPECT_TRUE(same(F::max_pool_with_indices(y, max), F::adaptive_max_pool_with_indices(y, size))) << dtype_name(dtype);
      EXPECT_TRUE(same(F::max_pool(y, max), F::adaptive_max_pool(y, size))) << dtype_name(dtype);
    }
  }
}

TYPED_TEST(AdaptivePoolProperty, AsManyBinsAsCellsIsTheIdentity) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    Dims own;
    for (int i = 0; i < N; ++i) own.push_back(rng.one_in(2) ? keep_size : bins.shape[i + 2]);
    const Extent<N> size(own.span());
    for (DType dtype : {DType::f32, DType::f64, DType::bf16, DType::i8}) {
      const Tensor x = whole_numbers(bins.shape, rng, dtype);
      EXPECT_TRUE(same(x, F::adaptive_avg_pool(x, size))) << dtype_name(dtype);
      EXPECT_TRUE(same(x, F::adaptive_max_pool(x, size))) << dtype_name(dtype);
    }
    const Tensor x = whole_numbers(bins.shape, rng);
    EXPECT_TRUE(same(x, F::adaptive_avg_pool_backward(x, bins.shape)));
  }
}

// Where cells grow in row-major order the maximum is the last cell of a bin, and where they fall the first.
TYPED_TEST(AdaptivePoolProperty, BinsBeginAndEndWhereTheFormulaSays) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    const Tensor rising = arange(bins.shape), falling = map(rising, [](double v) { return -v; });
    const Pooled last = Functions<N>::adaptive_max_pool_with_indices(rising, bins.size());
    const Pooled first = Functions<N>::adaptive_max_pool_with_indices(falling, bins.size());
    for_each_cell(bins.output_shape(), [&](const Dims& at) {
      int64_t begin = 0, end = 0;
      for (int i = 2; i < N + 2; ++i) {
        const int64_t L = bins.shape[i], O = bins.output[i - 2];
        begin = begin * L + at[i] * L / O;
        end = end * L + ((at[i] + 1) * L + O - 1) / O - 1;
      }
      ASSERT_EQ(get<int64_t>(first.indices, at), begin);
      ASSERT_EQ(get<int64_t>(last.indices, at), end);
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(AdaptivePoolProperty, BinsCoverTheInputAndAveragesHaveWeightOne) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    EXPECT_TRUE(same(full(bins.output_shape(), 3), F::adaptive_avg_pool(full(bins.shape, 3), bins.size())));
    const Tensor grad = full(bins.output_shape(), 1, DType::f64), share = F::adaptive_avg_pool_backward(grad, bins.shape);
    EXPECT_NEAR(total(share), total(grad), 1e-12 * total(grad));
    for (double v : cells(share)) ASSERT_GT(v, 0) << "a cell belongs to no bin";
  }
}

TYPED_TEST(AdaptivePoolProperty, LargerInputsGiveLargerOutputsAndTheMaximumBoundsTheAverage) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    const Tensor x = whole_numbers(bins.shape, rng), more = whole_numbers(bins.shape, rng, DType::f32, 1, 5);
    const Tensor larger = map(x, more, [](double a, double b) { return a + b; });
    const auto expect_above = [](const Tensor& low, const Tensor& high) {
      const std::vector<double> a = cells(low), b = cells(high);
      for (size_t i = 0; i < a.size(); ++i) ASSERT_LE(a[i], b[i]);
    };
    const Tensor most = F::adaptive_max_pool(x, bins.size()), average = F::adaptive_avg_pool(x, bins.size());
    expect_above(most, F::adaptive_max_pool(larger, bins.size()));
    expect_above(map(average, [](double v) { return v + 0.99; }), F::adaptive_avg_pool(larger, bins.size()));
    expect_above(average, most);
  }
}

TYPED_TEST(AdaptivePoolProperty, AxesArePooledOneByOneAndFlipsCommute) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    const Tensor x = distinct(bins.shape, rng, DType::f64);
    const Tensor most = F::adaptive_max_pool(x, bins.size()), average = F::adaptive_avg_pool(x, bins.size());
    Tensor one_by_one = x, averages = x;
    for (int axis = 0; axis < N; ++axis) {
      Dims size;
      for (int i = 0; i < N; ++i) size.push_back(i == axis ? bins.output[i] : keep_size);
      one_by_one = F::adaptive_max_pool(one_by_one, Extent<N>(size.span()));
      averages = F::adaptive_avg_pool(averages, Extent<N>(size.span()));
      EXPECT_TRUE(same(flipped(most, axis + 2), F::adaptive_max_pool(flipped(x, axis + 2), bins.size())));
      EXPECT_TRUE(near(flipped(average, axis + 2), F::adaptive_avg_pool(flipped(x, axis + 2), bins.size()), 1e-12));
    }
    EXPECT_TRUE(same(most, one_by_one));
    EXPECT_TRUE(near(average, averages, 1e-12));
  }
}

// <A x, y> = <x, A' y>: for averages, and for maxima at fixed indices.
TYPED_TEST(AdaptivePoolProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Bins<N> bins(rng);
    SCOPED_TRACE(bins.trace(seed));
    const Tensor x = whole_numbers(bins.shape, rng, DType::f64), y = whole_numbers(bins.output_shape(), rng, DType::f64);
    const Tensor average = F::adaptive_avg_pool(x, bins.size());
    EXPECT_NEAR(dot(average, y), dot(x, F::adaptive_avg_pool_backward(y, bins.shape)), 1e-8);
    EXPECT_TRUE(same(average, F::adaptive_avg_pool_double_backward(x, bins.size())));
    const Pooled most = F::adaptive_max_pool_with_indices(x, bins.size());
    EXPECT_EQ(dot(most.values, y), dot(x, F::adaptive_max_pool_backward(y, most.indices, bins.shape)));
    EXPECT_TRUE(same(most.values, F::adaptive_max_pool_double_backward(x, most.indices)));
  }
}

}  // namespace
}  // namespace tidepool::test
