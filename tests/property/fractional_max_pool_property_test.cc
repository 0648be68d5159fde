// Properties of fractional max pooling.
#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;

template <class R>
class FractionalMaxPoolProperty : public ::testing::Test {};
using FractionalRanks = ::testing::Types<Rank<2>, Rank<3>>;
TYPED_TEST_SUITE(FractionalMaxPoolProperty, FractionalRanks, RankName);

template <int N>
struct Fractional {
  Dims shape, kernel, output;
  uint64_t seed;

  explicit Fractional(Rng& rng) : shape{rng.between(1, 3), rng.between(1, 6)}, seed(rng.bits()) {
    for (int i = 0; i < N; ++i) {
      kernel.push_back(rng.between(1, 4));
      output.push_back(rng.between(1, N == 2 ? 12 : 5));
      shape.push_back(output[i] + kernel[i] - 1 + rng.between(0, 9));
    }
  }
  FractionalMaxPoolOptions<N> options() const {
    FractionalMaxPoolOptions<N> o;
    o.kernel_size = Extent<N>(kernel.span());
    o.output_size = Extent<N>(output.span());
    o.seed = seed;
    return o;
  }
  Dims output_shape() const {
    Dims full = shape;
    for (int i = 0; i < N; ++i) full[i + 2] = output[i];
    return full;
  }
  std::string trace(uint64_t number) const {
    return "seed " + std::to_string(number) + ": " + to_string(shape) + " kernel " + to_string(kernel) + " to " + to_string(output);
  }
  // Per axis, of an offset in the plane.
  Dims coordinates(int64_t offset) const {
    Dims at = kernel;
    for (int i = N - 1; i >= 0; offset /= shape[i-- + 2]) at[i] = offset % shape[i + 2];
    return at;
  }
};

// Of an input whose cells grow in row-major order the maxima are the last cells of the windows, which tells where the windows are.
TYPED_TEST(FractionalMaxPoolProperty, OutputsAreMaximaOfWindowsOfThatSize) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t number = 0; number < cases; ++number) {
    Rng rng(number);
    const Fractional<N> f(rng);
    SCOPED_TRACE(f.trace(number));
    const Tensor rising = arange(f.shape), x = filled(f.shape, Contents::specials, rng);
    const Pooled corners = F::fractional_max_pool_with_indices(rising, f.options()),
                 got = F::fractional_max_pool_with_indices(x, f.options());
    MaxPoolOptions<N> dense;
    dense.kernel_size = Extent<N>(f.kernel.span());
    dense.stride = 1;
    const Pooled all = F::max_pool_with_indices(x, dense);
    ASSERT_EQ(got.values.shape(), f.output_shape());
    for_each_cell(f.output_shape(), [&](const Dims& at) {
      const Dims corner = f.coordinates(get<int64_t>(corners.indices, at));
      Dims start = at;
      for (int i = 0; i < N; ++i) {
        start[i + 2] = corner[i] - f.kernel[i] + 1;
        const int64_t last = f.shape[i + 2] - f.kernel[i], o = at[i + 2];
        ASSERT_TRUE(start[i + 2] >= 0 && start[i + 2] <= last);
        if (o == 0 && f.output[i] > 1) {
          ASSERT_EQ(start[i + 2], 0);
        }
        if (o == f.output[i] - 1) {
          ASSERT_EQ(start[i + 2], last);
        }
        if (o > 0) {  // windows go forward along the axis
          Dims before = at;
          --before[i + 2];
          ASSERT_GT(corner[i], f.coordinates(get<int64_t>(corners.indices, before))[i]);
        }
      }
      ASSERT_EQ(get<uint32_t>(got.values, at), get<uint32_t>(all.values, start));
      ASSERT_EQ(get<int64_t>(got.indices, at), get<int64_t>(all.indices, start));
    });
    if (::testing::Test::HasFatalFailure()) return;
    EXPECT_TRUE(same(got.values, F::fractional_max_pool(x, f.options())));
  }
}

TYPED_TEST(FractionalMaxPoolProperty, ASeedStandsForItsSamples) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  int64_t moved = 0;
  for (uint64_t number = 0; number < cases; ++number) {
    Rng rng(number);
    const Fractional<N> f(rng);
    SCOPED_TRACE(f.trace(number));
    for (DType dtype : {DType::f32, DType::f64, DType::f16}) {
      const Tensor x = distinct(f.shape, rng, DType::f32).to(dtype);
      const Pooled first = F::fractional_max_pool_with_indices(x, f.options());
      EXPECT_TRUE(same(first, F::fractional_max_pool_with_indices(x, f.options())));
      auto explicit_samples = f.options();
      const Tensor samples = F::fractional_max_pool_samples(f.shape, dtype, f.seed);
      explicit_samples.samples = samples;
      explicit_samples.seed = 0;
      EXPECT_TRUE(same(first, F::fractional_max_pool_with_indices(x, explicit_samples))) << dtype_name(dtype);
      auto other = f.options();
      other.seed = f.seed + 1;
      moved += !same(first.indices, F::fractional_max_pool_with_indices(x, other).indices);
    }
  }
  EXPECT_GT(moved, static_cast<int64_t>(cases)) << "another seed should move windows in most cases";
}

// With whole steps between windows, samples of few bits cannot move them: every window starts at a multiple of the step.
TYPED_TEST(FractionalMaxPoolProperty, WholeStepsAreRegularPooling) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t number = 0; number < cases; ++number) {
    Rng rng(number);
    Fractional<N> f(rng);
    Dims step;
    for (int i = 0; i < N; ++i) {
      step.push_back(rng.between(1, 3));
      f.output[i] = std::max<int64_t>(f.output[i], 2);
      f.shape[i + 2] = (f.output[i] - 1) * step[i] + f.kernel[i];
    }
    SCOPED_TRACE(f.trace(number));
    const Tensor eighths = whole_numbers({f.shape[0], f.shape[1], N}, rng, DType::f32, 0, 7);
    const Tensor samples = map(eighths, [](double v) { return v / 8; });
    auto o = f.options();
    o.samples = samples;
    MaxPoolOptions<N> regular;
    regular.kernel_size = Extent<N>(f.kernel.span());
    regular.stride = Extent<N>(step.span());
    const Tensor x = filled(f.shape, Contents::specials, rng);
    EXPECT_TRUE(same(F::max_pool_with_indices(x, regular), F::fractional_max_pool_with_indices(x, o)));
  }
}

// At fixed indices the maximum is linear: <A x, y> = <x, A' y>.
TYPED_TEST(FractionalMaxPoolProperty, BackwardIsTheAdjointOfForward) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t number = 0; number < cases; ++number) {
    Rng rng(number);
    const Fractional<N> f(rng);
    SCOPED_TRACE(f.trace(number));
    const Tensor x = whole_numbers(f.shape, rng, DType::f64), y = whole_numbers(f.output_shape(), rng, DType::f64);
    for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
      auto o = f.options();
      o.index_base = base;
      const Pooled p = F::fractional_max_pool_with_indices(x, o);
      EXPECT_EQ(dot(p.values, y), dot(x, F::fractional_max_pool_backward(y, p.indices, f.shape, o))) << index_base_name(base);
      EXPECT_TRUE(same(p.values, F::fractional_max_pool_double_backward(x, p.indices, o))) << index_base_name(base);
    }
  }
}

}  // namespace
}  // namespace tidepool::test
