// Signals that interrupt a run. tests/io and tests/cli interrupt the reading of files and pipes.
#include <gtest/gtest.h>

#include <thread>

#include "support/signal_storm.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using test::SignalStorm;

TEST(Signals, InterruptRunsWithoutEffect) {
  const Tensor x = rand({2, 8, 128, 128}, 1);
  const Tensor expected = max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7});
  Tensor leaf = x.clone().set_requires_grad();
  sum(avg_pool2d(leaf, 3)).backward();
  const Tensor gradient = leaf.grad().clone();
  const SignalStorm storm;
  while (storm.interrupted() < 200) {
    ASSERT_TRUE(equal(max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7}), expected));
    leaf.zero_grad();
    sum(avg_pool2d(leaf, 3)).backward();
    ASSERT_TRUE(equal(leaf.grad(), gradient));
  }
}

// A thread that is interrupted in the middle of its first use makes its thread-local objects once.
TEST(Signals, InterruptTheFirstUseOnAThread) {
  const SignalStorm storm;
  for (int i = 0; i < 20; ++i)
    std::thread([] {
      EXPECT_EQ(max_pool2d(ones({1, 1, 48, 48}), {.kernel_size = 15, .stride = 1, .padding = 7}).item({0, 0, 0, 0}), 1);
    }).join();
}

}  // namespace
}  // namespace tidepool
