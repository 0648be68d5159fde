// Update rules against numbers of PyTorch 2.13: p = [1, -2], loss = sum(p^3) for some steps.
#include "tidepool/nn/optim.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

using Make = std::function<std::unique_ptr<Optimizer>(const std::vector<Tensor>&)>;

Tensor start() { return Tensor::from<float>({2}, {1, -2}).set_requires_grad(); }

void take(Optimizer& optimizer, const Tensor& p, int steps) {
  for (int i = 0; i < steps; ++i) {
    optimizer.zero_grad();
    sum(p * p * p).backward();
    optimizer.step();
  }
}

void expect_after(const Make& make, int steps, double first, double second) {
  Tensor p = start();
  const auto optimizer = make({p});
  take(*optimizer, p, steps);
  EXPECT_NEAR(p.item({0}), first, 1e-6 * std::max(1.0, std::fabs(first)));
  EXPECT_NEAR(p.item({1}), second, 1e-6 * std::max(1.0, std::fabs(second)));
}

template <class O, class Options>
Make make(const Options& options) {
  return [options](const std::vector<Tensor>& p) { return std::make_unique<O>(p, options); };
}

TEST(Optim, MovesAsPyTorchDoes) {
  expect_after(make<SGD>(SGDOptions{.lr = 0.01}), 4, 0.8900391459465027, -2.581221342086792);
  expect_after(make<SGD>(SGDOptions{.lr = 0.01, .momentum = 0.9}), 4, 0.7514705061912537, -3.3229925632476807);
  expect_after(make<SGD>(SGDOptions{.lr = 0.01, .momentum = 0.9, .dampening = 0.1, .weight_decay = 0.1}), 4, 0.7578871846199036,
               -3.19989013671875);
  expect_after(make<SGD>(SGDOptions{.lr = 0.01, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true}), 4, 0.6883699893951416,
               -4.137377738952637);
  expect_after(make<Adam>(AdamOptions{.lr = 0.1}), 5, 0.5199625492095947, -2.5022199153900146);
  expect_after(make<Adam>(AdamOptions{.lr = 0.1, .beta1 = 0.8, .beta2 = 0.99, .weight_decay = 0.1}), 5, 0.5286847949028015,
               -2.50632905960083);
  expect_after(make<AdamW>(AdamWOptions{.lr = 0.1, .weight_decay = 0.1}), 5, 0.4836612045764923, -2.3941292762756348);
}

TEST(Optim, AParameterWithoutAGradientStays) {
  Tensor p = start(), q = start();
  Adam adam({p, q}, {});
  sum(p).backward();
  adam.step();
  EXPECT_EQ(to_string(q.detach()), "[ 1. -2.]");
}

TEST(Optim, ResumesBitForBit) {
  for (const Make& m : {make<SGD>(SGDOptions{.lr = 0.01, .momentum = 0.9}), make<AdamW>(AdamWOptions{.lr = 0.01, .weight_decay = 0.1})}) {
    Tensor whole = start();
    const auto one = m({whole});
    take(*one, whole, 6);

    Tensor half = start();
    const auto first = m({half});
    take(*first, half, 3);
    Tensor rest = half.detach().clone().set_requires_grad();
    const auto second = m({rest});
    second->load_state(first->state());
    take(*second, rest, 3);
    EXPECT_EQ(whole.item({0}), rest.item({0}));
    EXPECT_EQ(whole.item({1}), rest.item({1}));
  }
}

TEST(Optim, Schedules) {
  Tensor p = start();
  SGD sgd({p}, {.lr = 1});
  StepLR step(sgd, 2, 0.5);
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    rates.push_back(sgd.lr());
    step.step();
  }
  EXPECT_EQ(rates, (std::vector<double>{1, 1, 0.5, 0.5, 0.25}));
  SGD other({p}, {.lr = 1});
  CosineAnnealingLR cosine(other, 4, 0.2);
  cosine.step();
  EXPECT_NEAR(other.lr(), 0.8828427124746191, 1e-12);  // PyTorch's
  cosine.set_epoch(4);
  EXPECT_NEAR(other.lr(), 0.2, 1e-12);
}

TEST(Optim, ARefusedRateLeavesTheEpoch) {
  Tensor p = start();
  SGD sgd({p}, {.lr = 1});
  StepLR step(sgd, 1, -1);
  EXPECT_THROW(step.step(), Error);
  EXPECT_EQ(step.epoch(), 0);
  EXPECT_EQ(sgd.lr(), 1);
}

}  // namespace
}  // namespace tidepool::nn
