// Laws that pooling obeys whatever the numbers are.
#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.h"
#include "support/max_pool_families.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

using test::get;
using test::put;
using test::same_bits;

constexpr uint64_t cases = 40;

Tensor filled(const Dims& shape, test::Contents contents, test::Rng& rng, DType dtype = DType::f32) {
  Tensor t(shape, dtype);
  test::fill(t.span(), contents, rng);
  return t;
}

// Every number once: no ties, so that orders of visiting cannot show.
Tensor distinct(const Dims& shape, test::Rng& rng) {
  Tensor t = arange(shape);
  float* p = t.data<float>();
  for (int64_t i = t.numel() - 1; i > 0; --i) std::swap(p[i], p[rng.between(0, i)]);
  return t;
}

// A view that runs backwards along one dim.
TensorView flipped(TensorView t, int dim) {
  t.data += (t.size(dim) - 1) * t.stride(dim) * dtype_size(t.dtype);
  t.strides[dim] = -t.strides[dim];
  return t;
}

Tensor negated(const Tensor& x) {
  Tensor y = x.clone();
  for (int64_t i = 0; i < y.numel(); ++i) y.data<uint32_t>()[i] ^= 0x80000000u;
  return y;
}

TEST(MaxPoolProperty, PoolingTwiceIsPoolingOnceWithALargerWindow) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t a = rng.between(1, 6), b = rng.between(1, 6), s = rng.between(1, 4);
    // Which of several NaNs or zeros comes out depends on the order of visiting, which differs here: plain numbers.
    const Tensor x = filled({2, 3, rng.between(12, 40), rng.between(12, 60)}, test::Contents::smooth, rng);
    const Tensor twice = max_pool2d(max_pool2d(x, {.kernel_size = a, .stride = 1}), {.kernel_size = b, .stride = s});
    EXPECT_TRUE(same_bits(max_pool2d(x, {.kernel_size = a + b - 1, .stride = s}), twice)) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, BlocksOfBlocksAreLargerBlocks) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t a = rng.between(1, 4), b = rng.between(1, 4);
    const Tensor x = filled({1, 2, a * b * rng.between(1, 5), a * b * rng.between(1, 9)}, test::Contents::smooth, rng);
    EXPECT_TRUE(same_bits(max_pool2d(x, {.kernel_size = a * b}), max_pool2d(max_pool2d(x, {.kernel_size = a}), {.kernel_size = b})));
  }
}

TEST(MaxPoolProperty, AxesArePooledOneByOne) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t kh = rng.between(1, 7), kw = rng.between(1, 7), sh = rng.between(1, 3), sw = rng.between(1, 3);
    const int64_t ph = rng.between(0, kh / 2), pw = rng.between(0, kw / 2);
    const Tensor x = filled({2, 3, rng.between(8, 30), rng.between(8, 50)}, test::Contents::smooth, rng);
    const Tensor rows = max_pool2d(x, {.kernel_size = {kh, 1}, .stride = {sh, 1}, .padding = {ph, 0}});
    const Tensor both = max_pool2d(rows, {.kernel_size = {1, kw}, .stride = {1, sw}, .padding = {0, pw}});
    EXPECT_TRUE(same_bits(max_pool2d(x, {.kernel_size = {kh, kw}, .stride = {sh, sw}, .padding = {ph, pw}}), both)) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, MinIsMaxOfTheNegative) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const Tensor x = filled({2, rng.between(1, 20), rng.between(3, 20), rng.between(3, 50)}, test::Contents::specials, rng);
    const MaxPoolOptions<2> o{.kernel_size = 3, .stride = rng.between(1, 3), .padding = 1};
    const Pooled low = min_pool2d_with_indices(x, o), high = max_pool2d_with_indices(negated(x), o);
    EXPECT_TRUE(same_bits(low.values, negated(high.values))) << "seed " << seed;
    EXPECT_TRUE(same_bits(low.indices, high.indices)) << "seed " << seed;
    EXPECT_TRUE(same_bits(low.values, min_pool2d(x, o))) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, FlipsCommute) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t k = rng.between(1, 5), s = rng.between(1, 4), p = rng.between(0, k / 2);
    const int64_t h = s * rng.between(1, 6) + k - 2 * p, w = s * rng.between(1, 12) + k - 2 * p;  // windows end where padding does
    const Tensor x = distinct({2, 2, h, w}, rng);
    const MaxPoolOptions<2> o{.kernel_size = k, .stride = s, .padding = p};
    const Tensor y = max_pool2d(x, o);
    for (int dim : {2, 3}) EXPECT_TRUE(same_bits(flipped(y, dim), max_pool2d(flipped(x, dim), o))) << "seed " << seed << " dim " << dim;
  }
}

