// Gradients and graphs in the children of a process whose other threads use the same ones. A child that waits for a lock which no thread of
// its process will ever release is ended, and the test fails. programs/fork_in_a_run.cc is the same for poolings.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "autograd/node.h"
#include "support/forked.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using test::works_in_child;

// Calls `use` on two threads all the time, and in 40 children.
void expect_works_in_children(const std::function<void()>& use) {
  if (!test::children_may_have_threads) GTEST_SKIP() << "ThreadSanitizer does not follow a fork of a process with threads";
  use();
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      while (!stop) use();
    });
  for (int i = 0; i < 40; ++i) {
    const ::testing::AssertionResult worked = works_in_child(
        [&] {
          for (int k = 0; k < 20; ++k) use();
          return std::string();
        },
        10);
    EXPECT_TRUE(worked) << "child " << i;
    if (!worked) break;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST(Fork, WhileOthersReadAGradient) {
  Tensor x = ones({4}).set_requires_grad();
  sum(x).backward();
  expect_works_in_children([&] { EXPECT_TRUE(x.grad().defined()); });
}

TEST(Fork, WhileOthersAskANodeForItsRule) {
  const Tensor y = sum(ones({4}).set_requires_grad());
  const std::shared_ptr<detail::Node> node = y.grad_state()->node;
  expect_works_in_children([&] { EXPECT_NE(node->rule(), nullptr); });
}

TEST(Fork, WhileOthersWalkTheSameGraph) {
  Tensor x = ones({1, 1, 4, 4}).set_requires_grad();
  const Tensor y = sum(max_pool2d(x, 2));
  expect_works_in_children([&] {
    y.backward({}, true);
    EXPECT_TRUE(x.grad().defined());
  });
}

}  // namespace
}  // namespace tidepool
