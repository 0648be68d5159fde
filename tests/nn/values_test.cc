// Values of layers and optimisers that gradients do not show, computed here by hand or in plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "support/tensors.h"
#include "tidepool/nn.h"
#include "unit/expect_error.h"

namespace tidepool::nn {
namespace {

using test::Cells;
using test::cells;
using test::refuses;

Tensor parameter(std::initializer_list<float> values) {
  return Tensor::from<float>({static_cast<int64_t>(values.size())}, values).set_requires_grad();
}

// ---- optimisers ----------------------------------------------------------------------------------------------------------------------

// The loss is sum(p), so the gradient is 1. All numbers are exact in f32.
void descend(Optimizer& optimizer, const Tensor& p) {
  optimizer.zero_grad();
  sum(p).backward();
  optimizer.step();
}

TEST(OptimValues, SgdDecaysWithoutMomentum) {
  Tensor p = parameter({2, -4});
  SGD sgd({p}, {.lr = 0.5, .weight_decay = 0.25});
  descend(sgd, p);  // p - 0.5 (1 + 0.25 p)
  EXPECT_EQ(cells(p.detach()), (Cells{1.25, -4}));
  descend(sgd, p);
  EXPECT_EQ(cells(p.detach()), (Cells{0.59375, -4}));
}

TEST(OptimValues, SgdDecaysWithMomentum) {
  Tensor p = parameter({2, -4});
  SGD sgd({p}, {.lr = 0.5, .momentum = 0.5, .weight_decay = 0.25});
  descend(sgd, p);  // g = 1 + 0.25 p = 1.5, 0; v = g; p - 0.5 v
  EXPECT_EQ(cells(p.detach()), (Cells{1.25, -4}));
  descend(sgd, p);  // g = 1.3125, 0; v = 0.5 * 1.5 + 1.3125 = 2.0625
  EXPECT_EQ(cells(p.detach()), (Cells{0.21875, -4}));
}

// The first step of Adam moves by lr against the sign of the gradient. Before that, AdamW multiplies the parameter by 1 - lr * decay.
TEST(OptimValues, AdamWDecaysByDefault) {
  for (const bool named : {false, true}) {
    Tensor p = parameter({2});
    AdamW adam = named ? AdamW({p}, {.lr = 1e-3, .eps = 0}) : AdamW({p});
    descend(adam, p);
    EXPECT_NEAR(p.item(), 2 * (1 - 1e-3 * 0.01) - 1e-3, 1e-6) << named;
    EXPECT_LT(p.item(), 2 - 1e-3 - 1e-5) << "no decay";
  }
  Tensor p = parameter({2});
  Adam adam({p}, {});
  descend(adam, p);
  EXPECT_NEAR(p.item(), 2 - 1e-3, 1e-6);
  EXPECT_GT(p.item(), 2 - 1e-3 - 1e-5) << "decay";
}

// A graph that kept the old weights is refused, whichever optimiser has changed them.
TEST(OptimValues, EveryStepCountsAsAChange) {
  using Make = std::function<std::unique_ptr<Optimizer>(const Tensor&)>;
  for (const Make& make :
       std::vector<Make>{[](const Tensor& p) { return std::make_unique<SGD>(std::vector{p}, SGDOptions{}); },
                         [](const Tensor& p) { return std::make_unique<SGD>(std::vector{p}, SGDOptions{.momentum = 0.5}); },
                         [](const Tensor& p) { return std::make_unique<Adam>(std::vector{p}, AdamOptions{}); },
                         [](const Tensor& p) { return std::make_unique<AdamW>(std::vector{p}); }}) {
    Tensor p = parameter({2, 3});
    const auto optimizer = make(p);
    optimizer->step();  // without a gradient nothing changes
    EXPECT_EQ(p.version(), 0u);
    const Tensor y = sum(p * p);
    descend(*optimizer, p);
    EXPECT_EQ(p.version(), 1u);
    EXPECT_TRUE(refuses(ErrorCode::aliasing,
                        "mul backward: a tensor it kept must not be changed in place, got version 1 for version 0 (shape 2)",
                        [&] { y.backward(); }));
    descend(*optimizer, p);
    EXPECT_EQ(p.version(), 2u);
  }
}

TEST(OptimValues, LoadingWeightsCountsAsAChange) {
  Linear layer(2, 1);
  const Tensor y = layer(Tensor::from<float>({1, 2}, {1, 2}).set_requires_grad());
  layer.load_state_dict({{"weight", zeros({1, 2})}, {"bias", zeros({1})}});
  EXPECT_EQ(layer.weight.version(), 1u);
  EXPECT_THROW(y.backward(), Error);
}

// The gradient of a transposed use is not row-major; the step goes by elements, not by memory.
TEST(OptimValues, AStepTakesAGradientInAnyOrder) {
  Tensor p = Tensor::from<float>({2, 3}, {0, 0, 0, 0, 0, 0}).set_requires_grad();
  p.set_grad(Tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6}).transpose(0, 1));
  SGD sgd({p}, {.lr = 1});
  sgd.step();
  EXPECT_EQ(cells(p.detach()), (Cells{-1, -3, -5, -2, -4, -6}));
}

