// Lp pooling in small cases with results worked out by hand.
#include "tidepool/ops/lp_pool.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::message_of;
using test::plane;

constexpr double inf = std::numeric_limits<double>::infinity();

Tensor row(std::initializer_list<double> values) { return Tensor::from<double>({1, 1, static_cast<int64_t>(values.size())}, values); }

TEST(LpPool, TheNormOfEveryWindow) {
  const Tensor x = plane(2, 4, {3, -4, 1, 2, 0, 0, -2, 4});
  EXPECT_EQ(cells(lp_pool2d(x, {.kernel_size = 2})), (Cells{5, 5}));
  EXPECT_EQ(cells(lp_pool2d(x, {.norm_type = 1, .kernel_size = 2})), (Cells{7, 9}));
  EXPECT_EQ(cells(lp_pool2d(x, {.norm_type = inf, .kernel_size = 2})), (Cells{4, 4}));
  const double third = cells(lp_pool2d(x.to(DType::f64), {.norm_type = 3, .kernel_size = 2}))[0];
  EXPECT_NEAR(third, 4.497941445275415, 1e-14);  // cbrt(27 + 64)
}

TEST(LpPool, InfinityIsMaxOfMagnitudes) {
  const Tensor x = randn({2, 3, 9, 9}, 3);
  Tensor magnitudes = x.clone();
  for (int64_t i = 0; i < x.numel(); ++i) magnitudes.data<float>()[i] = std::abs(x.data<float>()[i]);
  EXPECT_EQ(cells(lp_pool2d(x, {.norm_type = inf, .kernel_size = 3, .stride = 2, .padding = 1})),
            cells(max_pool2d(magnitudes, {.kernel_size = 3, .stride = 2, .padding = 1})));
}

TEST(LpPool, OverflowsOnlyWhenTheResultDoes) {
  EXPECT_NEAR(cells(lp_pool1d(row({3e200, 4e200}), {.kernel_size = 2}))[0] / 5e200, 1, 1e-15);
  EXPECT_NEAR(cells(lp_pool1d(row({3e-200, 4e-200}), {.kernel_size = 2}))[0] / 5e-200, 1, 1e-15);
  EXPECT_EQ(cells(lp_pool1d(full({1, 1, 4}, 1e30), {.norm_type = 4, .kernel_size = 4}))[0], 1.4142135e30f);
  EXPECT_EQ(cells(lp_pool1d(full({1, 1, 2}, 3e38), {.norm_type = 1, .kernel_size = 2}))[0], inf);
  EXPECT_EQ(cells(lp_pool1d(full({1, 1, 4}, 60000, DType::f16), {.norm_type = 4, .kernel_size = 1})), Cells(4, 60000));
}

TEST(LpPool, ExtremeNorms) {
  EXPECT_EQ(cells(lp_pool1d(row({0, 7, 0, 0}), {.norm_type = 1e-300, .kernel_size = 4})), (Cells{7}));
  EXPECT_EQ(cells(lp_pool1d(row({7, 7}), {.norm_type = 1e-300, .kernel_size = 2})), (Cells{inf}));
  EXPECT_EQ(cells(lp_pool1d(row({2, -9, 9}), {.norm_type = 1e300, .kernel_size = 3})), (Cells{9}));
  EXPECT_EQ(cells(lp_pool1d(row({0, 0}), {.norm_type = 0.5, .kernel_size = 2})), (Cells{0}));
}

TEST(LpPool, NanAndInfinityPassThrough) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double p : {0.5, 1.0, 2.0, 3.0, inf}) {
    const Cells y = cells(lp_pool1d(row({1, nan, inf, 2, 3, -inf}), {.norm_type = p, .kernel_size = 2}));
    EXPECT_TRUE(std::isnan(y[0])) << p;
    EXPECT_EQ(y[1], inf) << p;
    EXPECT_EQ(y[2], inf) << p;
  }
}

// PyTorch multiplies the average by the size of the kernel, so a window that hangs over the edge counts as a full one.
TEST(LpPool, PresetsDifferWhereWindowsHangOver) {
  const Tensor x = row({1, 2, 3, 4, 5});
  const LpPoolOptions<1> torch{.norm_type = 1, .kernel_size = 2, .ceil_mode = true};
  EXPECT_EQ(cells(lp_pool1d(x, torch)), (Cells{3, 7, 10}));
  EXPECT_EQ(cells(lp_pool1d(x, {.norm_type = 1, .kernel_size = 2, .ceil_mode = true, .preset = Preset::onnx})), (Cells{3, 7, 5}));
  EXPECT_EQ(cells(lp_pool1d_backward(row({1, 1, 1}), x, torch)), (Cells{1, 1, 1, 1, 2}));
}

