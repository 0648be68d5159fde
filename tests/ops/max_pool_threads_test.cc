// The result of max pooling does not depend on the number of threads.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "support/compare.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/executor.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool {
namespace {

using test::same_bits;

class MaxPoolThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
    before_ = num_threads();
  }
  void TearDown() override {
    if (has_threads()) set_num_threads(before_);
  }

  int before_ = 1;
};

TEST_F(MaxPoolThreads, MayChangeBetweenForwardAndBackward) {
  const MaxPoolOptions<2> o{.kernel_size = 3, .stride = 1, .padding = 1};
  const Dims shape{4, 16, 40, 40};
  const Tensor x = randn(shape, 1), g = randn(shape, 2);
  set_num_threads(1);
  const Pooled serial = max_pool2d_with_indices(x, o);
  const Tensor grad = max_pool2d_backward(g, serial.indices, shape, o), twice = max_pool2d_double_backward(x, serial.indices, o);
  for (int forward : {1, 2, 3})
    for (int backward : {4, 2, 1}) {
      set_num_threads(forward);
      const Pooled p = max_pool2d_with_indices(x, o);
      set_num_threads(backward);
      EXPECT_TRUE(same_bits(serial.values, p.values));
      EXPECT_TRUE(same_bits(serial.indices, p.indices));
      EXPECT_TRUE(same_bits(grad, max_pool2d_backward(g, p.indices, shape, o)));
      EXPECT_TRUE(same_bits(twice, max_pool2d_double_backward(x, p.indices, o)));
    }
}

TEST_F(MaxPoolThreads, ImpossibleCountsAreRefusedAndChangeNothing) {
  set_num_threads(2);
  for (int threads : {0, -1, std::numeric_limits<int>::min()}) EXPECT_THROW(set_num_threads(threads), Error) << threads;
  EXPECT_EQ(num_threads(), 2);
  EXPECT_EQ(test::cells(max_pool1d(arange({1, 1, 4}), {.kernel_size = 2})), (test::Cells{1, 3}));
}

TEST_F(MaxPoolThreads, CallsFromManyThreadsAtOnce) {
  const MaxPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1};
  const Tensor x = randn({2, 8, 33, 33}, 5);
  const Tensor expected = max_pool2d(x, o);
  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < right.size(); ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) right[i] += static_cast<bool>(same_bits(expected, max_pool2d(x, o)));
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, std::vector<int>(4, 10));
}

}  // namespace
}  // namespace tidepool
