// Gradients of pooling beside those that pooling_passes_test.cc compares for every function.
#include <gtest/gtest.h>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

void check_twice(const TensorFunction& f, const Dims& shape) {
  // Distinct cells, well apart: a maximum must not change its place within the step of a difference.
  Tensor x = randn(shape, 3, DType::f64);
  EXPECT_EQ(gradcheck(f, {x.set_requires_grad()}), "");
  EXPECT_EQ(gradgradcheck(f, {x}), "");
}

// Squared, so that the second derivative is not zero all over.
template <class F>
TensorFunction squared(F f) {
  return [f](const std::vector<Tensor>& in) {
    const Tensor y = f(in[0]);
    return y * y;
  };
}

TEST(Pooling2d, FractionalKeepsItsSamples) {
  const auto with_samples = [](const Tensor& x) {
    const Tensor samples = rand({1, 2, 2}, 1, DType::f64);  // gone when the gradient is computed
    return fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 3, .samples = samples});
  };
  check_twice(squared(with_samples), {1, 2, 6, 7});
}

// The samples choose the windows. The result does not depend on them smoothly, so that they cannot have a gradient.
TEST(Pooling2d, FractionalRefusesSamplesThatRequireGradients) {
  const Tensor x = randn({1, 2, 6, 7}, 1), samples = rand({1, 2, 2}, 1).set_requires_grad();
  const FractionalMaxPoolOptions<2> o{.kernel_size = 2, .output_size = 3, .samples = samples};
  const std::string text =
      ": samples must not require gradients, got one that does (shape 1x2x2; use detach, NoGrad, or the function that returns a tensor)";
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "fractional_max_pool2d" + text, [&] { fractional_max_pool2d(x, o); }));
  EXPECT_TRUE(
      refuses(ErrorCode::invalid_argument, "fractional_max_pool2d_with_indices" + text, [&] { fractional_max_pool2d_with_indices(x, o); }));
  const NoGrad no_grad;
  EXPECT_EQ(fractional_max_pool2d(x, o).shape(), (Dims{1, 2, 3, 3}));
}

TEST(Pooling3d, FractionalByRatio) {
  check_twice(squared([](const Tensor& x) { return fractional_max_pool3d(x, {.kernel_size = 2, .output_ratio = 0.6, .seed = 4}); }),
              {1, 2, 4, 5, 6});
}

TEST(Pooling2d, IndicesOfEveryBase) {
  for (IndexBase base : all_index_bases) {
    const MaxPoolOptions<2> o{.kernel_size = {3, 2}, .stride = 2, .padding = 1, .dilation = {1, 2}, .index_base = base};
    check_twice(squared([o](const Tensor& x) { return max_pool2d_with_indices(x, o).values; }), {2, 1, 5, 6});
    check_twice(squared([o](const Tensor& x) { return min_pool2d_with_indices(x, o).values; }), {2, 5, 6});
  }
}

TEST(Pooling2d, ChannelsLast) {
  check_twice(squared([](const Tensor& x) { return max_pool2d(x.clone(MemoryFormat::channels_last), 2, 1); }), {1, 3, 4, 3});
  check_twice(squared([](const Tensor& x) { return avg_pool2d(x.clone(MemoryFormat::channels_last), 2, 1); }), {1, 3, 4, 3});
}

TEST(Pooling2d, MissionExampleRoutesTheGradientToTheWinners) {
  Tensor x = Tensor::from<float>({1, 1, 4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4}).set_requires_grad();
  sum(max_pool2d(x, {.kernel_size = 2})).backward();
  EXPECT_EQ(to_string(x.grad().reshape({4, 4})), "[[0. 0. 1. 0.]\n [1. 0. 0. 0.]\n [0. 0. 0. 0.]\n [0. 1. 0. 1.]]");
  x.zero_grad();
  sum(avg_pool2d(x, {.kernel_size = 2})).backward();
  EXPECT_EQ(to_string(x.grad()), to_string(full({1, 1, 4, 4}, 0.25)));
}

TEST(Pooling2d, NormRefusesAThirdDerivative) {
  Tensor x = randn({1, 1, 2, 2}, 1, DType::f64).set_requires_grad();
  const Tensor y = sum(lp_pool2d(x, {.norm_type = 3, .kernel_size = 2}));
  const Tensor g = sum(grad(y, {x}, {.create_graph = true})[0]);
  const Tensor gg = sum(grad(g, {x}, {.create_graph = true})[0]);
  try {
    gg.backward();
    FAIL() << "a third derivative was computed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "lp_pool2d backward: derivatives must be at most the second, got the third");
  }
}

}  // namespace
}  // namespace tidepool
