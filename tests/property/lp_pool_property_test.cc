// Properties of Lp pooling.
#include <limits>

#include "property/random_pooling.h"

namespace tidepool::test {
namespace {

constexpr uint64_t cases = 40;
constexpr double inf = std::numeric_limits<double>::infinity();

double rounding(DType dtype) { return dtype == DType::f64 ? 1e-12 : 1e-5; }

template <class R>
class LpPoolProperty : public ::testing::Test {};
TYPED_TEST_SUITE(LpPoolProperty, Ranks, RankName);

// The plain norm of the real cells: the torch preset scales windows that hang over the edge.
template <int N>
LpPoolOptions<N> lp_options(const Windows<N>& w, double p, Preset preset = Preset::onnx) {
  auto o = w.template options<LpPoolOptions<N>>();
  o.norm_type = p;
  o.preset = preset;
  return o;
}

template <int N>
Tensor lp_pool(const Tensor& x, const Windows<N>& w, double p, Preset preset = Preset::onnx) {
  return Functions<N>::lp_pool(x, lp_options(w, p, preset));
}

Tensor magnitudes(const Tensor& x) {
  return map(x, [](double v) { return std::abs(v); });
}

TYPED_TEST(LpPoolProperty, NormsAreHomogeneousAndIgnoreSigns) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const DType dtype = rng.pick({DType::f32, DType::f64});
    const Tensor x = whole_numbers(w.shape, rng, dtype);
    for (double p : {0.5, 1.0, 1.5, 2.0, 3.0, inf}) {
      const Tensor y = lp_pool(x, w, p), scaled = lp_pool(map(x, [](double v) { return -5 * v; }), w, p);
      EXPECT_TRUE(near(map(y, [](double v) { return 5 * v; }), scaled, 10 * rounding(dtype))) << "p " << p;
      EXPECT_TRUE(same(y, lp_pool(magnitudes(x), w, p))) << "p " << p;
    }
  }
}

TYPED_TEST(LpPoolProperty, TheInfinityNormIsTheLargestMagnitude) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      const Tensor x = filled(w.shape, Contents::smooth, rng, dtype);
      const Tensor largest = Functions<N>::max_pool(magnitudes(x), w.template options<MaxPoolOptions<N>>());
      // Of a window without real cells the maximum is -inf, and the norm 0.
      EXPECT_TRUE(same(map(largest, [](double v) { return std::max(v, 0.0); }), lp_pool(x, w, inf))) << dtype_name(dtype);
    }
  }
}

TYPED_TEST(LpPoolProperty, TheNormIsTheRootOfASumOfPowers) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const DType dtype = rng.pick({DType::f32, DType::f64});
    const Tensor x = whole_numbers(w.shape, rng, dtype),
                 sums = Functions<N>::sum_pool(magnitudes(x), w.template options<SumPoolOptions<N>>());
    EXPECT_TRUE(same(sums, lp_pool(x, w, 1)));
    for (double p : {0.5, 2.0, 3.0, 2.5}) {
      const Tensor powers = map(x, [&](double v) { return std::pow(std::abs(v), p); }).to(DType::f64);
      const Tensor sum = Functions<N>::sum_pool(powers, w.template options<SumPoolOptions<N>>());
      const auto root = [&](double v) { return std::pow(v, 1 / p); };
      EXPECT_TRUE(near(map(sum, root).to(dtype), lp_pool(x, w, p), 10 * rounding(dtype))) << "p " << p;
      // Under the torch preset an incomplete window counts as much as a whole one: an average times the size of the window.
      const auto whole = [&](double v) { return root(v * static_cast<double>(w.volume())); };
      const Tensor average = Functions<N>::avg_pool(powers, w.template options<AvgPoolOptions<N>>());
      EXPECT_TRUE(near(map(average, whole).to(dtype), lp_pool(x, w, p, Preset::torch), 10 * rounding(dtype))) << "p " << p;
    }
  }
}

TYPED_TEST(LpPoolProperty, TheOrderOfCellsInsideAWindowDoesNotMatter) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    Windows<N> w = random_tiles<N>(rng);
    for (int i = 0; i < N; ++i) w.shape[i + 2] = w.kernel[i] * rng.between(1, 5);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng);
    // Every tile is rotated by one cell along every axis.
    Tensor rotated(w.shape);
    for_each_cell(w.shape, [&](const Dims& at) {
      Dims to = at;
      for (int i = 0; i < N; ++i) to[i + 2] = at[i + 2] - at[i + 2] % w.kernel[i] + (at[i + 2] + 1) % w.kernel[i];
      put<float>(rotated.span(), to, get<float>(x, at));
    });
    for (double p : {1.0, 2.0, 3.0, inf}) EXPECT_TRUE(same(lp_pool(x, w, p), lp_pool(rotated, w, p))) << "p " << p;
  }
}

TYPED_TEST(LpPoolProperty, NormsFallAsPGrowsAndObeyTheTriangleInequality) {
  constexpr int N = TypeParam::value;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = filled(w.shape, Contents::smooth, rng, DType::f64), y = filled(w.shape, Contents::smooth, rng, DType::f64);
    const Tensor both = map(x, y, [](double a, double b) { return a + b; });
    std::vector<double> before;
    for (double p : {0.5, 1.0, 1.5, 2.0, 4.0, inf}) {
      const std::vector<double> norm = cells(lp_pool(x, w, p)), other = cells(lp_pool(y, w, p)), sum = cells(lp_pool(both, w, p));
      for (size_t i = 0; i < norm.size(); ++i) {
        if (!before.empty()) {
          ASSERT_LE(norm[i], before[i] * (1 + 1e-12)) << "p " << p;
        }
        if (p >= 1) {
          ASSERT_LE(sum[i], (norm[i] + other[i]) * (1 + 1e-12)) << "p " << p;
        }
      }
      before = norm;
    }
  }
}

// A norm is homogeneous of degree 1, so by Euler's theorem its gradient times x gives the norm back.
TYPED_TEST(LpPoolProperty, TheGradientTimesTheInputIsTheNorm) {
  constexpr int N = TypeParam::value;
  using F = Functions<N>;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Rng rng(seed);
    const Windows<N> w = random_windows<N>(rng);
    SCOPED_TRACE(trace(seed, w));
    const Tensor x = whole_numbers(w.shape, rng, DType::f64), gg = whole_numbers(w.shape, rng, DType::f64);
    for (double p : {1.0, 1.5, 2.0, 3.0, inf})
      for (Preset preset : {Preset::onnx, Preset::torch}) {
        const LpPoolOptions<N> o = lp_options(w, p, preset);
        const Tensor norms = F::lp_pool(x, o), grad = whole_numbers(norms.shape(), rng, DType::f64);
        const Tensor grad_input = F::lp_pool_backward(grad, x, o);
        EXPECT_NEAR(dot(grad_input, x), dot(grad, norms), 1e-7) << "p " << p;
        // The backward pass is linear in grad, and double_backward is its adjoint.
        EXPECT_NEAR(dot(grad_input, gg), dot(grad, F::lp_pool_double_backward(gg, x, o)), 1e-7) << "p " << p;
        // The gradient is homogeneous of degree 0: along x it does not change.
        if (p > 1 && p < inf) {
          EXPECT_NEAR(dot(F::lp_pool_double_backward_input(gg, grad, x, o), x), 0, 1e-6) << "p " << p;
        }
      }
  }
}

}  // namespace
}  // namespace tidepool::test