TEST(LpPool, SignedPowerIsPyTorchsFormula) {
  const Tensor x = row({-3, 1, -2, -2});
  const auto pooled = [&](double p) { return cells(lp_pool1d(x, {.norm_type = p, .kernel_size = 2, .signed_power = true})); };
  EXPECT_EQ(pooled(1), (Cells{-2, -4}));
  EXPECT_TRUE(std::isnan(pooled(3)[0]));
  EXPECT_DOUBLE_EQ(pooled(2)[0], std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(pooled(-1)[1], -1);  // the harmonic form: 1 / (-1/2 - 1/2)
  EXPECT_EQ(cells(lp_pool1d_backward(row({1, 1}), x, {.norm_type = 1, .kernel_size = 2, .signed_power = true})), (Cells{1, 1, 1, 1}));
}

TEST(LpPool, GradientPointsAlongTheCells) {
  const Tensor x = row({3, -4, 0, 0});
  EXPECT_EQ(cells(lp_pool1d_backward(row({10, 10}), x, {.kernel_size = 2})), (Cells{6, -8, 0, 0}));  // a window of zeros has gradient 0
  EXPECT_EQ(cells(lp_pool1d_backward(row({10, 10}), x, {.norm_type = inf, .kernel_size = 2})), (Cells{0, -10, 0, 0}));
  // For p below 1 the slope at a cell of 0 is infinite; the gradient there is 0 by definition.
  EXPECT_EQ(cells(lp_pool1d_backward(row({1}), row({0, 4}), {.norm_type = 0.5, .kernel_size = 2})), (Cells{0, 1}));
  const Cells second = cells(lp_pool1d_double_backward(row({1, 1, 5, 5}), x, {.kernel_size = 2}));
  EXPECT_NEAR(second[0], -0.2, 1e-15);
  EXPECT_EQ(second[1], 0);
}

TEST(LpPool, GlobalIsOneWindow) {
  const Tensor x = randn({2, 3, 5, 7}, 1, DType::f64);
  const LpPoolOptions<2> whole{.norm_type = 3, .kernel_size = {5, 7}};
  EXPECT_EQ(cells(global_lp_pool2d(x, 3)), cells(lp_pool2d(x, whole)));
  const Tensor grad = randn({2, 3, 1, 1}, 2, DType::f64), gg = randn({2, 3, 5, 7}, 4, DType::f64);
  EXPECT_EQ(cells(global_lp_pool2d_backward(grad, x, 3)), cells(lp_pool2d_backward(grad, x, whole)));
  EXPECT_EQ(cells(global_lp_pool2d_double_backward(gg, x, 3)), cells(lp_pool2d_double_backward(gg, x, whole)));
  EXPECT_EQ(cells(global_lp_pool2d_double_backward_input(gg, grad, x, 3)), cells(lp_pool2d_double_backward_input(gg, grad, x, whole)));
  EXPECT_EQ(global_lp_pool1d(zeros({3, 4})).shape(), Dims({3, 1}));
}

TEST(LpPool, ErrorMessages) {
  const Tensor x = zeros({1, 1, 4, 4});
  const auto refusal = [&](double p, bool sign) {
    return message_of([&] { lp_pool2d(x, {.norm_type = p, .kernel_size = 2, .signed_power = sign}); });
  };
  EXPECT_EQ(refusal(0, false), "lp_pool2d: norm_type must be above 0, got 0");
  EXPECT_EQ(refusal(-2, false), "lp_pool2d: norm_type must be above 0, got -2");
  EXPECT_EQ(refusal(std::numeric_limits<double>::quiet_NaN(), false), "lp_pool2d: norm_type must be above 0, got nan");
  EXPECT_EQ(refusal(0, true), "lp_pool2d: norm_type must be a number other than 0, got 0");
  EXPECT_EQ(message_of([&] { lp_pool2d(zeros({1, 1, 4, 4}, DType::i32), {.kernel_size = 2}); }),
            "lp_pool2d: input must be floating, a norm is seldom an integer, got i32");
  EXPECT_EQ(message_of([&] { lp_pool2d_backward(zeros({1, 1, 3, 2}), x, {.kernel_size = 2}); }),
            "lp_pool2d_backward: grad must have shape 1x1x2x2, got 1x1x3x2");
  EXPECT_EQ(message_of([&] { lp_pool2d_backward(zeros({1, 1, 2, 2}), zeros({1, 1, 4, 4}, DType::f64), {.kernel_size = 2}); }),
            "lp_pool2d_backward: x must have dtype f32, got f64");
  EXPECT_EQ(message_of([&] { lp_pool2d_double_backward_input(x, zeros({1, 1, 2, 3}), x, {.kernel_size = 2}); }),
            "lp_pool2d_double_backward_input: grad must have shape 1x1x2x2, got 1x1x2x3");
  EXPECT_EQ(message_of([&] { global_lp_pool2d(x, -1); }), "global_lp_pool2d: norm_type must be above 0, got -1");
}

}  // namespace
}  // namespace tidepool