// ---- convolution with SAME padding ---------------------------------------------------------------------------------------------------

// y[i] = sum over k of w[k] x[i + k dilation - before], where x is 0 outside.
Cells same_convolution(const Cells& x, const Cells& w, int64_t dilation, int64_t before) {
  Cells y;
  const auto n = static_cast<int64_t>(x.size());
  for (int64_t i = 0; i < n; ++i) {
    double total = 0;
    for (int64_t k = 0; k < static_cast<int64_t>(w.size()); ++k) {
      const int64_t at = i + k * dilation - before;
      if (at >= 0 && at < n) total += w[static_cast<size_t>(k)] * x[static_cast<size_t>(at)];
    }
    y.push_back(total);
  }
  return y;
}

TEST(ConvValues, SamePaddingPutsTheOddCellAfterOrBefore) {
  const Cells x{1, 2, 4, 8, 16, 32}, w2{1, 100}, w4{1, 100, 10000, 1000000};
  const Tensor tx = Tensor::from<double>({1, 1, 6}, x).to(DType::f32);
  const Tensor t2 = Tensor::from<double>({1, 1, 2}, w2).to(DType::f32), t4 = Tensor::from<double>({1, 1, 4}, w4).to(DType::f32);
  // A window of 2 needs one cell, of 4 three, of 2 with dilation 3 three as well. SAME_UPPER puts the smaller half before.
  EXPECT_EQ(cells(conv1d(tx, t2, {}, {.padding = same})), same_convolution(x, w2, 1, 0));
  EXPECT_EQ(cells(conv1d(tx, t2, {}, {.padding = same_lower})), same_convolution(x, w2, 1, 1));
  EXPECT_EQ(cells(conv1d(tx, t4, {}, {.padding = same})), same_convolution(x, w4, 1, 1));
  EXPECT_EQ(cells(conv1d(tx, t4, {}, {.padding = same_lower})), same_convolution(x, w4, 1, 2));
  EXPECT_EQ(cells(conv1d(tx, t2, {}, {.padding = same, .dilation = 3})), same_convolution(x, w2, 3, 1));
  EXPECT_EQ(cells(conv1d(tx, t2, {}, {.padding = same_lower, .dilation = 3})), same_convolution(x, w2, 3, 2));
}

TEST(ConvValues, SamePaddingPerAxis) {
  const Tensor x = Tensor::from<float>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor w = Tensor::from<float>({1, 1, 1, 2}, {1, 10});
  EXPECT_EQ(cells(conv2d(x, w, {}, {.padding = same_lower})), (Cells{10, 21, 32, 40, 54, 65}));
  EXPECT_EQ(cells(conv2d(x, w, {}, {.padding = same})), (Cells{21, 32, 3, 54, 65, 6}));
  const Tensor tall = Tensor::from<float>({1, 1, 2, 1}, {1, 10});
  EXPECT_EQ(cells(conv2d(x, tall, {}, {.padding = same_lower})), (Cells{10, 20, 30, 41, 52, 63}));
}

