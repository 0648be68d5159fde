// Fractional max pooling in small cases with results worked out by hand.
#include "tidepool/ops/fractional_max_pool.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::message_of;

// L = 7, k = 2, O = 4: alpha = 5/3. u = 0.5: trunc(0.83) = 0, so the windows begin at trunc(.83), trunc(2.5), trunc(4.17) and 5.
TEST(FractionalMaxPool, StartsFollowTheSample) {
  const Tensor x = arange({1, 1, 1, 7});
  const auto pooled = [&](double u) {
    return cells(fractional_max_pool2d(x, {.kernel_size = {1, 2}, .output_size = {1, 4}, .samples = full({1, 1, 2}, u)}));
  };
  EXPECT_EQ(pooled(0.5), (Cells{1, 3, 5, 6}));
  EXPECT_EQ(pooled(0), (Cells{1, 2, 4, 6}));    // 0, 1.67, 3.33
  EXPECT_EQ(pooled(0.9), (Cells{1, 3, 4, 6}));  // 1.5 - 1, 3.17 - 1, 4.83 - 1
}

// PyTorch's order of samples: width first in two dimensions, depth first in three.
TEST(FractionalMaxPool, SamplesBelongToAxes) {
  const FractionalMaxPoolOptions<2> flat{.kernel_size = 2, .output_size = 4};
  const auto run2 = [&](std::initializer_list<float> u) {
    FractionalMaxPoolOptions<2> o = flat;
    const Tensor samples = Tensor::from<float>({1, 1, 2}, u);
    o.samples = samples;
    return cells(fractional_max_pool2d(arange({1, 1, 7, 7}), o));
  };
  const Cells w = run2({0.5f, 0}), h = run2({0, 0.5f});
  EXPECT_EQ(w[0], 8);  // row 1, column 1
  EXPECT_EQ((Cells{w[0], w[1], w[2], w[3]}), (Cells{8, 10, 12, 13}));
  EXPECT_EQ((Cells{h[0], h[4], h[8], h[12]}), (Cells{8, 22, 36, 43}));
  const Tensor samples = Tensor::from<float>({1, 1, 3}, {0.5f, 0, 0});
  const Cells d =
      cells(fractional_max_pool3d(arange({1, 1, 7, 1, 1}), {.kernel_size = {2, 1, 1}, .output_size = {4, 1, 1}, .samples = samples}));
  EXPECT_EQ(d, (Cells{1, 3, 5, 6}));
}

TEST(FractionalMaxPool, SeedsAreReproducible) {
  const Tensor x = randn({2, 3, 20, 20}, 1);
  const auto pooled = [&](uint64_t seed) { return cells(fractional_max_pool2d(x, {.kernel_size = 2, .output_ratio = 0.6, .seed = seed})); };
  EXPECT_EQ(pooled(1), pooled(1));
  EXPECT_NE(pooled(1), pooled(2));
  const Tensor samples = fractional_max_pool2d_samples(x.shape(), DType::f32, 1);
  EXPECT_EQ(cells(fractional_max_pool2d(x, {.kernel_size = 2, .output_ratio = 0.6, .samples = samples})), pooled(1));
  // These numbers were recorded once; every machine must give the same.
  EXPECT_EQ(cells(fractional_max_pool2d_samples({1, 1, 9, 9}, DType::f64, 42)), cells(rand({1, 1, 2}, 42, DType::f64)));
}

TEST(FractionalMaxPool, RatioTruncates) {
  const auto shape = [](const FractionalMaxPoolOptions<2>& o) { return fractional_max_pool2d_shape({2, 3, 10, 9}, o); };
  EXPECT_EQ(shape({.kernel_size = 2, .output_ratio = 0.55}), Dims({2, 3, 5, 4}));
  EXPECT_EQ(shape({.kernel_size = 2, .output_ratio = {0.5, 0.9}}), Dims({2, 3, 5, 8}));
  EXPECT_EQ(shape({.kernel_size = 2, .output_ratio = 0.01}), Dims({2, 3, 0, 0}));
}

