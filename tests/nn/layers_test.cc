// Every layer against differences of itself.
#include <gtest/gtest.h>

#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

// f32 has seven digits: steps are large, and what is linear does not mind.
constexpr GradcheckOptions linear_steps{.eps = 0.25, .atol = 2e-4, .rtol = 2e-3};
constexpr GradcheckOptions curved_steps{.eps = 1e-2, .atol = 3e-3, .rtol = 2e-2};

Tensor leaf(const Dims& shape, uint64_t seed) { return randn(shape, seed).set_requires_grad(); }

void expect_gradients(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& o) {
  EXPECT_EQ(gradcheck(f, inputs, o), "");
  EXPECT_EQ(gradgradcheck(f, inputs, o), "");
}

TEST(Layers, Matmul) {
  expect_gradients([](const auto& in) { return matmul(in[0], in[1]); }, {leaf({3, 4}, 1), leaf({4, 2}, 2)}, linear_steps);
  expect_gradients([](const auto& in) { return matmul(in[0].transpose(0, 1), in[1]); }, {leaf({4, 3}, 1), leaf({4, 2}, 2)}, linear_steps);
  const Tensor c = matmul(Tensor::from<float>({2, 2}, {1, 2, 3, 4}), Tensor::from<float>({2, 2}, {10, 20, 30, 40}));
  EXPECT_EQ(to_string(c), "[[ 70. 100.]\n [150. 220.]]");
}

TEST(Layers, Linear) {
  expect_gradients([](const auto& in) { return linear(in[0], in[1], in[2]); }, {leaf({3, 4}, 1), leaf({5, 4}, 2), leaf({5}, 3)},
                   linear_steps);
  EXPECT_EQ(linear(randn({2, 3, 4}, 1), randn({5, 4}, 2)).shape(), (Dims{2, 3, 5}));
}

TEST(Layers, Conv1d) {
  expect_gradients([](const auto& in) { return conv1d(in[0], in[1], in[2], {.stride = 2, .padding = 1}); },
                   {leaf({2, 3, 7}, 1), leaf({4, 3, 3}, 2), leaf({4}, 3)}, linear_steps);
}

TEST(Layers, Conv2d) {
  expect_gradients([](const auto& in) { return conv2d(in[0], in[1], in[2], {.stride = {2, 1}, .padding = {1, 2}}); },
                   {leaf({1, 2, 5, 4}, 1), leaf({3, 2, 3, 2}, 2), leaf({3}, 3)}, linear_steps);
  expect_gradients([](const auto& in) { return conv2d(in[0], in[1], {}, {.padding = 2, .dilation = 2, .groups = 2}); },
                   {leaf({1, 4, 4, 4}, 1), leaf({2, 2, 3, 3}, 2)}, linear_steps);
  expect_gradients([](const auto& in) { return conv2d(in[0].clone(MemoryFormat::channels_last), in[1], {}, {.padding = same}); },
                   {leaf({2, 2, 3, 3}, 1), leaf({2, 2, 2, 2}, 2)}, linear_steps);
}

TEST(Layers, Conv3d) {
  expect_gradients([](const auto& in) { return conv3d(in[0], in[1], in[2], {.padding = 1}); },
                   {leaf({1, 2, 3, 2, 3}, 1), leaf({2, 2, 2, 2, 2}, 2), leaf({2}, 3)}, linear_steps);
}

TEST(Layers, ConvTranspose2d) {
  expect_gradients([](const auto& in) { return conv_transpose2d(in[0], in[1], in[2], {.stride = 2, .padding = 1, .output_padding = 1}); },
                   {leaf({1, 2, 3, 3}, 1), leaf({2, 3, 3, 3}, 2), leaf({3}, 3)}, linear_steps);
}

TEST(Layers, ConvIsTheSumOfProducts) {
  const Tensor x = arange({1, 1, 3, 3}), w = Tensor::from<float>({1, 1, 2, 2}, {1, 10, 100, 1000});
  EXPECT_EQ(to_string(reshape(conv2d(x, w), {2, 2})), "[[4310. 5421.]\n [7643. 8754.]]");
  EXPECT_EQ(conv2d(randn({3, 8, 8}, 1), randn({5, 3, 3, 3}, 2), {}, {.stride = 2}).shape(), (Dims{5, 3, 3}));
}

TEST(Layers, ConvKeepsTheMemoryFormat) {
  const Tensor x = randn({2, 16, 9, 9}, 1), w = randn({32, 16, 3, 3}, 2);
  const Tensor y = conv2d(x, w), last = conv2d(x.clone(MemoryFormat::channels_last), w);
  EXPECT_TRUE(y.is_contiguous());
  EXPECT_EQ(last.strides(), channels_last_strides(last.shape()));
  EXPECT_LT(sum(mul(y - last, y - last)).item(), 1e-5);
}

