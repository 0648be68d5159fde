// Layers under different numbers of threads.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "support/compare.h"
#include "support/tensors.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

class NnThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_threads()) GTEST_SKIP() << "built without oneTBB: there is one thread only";
  }
  void TearDown() override {
    if (has_threads()) set_num_threads(before_);
  }

 private:
  int before_ = num_threads();
};

// The result of a convolution, a pooling and a linear layer with `threads` threads, and all gradients.
std::vector<Tensor> forward_and_backward(int threads) {
  set_num_threads(threads);
  Tensor x = randn({4, 16, 32, 32}, 1), kernel = randn({16, 16, 3, 3}, 2), bias = randn({16}, 3), weight = randn({10, 4096}, 4);
  for (Tensor* t : {&x, &kernel, &bias, &weight}) t->set_requires_grad();
  const Tensor convolved = conv2d(x, kernel, bias, {.padding = 1}), pooled = max_pool2d(convolved, {.kernel_size = 2});
  const Tensor y = linear(flatten(pooled), weight);
  y.backward(randn({4, 10}, 5));
  return {convolved.detach(), pooled.detach(), y.detach(), x.grad(), kernel.grad(), bias.grad(), weight.grad()};
}

TEST_F(NnThreads, TheSameNumberOfThreadsGivesTheSameBits) {
  for (int threads : {1, 2}) {
    const std::vector<Tensor> first = forward_and_backward(threads);
    forward_and_backward(3 - threads);
    const std::vector<Tensor> again = forward_and_backward(threads);
    for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(test::same_bits(first[i], again[i])) << threads << " threads, tensor " << i;
  }
}

// oneDNN may add in another order with another number of threads.
TEST_F(NnThreads, AnotherNumberOfThreadsGivesTheSameNumbersUpToRounding) {
  const std::vector<Tensor> one = forward_and_backward(1), two = forward_and_backward(2);
  for (size_t i = 0; i < one.size(); ++i) {
    const std::vector<double> a = test::cells(one[i]), b = test::cells(two[i]);
    ASSERT_EQ(a.size(), b.size());
    double difference = 0, size = 0;
    for (size_t k = 0; k < a.size(); ++k) {
      difference += (a[k] - b[k]) * (a[k] - b[k]);
      size += a[k] * a[k];
    }
    ASSERT_GT(size, 0) << "tensor " << i;
    EXPECT_LT(std::sqrt(difference / size), 1e-6) << "tensor " << i;
  }
}

// Integers from -4 to 4.
Tensor whole_numbers(int seed) {
  Tensor x = randn({2, 1, 6, 6}, static_cast<uint64_t>(seed));
  for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] = std::round(std::clamp(2 * x.data<float>()[i], -4.0F, 4.0F));
  return x;
}

// The weights and inputs are small integers, so that every sum is exact, in any order.
struct Shared : Module {
  Conv2d& conv = add("conv", Conv2d(1, 2, 3));
  MaxPool2d& pool = add("pool", MaxPool2d(2));
  Linear& fc = add("fc", Linear(8, 3));
  Shared() {
    const NoGrad no_grad;
    for (Tensor& p : parameters())
      for (int64_t i = 0; i < p.numel(); ++i) p.data<float>()[i] = static_cast<float>(i % 5 - 2);
  }
  Tensor forward(const Tensor& x) override { return fc(flatten(pool(relu(conv(x))))); }
};

TEST_F(NnThreads, TheGradientsOfAllThreadsArriveAtASharedModule) {
  constexpr int threads = 4, calls = 25;
  Shared shared, alone;
  const auto train = [](Shared& net, int i) { sum(net(whole_numbers(i))).backward(); };
  for (int i = 0; i < threads * calls; ++i) train(alone, i);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (int i = 0; i < calls; ++i) train(shared, t * calls + i);
    });
  for (std::thread& worker : workers) worker.join();
  const std::vector<Tensor> expected = alone.parameters(), got = shared.parameters();
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(test::same_bits(expected[i].grad(), got[i].grad())) << "parameter " << i;
    EXPECT_FALSE(equal(got[i].grad(), zeros(got[i].shape()))) << "parameter " << i;
  }
}

TEST_F(NnThreads, RunningStatisticsCountTheBatchesOfAllThreads) {
  constexpr int threads = 4, calls = 100;
  BatchNorm2d norm(1, {.momentum = 0.5});
  const Tensor x = Tensor::from<float>({1, 1, 1, 2}, {1, 3});  // mean 2, unbiased variance 2
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      for (int i = 0; i < calls; ++i) norm(x);
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(norm.num_batches_tracked.item(), threads * calls);
  EXPECT_EQ(norm.running_mean.item(), 2);
  EXPECT_EQ(norm.running_var.item(), 2);
}

using GetMaxThreads = int (*)();

// The setting of the OpenMP library that oneDNN was built with. It is not linked but looked up, because oneDNN may use another runtime.
GetMaxThreads openmp_max_threads() { return reinterpret_cast<GetMaxThreads>(dlsym(RTLD_DEFAULT, "omp_get_max_threads")); }

TEST_F(NnThreads, OneDnnGetsAsManyThreadsAsWeHave) {
  const GetMaxThreads max_threads = openmp_max_threads();
  if (max_threads == nullptr) GTEST_SKIP() << "this oneDNN does not use OpenMP: no symbol omp_get_max_threads";
  const Tensor x = randn({4, 16, 32, 32}, 1), kernel = randn({16, 16, 3, 3}, 2);
  for (int threads : {1, 2, 1}) {
    set_num_threads(threads);
    conv2d(x, kernel, {}, {.padding = 1});
    EXPECT_EQ(max_threads(), threads);
  }
}

TEST_F(NnThreads, SmallProblemsUseOneThread) {
  const GetMaxThreads max_threads = openmp_max_threads();
  if (max_threads == nullptr) GTEST_SKIP() << "this oneDNN does not use OpenMP: no symbol omp_get_max_threads";
  set_num_threads(2);
  conv2d(randn({4, 16, 32, 32}, 1), randn({16, 16, 3, 3}, 2), {}, {.padding = 1});
  ASSERT_EQ(max_threads(), 2);
  conv2d(randn({1, 1, 4, 4}, 1), randn({1, 1, 3, 3}, 2));
  EXPECT_EQ(max_threads(), 1);
}

}  // namespace
}  // namespace tidepool::nn