TEST(MaxPoolProperty, TransposesCommute) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t kh = rng.between(1, 5), kw = rng.between(1, 5);
    const Tensor x = distinct({2, 3, rng.between(5, 20), rng.between(5, 40)}, rng);
    const Tensor y = max_pool2d(x, {.kernel_size = {kh, kw}, .stride = {2, 1}, .padding = {kh / 2, 0}});
    const Tensor z = max_pool2d(x.transpose(2, 3), {.kernel_size = {kw, kh}, .stride = {1, 2}, .padding = {0, kh / 2}});
    EXPECT_TRUE(same_bits(y, z.transpose(2, 3))) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, ShiftsByTheStrideCommute) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t k = rng.between(1, 5), s = rng.between(1, 4), by = rng.between(1, 3);
    const Tensor x = filled({1, 2, 8, s * by + k + rng.between(0, 40)}, test::Contents::specials, rng);
    const MaxPoolOptions<2> o{.kernel_size = {2, k}, .stride = {1, s}};
    const Tensor y = max_pool2d(x, o);
    EXPECT_TRUE(same_bits(y.slice(3, by, y.size(3)), max_pool2d(x.slice(3, s * by, x.size(3)), o))) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, StrideIsSampling) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t k = rng.between(1, 9), s = rng.between(2, 5);
    const Tensor x = filled({1, 2, rng.between(9, 30), rng.between(9, 70)}, test::Contents::ties, rng);
    const Pooled dense = max_pool2d_with_indices(x, {.kernel_size = k, .stride = 1}),
                 sparse = max_pool2d_with_indices(x, {.kernel_size = k, .stride = s});
    const auto sample = [&](const Tensor& t) { return t.slice(2, 0, t.size(2), s).slice(3, 0, t.size(3), s); };
    EXPECT_TRUE(same_bits(sample(dense.values), sparse.values)) << "seed " << seed;
    EXPECT_TRUE(same_bits(sample(dense.indices), sparse.indices)) << "seed " << seed;
  }
}

TEST(MaxPoolProperty, IncreasingMapsCommute) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const Tensor x = filled({1, 3, 9, 33}, test::Contents::smooth, rng);
    const auto scaled = [](const Tensor& t) {
      Tensor r = t.clone();
      for (int64_t i = 0; i < r.numel(); ++i) r.data<float>()[i] *= 4;
      return r;
    };
    const MaxPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1};
    EXPECT_TRUE(same_bits(scaled(max_pool2d(x, o)), max_pool2d(scaled(x), o)));
  }
}

TEST(MaxPoolProperty, ValuesAreMembersOfTheirWindowAndIndicesPointAtThem) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t k = rng.between(1, 6), s = rng.between(1, 4), d = rng.between(1, 2), p = rng.between(0, k / 2);
    const Tensor x = filled({2, rng.between(1, 9), rng.between(12, 24), rng.between(12, 50)}, test::Contents::specials, rng);
    MaxPoolOptions<2> o{.kernel_size = k, .stride = s, .padding = p, .dilation = d, .ceil_mode = rng.one_in(2)};
    const Pooled plane = max_pool2d_with_indices(x, o);
    o.index_base = IndexBase::tensor;
    const Pooled tensor = max_pool2d_with_indices(x, o);
    o.index_base = IndexBase::window;
    const Pooled window = max_pool2d_with_indices(x, o);
    EXPECT_TRUE(same_bits(plane.values, tensor.values));
    EXPECT_TRUE(same_bits(plane.values, window.values));
    EXPECT_TRUE(same_bits(plane.values, max_pool2d(x, o)));
    const int64_t H = x.size(2), W = x.size(3);
    test::for_each_cell(plane.values.shape(), [&](const Dims& at) {
      const int64_t index = get<int64_t>(plane.indices, at);
      ASSERT_GE(index, 0);
      const int64_t h = index / W, w = index % W, row = h - (at[2] * s - p), column = w - (at[3] * s - p);
      ASSERT_TRUE(row >= 0 && row % d == 0 && row / d < k && column >= 0 && column % d == 0 && column / d < k) << "seed " << seed;
      ASSERT_EQ(get<uint32_t>(x, {at[0], at[1], h, w}), get<uint32_t>(plane.values, at)) << "seed " << seed;
      ASSERT_EQ(get<int64_t>(tensor.indices, at), (at[0] * x.size(1) + at[1]) * H * W + index) << "seed " << seed;
      ASSERT_EQ(get<uint8_t>(window.indices, at), row / d * k + column / d) << "seed " << seed;
    });
    if (HasFatalFailure()) return;
  }
}

