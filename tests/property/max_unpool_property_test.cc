// Properties of max unpooling.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class MaxUnpoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(MaxUnpoolProperty, Ranks, RankName);

template <int N>
MaxUnpoolOptions<N> unpool_options(const Windows<N>& w) {
  MaxUnpoolOptions<N> o;
  o.kernel_size = Extent<N>(w.kernel.span());
  o.stride = Extent<N>(w.stride.span());
  o.output_size = w.spatial();
  return o;
}

// Windows that do not overlap and do not hang over, with input cells between and behind them.
template <int N>
Windows<N> separate_windows(Rng& rng) {
  Windows<N> w = random_windows<N>(rng, Simple::yes);
  for (int i = 0; i < N; ++i) w.stride[i] = w.kernel[i] + rng.between(0, 1);
  return w;
}

// Shape of the pooled tensor.
template <int N>
Dims pooled_shape(const Windows<N>& w) {
  Dims shape = w.shape;
  for (int i = 0; i < N; ++i) shape[i + 2] = (w.shape[i + 2] - w.kernel[i]) / w.stride[i] + 1;
  return shape;
}

int64_t plane_cells(const Dims& shape) {
  int64_t product = 1;
  for (int i = 2; i < shape.rank; ++i) product *= shape[i];
  return product;
}

TYPED_TEST(MaxUnpoolProperty, PoolingTheUnpooledGivesTheMaximaBack) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = separate_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto max = w.template options<MaxPoolOptions<N>>();
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i32, DType::u8}) {
      const Tensor x = whole_numbers(w.shape, rng, dtype, 1, 100);  // above the zeros that unpooling puts between
      const Pooled p = F::max_pool_with_indices(x, max);
      const Tensor unpooled = F::max_unpool(p.values, p.indices, unpool_options(w));
      EXPECT_TRUE(same(p, F::max_pool_with_indices(unpooled, max))) << dtype_name(dtype);
      EXPECT_EQ(total(unpooled), total(p.values)) << dtype_name(dtype);
      // Where no two indices meet, unpooling is the gradient of pooling.
      if (is_floating(dtype)) {
        EXPECT_TRUE(same(F::max_pool_backward(p.values, p.indices, w.shape, max), unpooled)) << dtype_name(dtype);
      }
    }
  }
}

// Any indices inside the plane, repeated ones too.
TYPED_TEST(MaxUnpoolProperty, ValuesLieAtTheirIndicesAndZerosElsewhere) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = separate_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Dims shape = pooled_shape(w);
    const int64_t large = plane_cells(w.shape), small = plane_cells(shape);
    for (DType dtype : {DType::f32, DType::f64, DType::bf16, DType::i16, DType::u8}) {
      const Tensor values = whole_numbers(shape, rng, dtype, 1, 100);
      Tensor indices = zeros(shape, DType::i64);
      std::vector<double> expected(static_cast<size_t>(large * shape[0] * shape[1]), 0), gathered;
      const std::vector<double> from = cells(values);
      for (int64_t i = 0; i < indices.numel(); ++i) {
        const int64_t index = rng.between(0, large - 1);
        indices.data<int64_t>()[i] = index;
        expected[static_cast<size_t>(i / small * large + index)] = from[static_cast<size_t>(i)];  // the last one stays
      }
      const Tensor unpooled = F::max_unpool(values, indices, unpool_options(w));
      EXPECT_TRUE(same(tensor_of(expected, w.shape, dtype), unpooled)) << dtype_name(dtype);
      auto tensor_base = unpool_options(w);
      tensor_base.index_base = IndexBase::tensor;
      Tensor offsets = indices.clone();
      for (int64_t i = 0; i < offsets.numel(); ++i) offsets.data<int64_t>()[i] += i / small * large;
      EXPECT_TRUE(same(unpooled, F::max_unpool(values, offsets, tensor_base))) << dtype_name(dtype);
      if (!is_floating(dtype)) continue;
      for (int64_t i = 0; i < indices.numel(); ++i)
        gathered.push_back(expected[static_cast<size_t>(i / small * large + indices.data<int64_t>()[i])]);
      EXPECT_TRUE(same(tensor_of(gathered, shape, dtype), F::max_unpool_backward(unpooled, indices, unpool_options(w))));
    }
  }
}

// Where no two indices meet: <A x, y> = <x, A' y>, and going back gives x.
TYPED_TEST(MaxUnpoolProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = separate_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const auto o = unpool_options(w);
    const Pooled p = F::max_pool_with_indices(distinct(w.shape, rng, DType::f64), w.template options<MaxPoolOptions<N>>());
    const Tensor x = whole_numbers(p.values.shape(), rng, DType::f64), y = whole_numbers(w.shape, rng, DType::f64);
    const Tensor unpooled = F::max_unpool(x, p.indices, o);
    EXPECT_EQ(dot(unpooled, y), dot(x, F::max_unpool_backward(y, p.indices, o)));
    EXPECT_TRUE(same(x, F::max_unpool_backward(unpooled, p.indices, o)));
    EXPECT_TRUE(same(unpooled, F::max_unpool_double_backward(x, p.indices, o)));
  }
}

TYPED_TEST(MaxUnpoolProperty, TheDefaultSizeIsTheSmallestThatPoolsToTheInput) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = separate_windows<N>(rng);
    const Dims shape = pooled_shape(w);
    for (int i = 0; i < N; ++i) w.shape[i + 2] = (shape[i + 2] - 1) * w.stride[i] + w.kernel[i];
    SCOPED_TRACE(trace(seed, w));
    const Pooled p = F::max_pool_with_indices(distinct(w.shape, rng), w.template options<MaxPoolOptions<N>>());
    auto unset = unpool_options(w), whole = unset;
    unset.output_size = {};
    whole.output_size = w.shape;
    const Tensor expected = F::max_unpool(p.values, p.indices, unpool_options(w));
    EXPECT_EQ(expected.shape(), w.shape);
    EXPECT_TRUE(same(expected, F::max_unpool(p.values, p.indices, unset)));
    EXPECT_TRUE(same(expected, F::max_unpool(p.values, p.indices, whole)));
  }
}

}  // namespace
}  // namespace tidepool::test
