// Properties of all ops alike: images and channels do not influence each other, and the result does not depend on the memory layout.
#include "property/every_op.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 24;

template <class R>
class EveryOpProperty : public ::testing::Test {};
TYPED_TEST_SUITE(EveryOpProperty, Ranks, RankName);

// Calls body(x, op) with random windows and input of several dtypes.
template <int N, class Body>
void on_every_op(Body body) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const DType dtype = rng.pick({DType::f32, DType::f32, DType::f64, DType::f16, DType::bf16});
    const Contents contents = rng.pick({Contents::smooth, Contents::ties, Contents::specials});
    const Tensor x = filled(w.shape, contents, rng, dtype);
    for (const OpOnInput& op : every_op(w)) {
      SCOPED_TRACE(op.name + " " + std::string(dtype_name(dtype)));
      body(x, op);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TYPED_TEST(EveryOpProperty, ABatchIsItsImagesOneByOne) {
  on_every_op<TypeParam::value>([](const Tensor& x, const OpOnInput& op) {
    const std::vector<Tensor> whole = op.results(x);
    for (int64_t n = 0; n < x.size(0); ++n) {
      const std::vector<Tensor> one = op.results(x.slice(0, n, n + 1));
      for (size_t i = 0; i < whole.size(); ++i) EXPECT_TRUE(same(whole[i].slice(0, n, n + 1), one[i])) << "result " << i << " image " << n;
    }
  });
}

TYPED_TEST(EveryOpProperty, AnImageNeedsNoBatchDimension) {
  on_every_op<TypeParam::value>([](const Tensor& x, const OpOnInput& op) {
    const Tensor image = x.slice(0, 0, 1).clone();
    const Dims unbatched(std::span<const int64_t>(x.shape().values.data() + 1, static_cast<size_t>(x.rank() - 1)));
    const std::vector<Tensor> batched = op.results(image), bare = op.results(image.reshape(unbatched));
    for (size_t i = 0; i < batched.size(); ++i)
      EXPECT_TRUE(same(batched[i], bare[i].clone().reshape(batched[i].shape()))) << "result " << i;
  });
}

TYPED_TEST(EveryOpProperty, ChannelsArePooledOneByOne) {
  on_every_op<TypeParam::value>([](const Tensor& x, const OpOnInput& op) {
    const std::vector<Tensor> whole = op.results(x), last = op.results(x.clone(MemoryFormat::channels_last));
    for (int64_t c = 0; c < x.size(1); c += 1 + x.size(1) / 4) {
      const std::vector<Tensor> one = op.results(x.slice(1, c, c + 1));
      for (size_t i = 0; i < whole.size(); ++i) {
        EXPECT_TRUE(same(whole[i].slice(1, c, c + 1), one[i])) << "result " << i << " channel " << c;
        EXPECT_TRUE(same(last[i].slice(1, c, c + 1), one[i])) << "channels last, result " << i << " channel " << c;
      }
    }
  });
}

// The same numbers as a part of a larger tensor, every second cell of its last axis.
Tensor sliced(const Tensor& x) {
  Dims shape = x.shape();
  for (int i = 0; i < shape.rank; ++i) shape[i] = shape[i] * 2 + 1;
  Tensor part = full(shape, 99, x.dtype());
  for (int i = 0; i < shape.rank; ++i) part = i + 1 == shape.rank ? part.slice(i, 1, shape[i], 2) : part.slice(i, 1, x.size(i) + 1);
  copy(x, part.span());
  return part;
}

// The same numbers with rows and columns, or channels and columns, exchanged in memory.
Tensor transposed(const Tensor& x) {
  const int last = x.rank() - 1;
  return x.transpose(last - 1, last).clone().transpose(last - 1, last);
}

// The same numbers stored backwards along the last axis.
Tensor reversed(const Tensor& x) {
  const Tensor backwards = flipped(x, x.rank() - 1).clone();
  return flipped(backwards, x.rank() - 1);
}

TYPED_TEST(EveryOpProperty, TheMemoryLayoutDoesNotMatter) {
  on_every_op<TypeParam::value>([](const Tensor& x, const OpOnInput& op) {
    const std::vector<Tensor> expected = op.results(x);
    const auto expect_same = [&](const char* layout, const Tensor& y) {
      ASSERT_TRUE(same(x, y)) << layout;
      const std::vector<Tensor> got = op.results(y);
      for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same(expected[i], got[i])) << layout << ", result " << i;
    };
    expect_same("channels last", x.clone(MemoryFormat::channels_last));
    expect_same("a slice", sliced(x));
    expect_same("transposed", transposed(x));
    expect_same("backwards", reversed(x));
  });
}

template <class R>
class HigherRankProperty : public ::testing::Test {};
using LowerRanks = ::testing::Types<Rank<1>, Rank<2>>;
TYPED_TEST_SUITE(HigherRankProperty, LowerRanks, RankName);

TYPED_TEST(HigherRankProperty, ADimensionOfOneChangesNothing) {
  constexpr int N = TypeParam::value;
  const auto with_one = [](const Dims& numbers, int at) {
    Dims more;
    for (int i = 0; i < numbers.rank; ++i) {
      if (i == at) more.push_back(1);
      more.push_back(numbers[i]);
    }
    return more;
  };
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    Windows<N + 1> higher;
    higher.shape = with_one(w.shape, 2);
    higher.kernel = with_one(w.kernel, 0);
    higher.stride = with_one(w.stride, 0);
    higher.dilation = with_one(w.dilation, 0);
    higher.padding = with_one(w.padding, 0);
    higher.padding[0] = 0;
    higher.ceil = w.ceil;
    const Tensor x = filled(w.shape, rng.pick({Contents::smooth, Contents::specials}), rng), y = x.reshape(higher.shape);
    const std::vector<OpOnInput> low = every_op(w), high = every_op(higher);
    for (size_t k = 0; k < low.size(); ++k) {
      ASSERT_EQ(low[k].name, high[k].name);
      const std::vector<Tensor> a = low[k].results(x), b = high[k].results(y);
      for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i].clone().reshape(a[i].shape()))) << low[k].name << ", result " << i;
    }
  }
}

}  // namespace
}  // namespace tidepool::test