TEST(FractionalMaxPool, GradientsInEveryBase) {
  const Tensor x = randn({2, 2, 9, 8}, 5, DType::f64), grad = randn({2, 2, 5, 4}, 6, DType::f64), gg = randn({2, 2, 9, 8}, 7, DType::f64);
  Cells expected, second;
  for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
    const FractionalMaxPoolOptions<2> o{.kernel_size = 2, .output_size = {5, 4}, .seed = 3, .index_base = base};
    const Pooled y = fractional_max_pool2d_with_indices(x, o);
    const Cells back = cells(fractional_max_pool2d_backward(grad, y.indices, x.shape(), o));
    const Cells twice = cells(fractional_max_pool2d_double_backward(gg, y.indices, o));
    if (expected.empty()) expected = back, second = twice;
    EXPECT_EQ(back, expected);
    EXPECT_EQ(twice, second);
  }
  double given = 0, got = 0;
  for (double v : cells(grad)) given += v;
  for (double v : expected) got += v;
  EXPECT_NEAR(given, got, 1e-12);
}

TEST(FractionalMaxPool, IntegersTakeFloatSamples) {
  const Tensor x = arange({1, 1, 1, 7}, DType::i32);
  EXPECT_EQ(cells(fractional_max_pool2d(x, {.kernel_size = {1, 2}, .output_size = {1, 4}, .samples = full({1, 1, 2}, 0.5)})),
            (Cells{1, 3, 5, 6}));
}

TEST(FractionalMaxPool, ErrorMessages) {
  const Tensor x = zeros({2, 3, 6, 6});
  const auto refusal = [&](const FractionalMaxPoolOptions<2>& o) { return message_of([&] { fractional_max_pool2d(x, o); }); };
  EXPECT_EQ(refusal({.kernel_size = 2}), "fractional_max_pool2d: output_size or output_ratio must be given");
  EXPECT_EQ(refusal({.kernel_size = 2, .output_size = 3, .output_ratio = 0.5}),
            "fractional_max_pool2d: output_size and output_ratio do not go together");
  for (double ratio : {0.0, 1.0, -0.5, 2.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(
        refusal({.kernel_size = 2, .output_ratio = ratio}).starts_with("fractional_max_pool2d: output_ratio must lie between 0 and 1"));
  EXPECT_EQ(refusal({.kernel_size = 2, .output_ratio = {0.5, 0.5, 0.5}}),
            "fractional_max_pool2d: output_ratio must have 1 or 2 values, got 3");
  EXPECT_EQ(refusal({.kernel_size = 3, .output_size = {4, 5}}),
            "fractional_max_pool2d: output_size + kernel_size - 1 must be at most the input size 6, got output_size 5 and kernel_size 3 "
            "(axis w)");
  EXPECT_EQ(refusal({.kernel_size = 0, .output_size = 2}), "fractional_max_pool2d: kernel_size must be at least 1, got 0 (axis h)");
  EXPECT_EQ(refusal({.kernel_size = 2, .output_size = -1}), "fractional_max_pool2d: output_size must not be negative, got -1 (axis h)");
  const auto samples = [&](const Tensor& s) { return refusal({.kernel_size = 2, .output_size = 3, .samples = s}); };
  EXPECT_EQ(samples(zeros({2, 3, 3})), "fractional_max_pool2d: samples must have shape 2x3x2, got 2x3x3");
  EXPECT_EQ(samples(zeros({1, 3, 2})), "fractional_max_pool2d: samples must have shape 2x3x2, got 1x3x2");
  EXPECT_EQ(samples(zeros({0})), "fractional_max_pool2d: samples must have shape 2x3x2, got 0");
  EXPECT_EQ(samples(zeros({2, 3, 2}, DType::f64)), "fractional_max_pool2d: samples must have dtype f32, got f64");
  EXPECT_EQ(samples(full({2, 3, 2}, 1)), "fractional_max_pool2d: samples must lie in [0, 1), got 1.000000");
  EXPECT_EQ(samples(full({2, 3, 2}, -0.25)), "fractional_max_pool2d: samples must lie in [0, 1), got -0.250000");
  EXPECT_TRUE(samples(full({2, 3, 2}, std::numeric_limits<double>::quiet_NaN())).starts_with("fractional_max_pool2d: samples must lie"));
}

TEST(FractionalMaxPool, TheThreeDimensionalFitIsTheTwoDimensionalOne) {
  // PyTorch refuses output + kernel - 1 = input in three dimensions, although the windows fit.
  EXPECT_EQ(fractional_max_pool3d(zeros({1, 1, 4, 4, 4}), {.kernel_size = 2, .output_size = 3}).shape(), Dims({1, 1, 3, 3, 3}));
}

}  // namespace
}  // namespace tidepool
