// Networks in the child of a process that has run them on several threads. OpenMP's threads do not exist in the child.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "support/forked.h"
#include "support/tensors.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

using test::works_in_child;

struct Network : Module {
  Conv2d& conv = add("conv", Conv2d(3, 16, 3, {.padding = 1}));
  BatchNorm2d& norm = add("norm", BatchNorm2d(16));
  MaxPool2d& pool = add("pool", MaxPool2d(2));
  Linear& fc = add("fc", Linear(16 * 16 * 16, 10));
  Tensor forward(const Tensor& x) override { return fc(flatten(pool(relu(norm(conv(x)))))); }
};

class NnFork : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::children_may_have_threads) GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
    if (!has_threads()) GTEST_SKIP() << "built without oneTBB: there is one thread only";
    set_num_threads(2);
    manual_seed(1);
    step(net);
  }
  void TearDown() override {
    if (has_threads()) set_num_threads(before_);
  }

  // Forward and backward on 4 * 16 * 32 * 32 activations, which is enough for several threads.
  static Tensor step(Network& net) {
    net.zero_grad();
    const Tensor y = net(randn({4, 3, 32, 32}, 2));
    sum(y * y).backward();
    return y.detach();
  }
  // Empty if a step gives the loss and the gradients `expected`, up to the rounding of sums in another order.
  static std::string differs(Network& net, const std::vector<Tensor>& expected) {
    const std::vector<Tensor> got = results(net);
    for (size_t i = 0; i < got.size(); ++i)
      if (!allclose(got[i], expected[i], {.rtol = 1e-3, .atol = 1e-3})) return "tensor " + std::to_string(i) + " differs";
    return "";
  }
  static std::vector<Tensor> results(Network& net) {
    std::vector<Tensor> all{step(net)};
    for (const Tensor& p : net.parameters()) all.push_back(p.grad());
    return all;
  }

  Network net;

 private:
  int before_ = num_threads();
};

TEST_F(NnFork, AChildTrains) {
  const std::vector<Tensor> expected = results(net);
  EXPECT_TRUE(works_in_child([&] { return differs(net, expected); }));
  EXPECT_EQ(differs(net, expected), "");  // the parent goes on
}

// OpenMP has a pool of threads for every thread that starts a parallel region, so a new thread of the child starts its own.
TEST_F(NnFork, ANewThreadOfTheChildTrains) {
  const std::vector<Tensor> expected = results(net);
  EXPECT_TRUE(works_in_child([&] {
    std::string wrong = "did not run";
    std::thread([&] { wrong = differs(net, expected); }).join();
    return wrong;
  }));
}

TEST_F(NnFork, AChildOfAChildTrains) {
  const std::vector<Tensor> expected = results(net);
  EXPECT_TRUE(works_in_child([&] {
    std::string wrong = differs(net, expected);
    if (wrong.empty() && !works_in_child([&] { return differs(net, expected); }, 40)) wrong = "the child's child failed";
    return wrong.empty() ? differs(net, expected) : wrong;  // the child is the parent now, and goes on
  }));
}

TEST_F(NnFork, AChildOfAnotherThreadTrains) {
  const std::vector<Tensor> expected = results(net);
  std::thread([&] {
    step(net);
    EXPECT_TRUE(works_in_child([&] { return differs(net, expected); }));
  }).join();
}

TEST_F(NnFork, AChildSetsItsNumberOfThreads) {
  const std::vector<Tensor> expected = results(net);
  EXPECT_TRUE(works_in_child([&] {
    set_num_threads(3);
    return differs(net, expected);
  }));
}

// Pooling with its own threads, and a graph that the parent recorded.
TEST_F(NnFork, AChildWalksTheParentsGraph) {
  Tensor x = randn({4, 16, 64, 64}, 3).set_requires_grad();
  const Tensor y = sum(max_pool2d(x, 2));
  EXPECT_TRUE(works_in_child([&] {
    y.backward();
    return sum(x.grad()).item() == 4 * 16 * 32 * 32 ? "" : "wrong gradient";
  }));
  EXPECT_FALSE(x.grad().defined());
}

// The running statistics of a layer have a lock. With many channels, last, and two values of each, threads hold it a good part of the time.
TEST_F(NnFork, AChildTrainsWhileOtherThreadsTrain) {
  BatchNorm2d norm(4096);
  const Tensor x = randn({1, 4096, 2, 1}, 5).clone(MemoryFormat::channels_last);
  const auto train = [&] {
    Tensor leaf = x.detach().set_requires_grad();
    sum(norm(leaf)).backward();
    return leaf.grad().defined() ? "" : "no gradient";
  };
  train();
  std::atomic<bool> stop = false;
  std::atomic<int> steps = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (; !stop; ++steps) i == 0 ? (void)train() : (void)norm(x);
    });
  while (steps < 100) std::this_thread::yield();  // oneDNN makes what it needs in the first steps, and has locks of its own
  for (int i = 0; i < 40; ++i) {
    const ::testing::AssertionResult worked = works_in_child(train, 20);
    EXPECT_TRUE(worked) << "child " << i;
    if (!worked) break;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace tidepool::nn
