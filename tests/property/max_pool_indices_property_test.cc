// Properties of the indices of max pooling, and of the passes that read them.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class MaxPoolIndicesProperty : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolIndicesProperty, Ranks, RankName);

TYPED_TEST(MaxPoolIndicesProperty, IndicesOfAllBasesPointAtTheMaximumInsideItsWindow) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::specials, rng);
    auto o = w.template options<MaxPoolOptions<N>>();
    const Pooled plane = F::max_pool_with_indices(x, o);
    EXPECT_TRUE(same(plane.values, F::max_pool(x, o)));
    o.index_base = IndexBase::tensor;
    const Pooled tensor = F::max_pool_with_indices(x, o);
    o.index_base = IndexBase::window;
    const Pooled window = F::max_pool_with_indices(x, o);
    EXPECT_TRUE(same(plane.values, tensor.values));
    EXPECT_TRUE(same(plane.values, window.values));
    const int64_t plane_cells = x.numel() / (w.shape[0] * w.shape[1]);
    const std::vector<double> taps = cells(window.indices);  // of a dtype that depends on the size of the window
    size_t next = 0;
    for_each_cell(plane.values.shape(), [&](const Dims& at) {
      const int64_t index = get<int64_t>(plane.indices, at), window_index = static_cast<int64_t>(taps[next++]);
      if (index == -1) return;  // a window without real cells
      int64_t rest = index, tap = 0;
      Dims from = at;
      for (int i = N - 1; i >= 0; rest /= w.shape[i-- + 2]) from[i + 2] = rest % w.shape[i + 2];
      for (int i = 0; i < N; ++i) {
        const int64_t offset = from[i + 2] - (at[i + 2] * w.stride[i] - w.padding[i]);
        ASSERT_TRUE(offset >= 0 && offset % w.dilation[i] == 0 && offset / w.dilation[i] < w.kernel[i]);
        tap = tap * w.kernel[i] + offset / w.dilation[i];
      }
      ASSERT_EQ(get<uint32_t>(x, from), get<uint32_t>(plane.values, at));
      ASSERT_EQ(get<int64_t>(tensor.indices, at), (at[0] * w.shape[1] + at[1]) * plane_cells + index);
      ASSERT_EQ(window_index, tap);
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// At fixed indices the maximum is linear: <A x, y> = <x, A' y>.
TYPED_TEST(MaxPoolIndicesProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng, DType::f64), other = whole_numbers(w.shape, rng, DType::f64);
    for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
      auto o = w.template options<MaxPoolOptions<N>>();
      o.index_base = base;
      const Tensor indices = F::max_pool_with_indices(x, o).indices, picked = F::max_pool_double_backward(other, indices, o);
      const Tensor y = whole_numbers(picked.shape(), rng, DType::f64);
      EXPECT_EQ(dot(picked, y), dot(other, F::max_pool_backward(y, indices, w.shape, o))) << index_base_name(base);
    }
  }
}

}  // namespace
}  // namespace tidepool::test