TEST(MaxPoolProperty, ChannelsAreIndependentOfTheirOrder) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    const int64_t channels = rng.between(2, 40);
    const bool last = rng.one_in(2);
    const Tensor x =
        filled({2, channels, 9, 11}, test::Contents::specials, rng).clone(last ? MemoryFormat::channels_last : MemoryFormat::contiguous);
    const MaxPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1};
    const Tensor y = max_pool2d(x, o);
    for (int64_t c = 0; c < channels; c += 1 + channels / 7)
      EXPECT_TRUE(same_bits(y.slice(1, c, c + 1), max_pool2d(x.slice(1, c, c + 1), o))) << "seed " << seed << " channel " << c;
    const Tensor reversed = max_pool2d(flipped(x, 1), o);
    EXPECT_TRUE(same_bits(flipped(y, 1), reversed)) << "seed " << seed;
  }
}

template <class F>
class MaxPoolLayout : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolLayout, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolLayout, ChannelsLastGivesTheBitsOfChannelsFirst) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    test::Rng rng(seed);
    Dims shape{rng.between(1, 2), rng.between(1, 35)};
    for (int i = 0; i < TypeParam::rank; ++i) shape.push_back(rng.between(3, TypeParam::rank == 3 ? 9 : 20));
    const DType dtype = rng.pick(std::span<const DType>(all_dtypes));
    const Tensor x = filled(shape, test::Contents::specials, rng, dtype), y = x.clone(MemoryFormat::channels_last);
    const typename TypeParam::Options o{
        .kernel_size = rng.between(2, 3), .stride = rng.between(1, 3), .padding = 1, .ceil_mode = rng.one_in(2)};
    const Pooled a = TypeParam::with_indices(x, o), b = TypeParam::with_indices(y, o);
    EXPECT_TRUE(same_bits(a.values, b.values)) << "seed " << seed;
    EXPECT_TRUE(same_bits(a.indices, b.indices)) << "seed " << seed;
    EXPECT_TRUE(same_bits(TypeParam::pool(x, o), TypeParam::pool(y, o))) << "seed " << seed;
    if (!is_floating(dtype)) continue;
    const Tensor g = filled(a.values.shape(), test::Contents::finite, rng, dtype);
    EXPECT_TRUE(same_bits(TypeParam::backward(g, a.indices, shape, o),
                          TypeParam::backward(g.clone(MemoryFormat::channels_last), b.indices, shape, o)))
        << "seed " << seed;
    EXPECT_TRUE(same_bits(TypeParam::double_backward(x, a.indices, o), TypeParam::double_backward(y, b.indices, o))) << "seed " << seed;
  }
}

TYPED_TEST(MaxPoolLayout, UnbatchedIsABatchOfOne) {
  test::Rng rng(9);
  const Dims batched = test::cube(1, 5, 7, TypeParam::rank);
  const Dims unbatched(std::span<const int64_t>(batched.values.data() + 1, static_cast<size_t>(batched.rank - 1)));
  const Tensor x = filled(batched, test::Contents::specials, rng);
  const typename TypeParam::Options o{.kernel_size = 3, .stride = 2, .padding = 1};
  const Pooled a = TypeParam::with_indices(x, o), b = TypeParam::with_indices(x.reshape(unbatched), o);
  EXPECT_TRUE(same_bits(a.values, b.values.reshape(a.values.shape())));
  EXPECT_TRUE(same_bits(a.indices, b.indices.reshape(a.indices.shape())));
  const Tensor g = TypeParam::backward(b.values, b.indices, unbatched, o);
  EXPECT_EQ(g.shape(), unbatched);
}

TEST(MaxPoolProperty, LowerRanksAreHigherOnesWithUnitAxes) {
  test::Rng rng(4);
  const Tensor x = filled({2, 3, 50}, test::Contents::specials, rng);
  const Tensor line = max_pool1d(x, {.kernel_size = 4, .stride = 3, .padding = 2, .dilation = 2});
  const Tensor plane =
      max_pool2d(x.reshape({2, 3, 1, 50}), {.kernel_size = {1, 4}, .stride = {1, 3}, .padding = {0, 2}, .dilation = {1, 2}});
  const Tensor cube =
      max_pool3d(x.reshape({2, 3, 1, 1, 50}), {.kernel_size = {1, 1, 4}, .stride = {1, 1, 3}, .padding = {0, 0, 2}, .dilation = {1, 1, 2}});
  EXPECT_TRUE(same_bits(line, plane.reshape(line.shape())));
  EXPECT_TRUE(same_bits(line, cube.reshape(line.shape())));
}

}  // namespace
}  // namespace tidepool