TEST(Layers, BatchNorm) {
  const auto f = [](const auto& in) { return batch_norm(in[0], {}, {}, in[1], in[2], {.training = true}); };
  expect_gradients(f, {leaf({3, 2, 2, 2}, 1), leaf({2}, 2), leaf({2}, 3)}, curved_steps);
  const auto last = [&](const auto& in) { return f(std::vector<Tensor>{in[0].clone(MemoryFormat::channels_last), in[1], in[2]}); };
  EXPECT_EQ(gradcheck(last, {leaf({3, 2, 2, 2}, 1), leaf({2}, 2), leaf({2}, 3)}, curved_steps), "");
}

TEST(Layers, BatchNormUsesAndMovesRunningStatistics) {
  BatchNorm2d norm(2);
  const Tensor x = randn({4, 2, 3, 3}, 1) + 5.0;
  const Tensor y = norm(x);
  EXPECT_NEAR(mean(y).item(), 0, 1e-5);
  EXPECT_NEAR(norm.running_mean.item({0}), 0.1 * mean(x.slice(1, 0, 1)).item(), 1e-5);
  EXPECT_EQ(norm.num_batches_tracked.item(), 1);
  norm.eval();
  const auto eval = [&](const auto& in) { return norm(in[0]); };
  EXPECT_EQ(gradcheck(eval, {leaf({2, 2, 2, 2}, 1)}, linear_steps), "");
  const NoGrad no_grad;
  const Tensor fast = norm(x);
  const EnableGrad enable;
  const Tensor slow = norm(x);
  EXPECT_LT(sum(mul(fast - slow, fast - slow)).item(), 1e-8);
}

TEST(Layers, Activations) {
  const Tensor x = leaf({2, 5}, 4);
  for (const TensorFunction& f :
       std::vector<TensorFunction>{[](const auto& in) { return Sigmoid()(in[0]); }, [](const auto& in) { return Tanh()(in[0]); },
                                   [](const auto& in) { return GELU()(in[0]); }})
    expect_gradients(f, {x}, curved_steps);
  EXPECT_EQ(to_string(ReLU()(Tensor::from<float>({3}, {-1, 0, 2}))), "[0. 0. 2.]");
  EXPECT_EQ(to_string(LeakyReLU(0.5)(Tensor::from<float>({3}, {-1, 0, 2}))), "[-0.5   0.   2.]");
}

TEST(Layers, DropoutKeepsTheMeanAndStopsInEval) {
  manual_seed(3);
  Dropout drop(0.25);
  const Tensor x = full({100, 100}, 1).set_requires_grad();
  const Tensor y = drop(x);
  EXPECT_NEAR(mean(y).item(), 1, 0.03);
  sum(y).backward();
  EXPECT_EQ(to_string(x.grad()), to_string(y.detach()));
  EXPECT_NE(to_string(drop(x)), to_string(y));
  drop.eval();
  EXPECT_EQ(to_string(drop(x)), to_string(x));
}

TEST(Layers, PoolingModulesAreTheFunctions) {
  manual_seed(1);
  const Tensor x = randn({1, 2, 8, 8}, 1);
  EXPECT_EQ(to_string(MaxPool2d(3, 2, 1)(x)), to_string(max_pool2d(x, {.kernel_size = 3, .stride = 2, .padding = 1})));
  EXPECT_EQ(to_string(AvgPool2d({.kernel_size = 3, .ceil_mode = true})(x)),
            to_string(avg_pool2d(x, {.kernel_size = 3, .ceil_mode = true})));
  EXPECT_EQ(to_string(LPPool2d(2, 2)(x)), to_string(lp_pool2d(x, {.norm_type = 2, .kernel_size = 2})));
  EXPECT_EQ(to_string(AdaptiveAvgPool2d(3)(x)), to_string(adaptive_avg_pool2d(x, 3)));
  EXPECT_EQ(to_string(AdaptiveMaxPool2d(3)(x)), to_string(adaptive_max_pool2d(x, 3)));
  FractionalMaxPool2d fractional({.kernel_size = 2, .output_size = 5});
  EXPECT_NE(to_string(fractional(x)), to_string(fractional(x)));
  MaxPool2d pool(2);
  const Pooled y = pool.forward_with_indices(x);
  EXPECT_EQ(to_string(MaxUnpool2d(2)(y.values, y.indices)), to_string(max_unpool2d(y.values, y.indices, {.kernel_size = 2})));
}

TEST(Layers, PoolingModulesDifferentiate) {
  const Tensor x = leaf({1, 2, 4, 4}, 6);
  for (const TensorFunction& f : std::vector<TensorFunction>{
           [](const auto& in) { return MaxPool2d(2)(in[0]); }, [](const auto& in) { return AvgPool2d(2)(in[0]); },
           [](const auto& in) { return LPPool2d(2, 2)(in[0]); }, [](const auto& in) { return AdaptiveAvgPool2d(3)(in[0]); },
           [](const auto& in) { return AdaptiveMaxPool2d(2)(in[0]); }})
    EXPECT_EQ(gradcheck(f, {x}, curved_steps), "");
}

}  // namespace
}  // namespace tidepool::nn
