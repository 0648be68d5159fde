// The derivatives of Lp pooling against finite differences.
#include <gtest/gtest.h>

#include <functional>

#include "support/rng.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/lp_pool.h"

namespace tidepool {
namespace {

using test::cells;

constexpr double step = 1e-5;

double dot(const TensorArg& a_arg, const TensorArg& b_arg) {
  const TensorView& a = a_arg.view();
  const TensorView& b = b_arg.view();
  const auto x = cells(a), y = cells(b);
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// The gradient of f at x by central differences.
std::vector<double> differences(const Tensor& x, const std::function<double(const Tensor&)>& f) {
  std::vector<double> slopes;
  for (int64_t i = 0; i < x.numel(); ++i) {
    Tensor up = x.clone(), down = x.clone();
    up.data<double>()[i] += step;
    down.data<double>()[i] -= step;
    slopes.push_back((f(up) - f(down)) / (2 * step));
  }
  return slopes;
}

void expect_near(const std::vector<double>& expected, const TensorArg& actual_arg, const std::string& what) {
  const TensorView& actual = actual_arg.view();
  const auto got = cells(actual);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << what << " cell " << i;
}

// Magnitudes away from zero, where the norm is smooth.
Tensor smooth_input(const Dims& shape, uint64_t seed, bool positive) {
  Tensor x = randn(shape, seed, DType::f64);
  for (int64_t i = 0; i < x.numel(); ++i) {
    double& v = x.data<double>()[i];
    v += v < 0 ? -0.3 : 0.3;
    if (positive) v = std::abs(v);
  }
  return x;
}

TEST(LpPoolGradient, DifferencesInTwoDimensions) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    test::Rng rng(seed);
    LpPoolOptions<2> o{.norm_type = rng.pick<double>({0.5, 1, 1.5, 2, 3, 7}),
                       .kernel_size = {rng.between(1, 3), rng.between(2, 3)},
                       .stride = rng.between(1, 3),
                       .padding = rng.between(0, 1),
                       .dilation = rng.between(1, 2),
                       .ceil_mode = rng.one_in(2),
                       .signed_power = rng.one_in(3),
                       .preset = rng.pick({Preset::onnx, Preset::tensorflow})};
    const Tensor x = smooth_input({1, 2, 5, 6}, seed, o.signed_power);
    const Tensor grad = randn(lp_pool2d_shape(x.shape(), o), seed + 1, DType::f64), gg = randn(x.shape(), seed + 2, DType::f64);
    const std::string what = "seed " + std::to_string(seed);
    expect_near(differences(x, [&](const Tensor& at) { return dot(lp_pool2d(at, o), grad); }), lp_pool2d_backward(grad, x, o), what);
    // <gg, backward(grad)> is linear in grad, and its slope there is the double backward.
    EXPECT_NEAR(dot(gg, lp_pool2d_backward(grad, x, o)), dot(grad, lp_pool2d_double_backward(gg, x, o)), 1e-10) << what;
    expect_near(differences(x, [&](const Tensor& at) { return dot(gg, lp_pool2d_backward(grad, at, o)); }),
                lp_pool2d_double_backward_input(gg, grad, x, o), what + " second");
  }
}

TEST(LpPoolGradient, DifferencesInOneAndThreeDimensionsAndGlobally) {
  const Tensor line = smooth_input({2, 2, 9}, 1, false);
  const LpPoolOptions<1> o1{.norm_type = 3, .kernel_size = 3, .stride = 2};
  const Tensor g1 = randn(lp_pool1d_shape(line.shape(), o1), 2, DType::f64);
  expect_near(differences(line, [&](const Tensor& at) { return dot(lp_pool1d(at, o1), g1); }), lp_pool1d_backward(g1, line, o1), "1-D");
  const Tensor box = smooth_input({1, 2, 3, 4, 4}, 3, false);
  const LpPoolOptions<3> o3{.norm_type = 2, .kernel_size = 2, .stride = 1};
  const Tensor g3 = randn(lp_pool3d_shape(box.shape(), o3), 4, DType::f64), gg3 = randn(box.shape(), 5, DType::f64);
  expect_near(differences(box, [&](const Tensor& at) { return dot(lp_pool3d(at, o3), g3); }), lp_pool3d_backward(g3, box, o3), "3-D");
  expect_near(differences(box, [&](const Tensor& at) { return dot(gg3, lp_pool3d_backward(g3, at, o3)); }),
              lp_pool3d_double_backward_input(gg3, g3, box, o3), "3-D second");
  const Tensor one = randn({1, 2, 1, 1, 1}, 6, DType::f64);
  expect_near(differences(box, [&](const Tensor& at) { return dot(global_lp_pool3d(at, 4), one); }), global_lp_pool3d_backward(one, box, 4),
              "global");
}

}  // namespace
}  // namespace tidepool
