// Every allocation of a step of training fails in turn. Afterwards the step was made, or nothing has changed: a program that frees memory
// and tries again gets the same weights.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>

#include "hostile/failing_new.h"
#include "support/compare.h"
#include "tidepool/nn.h"

namespace tidepool::test {
namespace {

// What a step may change. The gradients of the parameters are not contiguous, so that optimisers copy them.
struct Training {
  Tensor first = rand({2, 3}, 1).set_requires_grad(), second = rand({4, 5}, 2).set_requires_grad();
  std::unique_ptr<nn::Optimizer> optimizer;

  explicit Training(const std::function<std::unique_ptr<nn::Optimizer>(std::vector<Tensor>)>& make) : optimizer(make({first, second})) {
    first.set_grad(rand({3, 2}, 3).transpose(0, 1));
    second.set_grad(rand({5, 4}, 4).transpose(0, 1));
  }
  nn::StateDict state() const {
    nn::StateDict result = optimizer->state();
    result.emplace_back("first", first.detach());
    result.emplace_back("second", second.detach());
    for (auto& entry : result) entry.second = entry.second.clone();
    return result;
  }
};

bool same(const nn::StateDict& a, const nn::StateDict& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].first != b[i].first || !same_bits(a[i].second, b[i].second)) return false;
  return true;
}

const std::vector<std::function<std::unique_ptr<nn::Optimizer>(std::vector<Tensor>)>> optimizers = {
    [](std::vector<Tensor> p) { return std::make_unique<nn::SGD>(std::move(p), nn::SGDOptions{.lr = 0.1}); },
    [](std::vector<Tensor> p) {
      return std::make_unique<nn::SGD>(std::move(p), nn::SGDOptions{.lr = 0.1, .momentum = 0.9, .dampening = 0.5});
    },
    [](std::vector<Tensor> p) { return std::make_unique<nn::Adam>(std::move(p), nn::AdamOptions{.lr = 0.1}); },
    [](std::vector<Tensor> p) { return std::make_unique<nn::AdamW>(std::move(p), nn::AdamWOptions{.lr = 0.1}); },
};

class HostileMemoryOfTraining : public testing::Test {
 protected:
  void SetUp() override { set_num_threads(1); }
};

TEST_F(HostileMemoryOfTraining, AStepIsMadeWhollyOrNotAtAll) {
  for (size_t which = 0; which < optimizers.size(); ++which)
    for (int steps_before = 0; steps_before < 2; ++steps_before) {
      Training expected(optimizers[which]);
      for (int i = 0; i <= steps_before; ++i) expected.optimizer->step();
      for (int64_t n = 0;; ++n) {
        ASSERT_LT(n, 100);
        Training training(optimizers[which]);
        for (int i = 0; i < steps_before; ++i) training.optimizer->step();
        const nn::StateDict before = training.state();
        const bool ended = completes_with_failure(n, [&] { training.optimizer->step(); });
        ASSERT_TRUE(same(training.state(), ended ? expected.state() : before)) << "optimiser " << which << ", allocation " << n;
        if (!ended) training.optimizer->step();
        ASSERT_TRUE(same(training.state(), expected.state())) << "optimiser " << which << ", after allocation " << n;
        if (ended) break;
      }
    }
}

TEST_F(HostileMemoryOfTraining, AStateIsLoadedWhollyOrNotAtAll) {
  for (size_t which = 0; which < optimizers.size(); ++which) {
    Training from(optimizers[which]);
    from.optimizer->step();
    const nn::StateDict state = from.optimizer->state();
    for (int64_t n = 0;; ++n) {
      ASSERT_LT(n, 200);
      Training training(optimizers[which]);
      const nn::StateDict before = training.optimizer->state();
      const bool ended = completes_with_failure(n, [&] { training.optimizer->load_state(state); });
      ASSERT_TRUE(same(training.optimizer->state(), ended ? state : before)) << "optimiser " << which << ", allocation " << n;
      if (ended) break;
    }
  }
}

// Other dtypes are converted, and values that lie in the module's own memory are moved out of the way.
TEST_F(HostileMemoryOfTraining, WeightsAreLoadedWhollyOrNotAtAll) {
  nn::StateDict other_dtype;
  for (const auto& [name, value] : nn::Sequential{nn::Linear(3, 3), nn::Linear(3, 3)}.state_dict())
    other_dtype.emplace_back(name, value.to(DType::f64));
  for (const bool own_memory : {false, true}) {
    int64_t failures = 0;
    for (int64_t n = 0;; ++n) {
      ASSERT_LT(n, 200);
      nn::Sequential net{nn::Linear(3, 3), nn::Linear(3, 3)};
      nn::StateDict before, values = own_memory ? net.state_dict() : other_dtype;
      for (const auto& [name, value] : net.state_dict()) before.emplace_back(name, value.clone());
      nn::StateDict wanted;
      if (own_memory)
        for (auto& [name, value] : values)
          if (value.rank() == 2) value = value.transpose(0, 1);
      for (const auto& [name, value] : values) wanted.emplace_back(name, value.to(DType::f32).clone());
      const bool ended = completes_with_failure(n, [&] { net.load_state_dict(values); });
      ASSERT_TRUE(same(net.state_dict(), ended ? wanted : before)) << "allocation " << n << ", own memory " << own_memory;
      if (ended) break;
      ++failures;
    }
    EXPECT_GT(failures, 4) << own_memory;
  }
}

// The next layer would be called "2" otherwise.
TEST_F(HostileMemoryOfTraining, ALayerIsAppendedWhollyOrNotAtAll) {
  for (int64_t n = 0;; ++n) {
    ASSERT_LT(n, 200);
    nn::Sequential net{nn::ReLU()};
    if (completes_with_failure(n, [&] { net.append(nn::ReLU()); })) break;
    EXPECT_EQ(net.children().size(), 1U);
    net.append(nn::ReLU());
    EXPECT_EQ(net.children().back().first, "1") << "allocation " << n;
  }
}

}  // namespace
}  // namespace tidepool::test
