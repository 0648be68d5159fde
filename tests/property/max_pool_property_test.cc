// Properties of max and min pooling.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class MaxPoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolProperty, Ranks, RankName);

template <int N>
Pooled max_pool(const Tensor& x, const Windows<N>& w) {
  return Functions<N>::max_pool_with_indices(x, w.template options<MaxPoolOptions<N>>());
}

// The sign bit of every cell changed: NaNs and zeros too, of which arithmetic may lose the sign.
template <class Bits>
Tensor negated(const Tensor& x) {
  Tensor y(x.shape(), x.dtype());
  for_each_cell(x.shape(), [&](const Dims& at) {
    put<Bits>(y.span(), at, static_cast<Bits>(get<Bits>(x, at) ^ static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1))));
  });
  return y;
}

// Which of several NaNs or zeros comes out depends on the order of visiting, which differs between one pooling and two: smooth numbers.
TYPED_TEST(MaxPoolProperty, PoolingTwiceIsPoolingOnceWithALargerWindow) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> second = random_windows<N>(rng, Simple::yes);
    Windows<N> first = second, both = second;
    for (int i = 0; i < N; ++i) {
      first.kernel[i] = rng.between(1, 5);
      first.stride[i] = 1;
      both.kernel[i] += first.kernel[i] - 1;
      both.shape[i + 2] += first.kernel[i] - 1;
    }
    SCOPED_TRACE(trace(seed, both));
    const Tensor x = filled(both.shape, Contents::smooth, rng);
    EXPECT_TRUE(same(max_pool(x, both).values, max_pool(max_pool(x, first).values, second).values));
  }
}

TYPED_TEST(MaxPoolProperty, TilesOfTilesAreLargerTiles) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> small = random_tiles<N>(rng);
    Windows<N> large = small, rest = small;
    for (int i = 0; i < N; ++i) {
      rest.kernel[i] = rest.stride[i] = rng.between(1, 3);
      large.kernel[i] = large.stride[i] = small.kernel[i] * rest.kernel[i];
    }
    SCOPED_TRACE(trace(seed, large));
    const Tensor x = filled(small.shape, Contents::smooth, rng);
    EXPECT_TRUE(same(max_pool(x, large).values, max_pool(max_pool(x, small).values, rest).values));
  }
}

TYPED_TEST(MaxPoolProperty, AxesArePooledOneByOne) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::smooth, rng);
    Tensor y = x;
    for (int axis = 0; axis < N; ++axis) y = max_pool(y, w.only_axis(axis)).values;
    EXPECT_TRUE(same(max_pool(x, w).values, y));
  }
}

TYPED_TEST(MaxPoolProperty, MinIsTheNegativeOfMaxOfTheNegative) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto o = w.template options<MaxPoolOptions<N>>();
    const auto expect_negative = [&](DType dtype, auto negative) {
      const Tensor x = filled(w.shape, Contents::specials, rng, dtype);
      const Pooled low = Functions<N>::min_pool_with_indices(x, o), high = max_pool(negative(x), w);
      EXPECT_TRUE(same(low.values, negative(high.values))) << dtype_name(dtype);
      EXPECT_TRUE(same(low.indices, high.indices)) << dtype_name(dtype);
      EXPECT_TRUE(same(low.values, Functions<N>::min_pool(x, o))) << dtype_name(dtype);
    };
    expect_negative(DType::f32, negated<uint32_t>);
    expect_negative(DType::f64, negated<uint64_t>);
    expect_negative(DType::f16, negated<uint16_t>);
    expect_negative(DType::bf16, negated<uint16_t>);
  }
}

TYPED_TEST(MaxPoolProperty, FlipsShiftsAndTransposesCommute) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_windows<N>(rng);
    w.ceil = false;
    // The last window ends where the padding does.
    for (int i = 0; i < N; ++i) w.shape[i + 2] = w.stride[i] * rng.between(2, 6) + (w.kernel[i] - 1) * w.dilation[i] + 1 - 2 * w.padding[i];
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = distinct(w.shape, rng), y = max_pool(x, w).values;
    for (int i = 0; i < N; ++i) {
      EXPECT_TRUE(same(flipped(y, i + 2), max_pool(flipped(x, i + 2), w).values)) << "axis " << i;
      if (w.padding[i] > 0) continue;
      const Tensor shifted = max_pool(x.slice(i + 2, w.stride[i], x.size(i + 2)), w).values;
      EXPECT_TRUE(same(y.slice(i + 2, 1, y.size(i + 2)), shifted)) << "axis " << i;
    }
    if (N == 1) continue;
    Windows<N> turned = w;
    for (Dims* numbers : {&turned.kernel, &turned.stride, &turned.padding, &turned.dilation}) std::swap((*numbers)[0], (*numbers)[N - 1]);
    EXPECT_TRUE(same(y.transpose(2, N + 1), max_pool(x.transpose(2, N + 1), turned).values));
  }
}

TYPED_TEST(MaxPoolProperty, StrideIsSampling) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_windows<N>(rng), dense = w;
    w.ceil = dense.ceil = false;
    for (int i = 0; i < N; ++i) dense.stride[i] = 1;
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::ties, rng);
    Pooled sampled = max_pool(x, dense);
    for (int i = 0; i < N; ++i) {
      sampled.values = sampled.values.slice(i + 2, 0, sampled.values.size(i + 2), w.stride[i]);
      sampled.indices = sampled.indices.slice(i + 2, 0, sampled.indices.size(i + 2), w.stride[i]);
    }
    EXPECT_TRUE(same(sampled, max_pool(x, w)));
  }
}

TYPED_TEST(MaxPoolProperty, IncreasingMapsCommute) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::smooth, rng, DType::f64);
    const auto cubed = [](double v) { return v * v * v / 8; };
    const Pooled before = max_pool(x, w), after = max_pool(map(x, cubed), w);
    EXPECT_TRUE(same(map(before.values, cubed), after.values));
    EXPECT_TRUE(same(before.indices, after.indices));
  }
}

// The other layouts, and all ops: independence_property_test.cc.
TYPED_TEST(MaxPoolProperty, ChannelsLastGivesTheSameBitsInEveryDtype) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto o = w.template options<MaxPoolOptions<N>>();
    for (DType dtype : all_dtypes) {
      const Tensor x = filled(w.shape, Contents::specials, rng, dtype), last = x.clone(MemoryFormat::channels_last);
      EXPECT_TRUE(same(max_pool(x, w), max_pool(last, w))) << dtype_name(dtype);
      EXPECT_TRUE(same(Functions<N>::max_pool(x, o), Functions<N>::max_pool(last, o))) << dtype_name(dtype);
      EXPECT_TRUE(same(Functions<N>::min_pool(x, o), Functions<N>::min_pool(last, o))) << dtype_name(dtype);
    }
  }
}

}  // namespace
}  // namespace tidepool::test