// ---- batch normalisation -------------------------------------------------------------------------------------------------------------

TEST(BatchNormValues, EvalUsesTheStatisticsAndChangesNone) {
  BatchNorm2d norm(1, {.eps = 0, .momentum = 0.5});
  const Tensor x = Tensor::from<float>({1, 1, 1, 2}, {1, 5});  // mean 3, biased variance 4, unbiased 8
  EXPECT_EQ(cells(norm(x).detach()), (Cells{-1, 1}));
  EXPECT_EQ(norm.num_batches_tracked.item(), 1);
  EXPECT_EQ(norm.running_mean.item(), 1.5);  // 0.5 * 0 + 0.5 * 3
  EXPECT_EQ(norm.running_var.item(), 4.5);   // 0.5 * 1 + 0.5 * 8
  const uint64_t version = norm.num_batches_tracked.version();
  norm.eval();
  for (int i = 0; i < 3; ++i) {
    const Tensor y = norm(x);
    EXPECT_NEAR(y.item({0, 0, 0, 0}), (1 - 1.5) / std::sqrt(4.5), 1e-6);
    EXPECT_NEAR(y.item({0, 0, 0, 1}), (5 - 1.5) / std::sqrt(4.5), 1e-6);
  }
  EXPECT_EQ(norm.num_batches_tracked.item(), 1);
  EXPECT_EQ(norm.num_batches_tracked.version(), version);
  EXPECT_EQ(norm.running_mean.item(), 1.5);
  EXPECT_EQ(norm.running_var.item(), 4.5);
  norm.train();
  norm(x);
  EXPECT_EQ(norm.num_batches_tracked.item(), 2);
  EXPECT_GT(norm.num_batches_tracked.version(), version);
}

TEST(BatchNormValues, WithoutStatisticsEvalUsesTheBatch) {
  BatchNorm2d norm(1, {.eps = 0, .track_running_stats = false});
  const Tensor x = Tensor::from<float>({1, 1, 1, 2}, {1, 5});
  EXPECT_FALSE(norm.num_batches_tracked.defined());
  norm.eval();
  EXPECT_EQ(cells(norm(x).detach()), (Cells{-1, 1}));
}

// ---- errors of arguments that are given twice ----------------------------------------------------------------------------------------

TEST(LayerErrors, NameTheRankOfALayerWhoseSizeIsGivenTwice) {
  const auto twice = [](const std::string& layer, const char* option, const auto& call) {
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument, layer + ": " + option + " must be given once, got it twice", call));
  };
  twice("Conv1d", "kernel_size", [] { Conv1d(1, 1, 3, {.kernel_size = 3}); });
  twice("Conv2d", "kernel_size", [] { Conv2d(1, 1, 3, {.kernel_size = 3}); });
  twice("Conv3d", "kernel_size", [] { Conv3d(1, 1, 3, {.kernel_size = 3}); });
  twice("ConvTranspose2d", "kernel_size", [] { ConvTranspose2d(1, 1, 3, {.kernel_size = 3}); });
  twice("MaxPool1d", "kernel_size", [] { MaxPool1d(3, {.kernel_size = 3}); });
  twice("MaxPool2d", "kernel_size", [] { MaxPool2d(3, {.kernel_size = 3}); });
  twice("AvgPool3d", "kernel_size", [] { AvgPool3d(3, {.kernel_size = 3}); });
  twice("LPPool2d", "kernel_size", [] { LPPool2d(2, 3, {.kernel_size = 3}); });
  twice("AdaptiveMaxPool2d", "output_size", [] { AdaptiveMaxPool2d(3, {.output_size = 3}); });
  twice("FractionalMaxPool3d", "kernel_size", [] { FractionalMaxPool3d(3, {.kernel_size = 3}); });
  twice("MaxUnpool2d", "kernel_size", [] { MaxUnpool2d(3, {.kernel_size = 3}); });
}

}  // namespace
}  // namespace tidepool::nn
