// Objects that are shared by threads, and destroyed on another thread than the one that made them.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

void on_threads(int count, const std::function<void(int)>& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(f, i);
  for (std::thread& t : threads) t.join();
}

// Every thread drops its copy in the middle of the others' runs; the last one to end destroys the plan.
TEST(SharedObjects, APlanLivesAsLongAsItsLastCopy) {
  const Tensor x = rand({1, 4, 64, 64}, 1);
  const Tensor expected = max_pool2d(x, {.kernel_size = 9, .stride = 1, .padding = 4});
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 20; ++round) {
    std::optional<Plan> made = make_plan(parse("max2d fwd f32 nchw 1x4x64x64 k9 s1 p4"));
    std::atomic<int> copied = 0;
    std::thread dropper([&] {
      while (copied < 4) std::this_thread::yield();
      made.reset();
    });
    on_threads(4, [&](int i) {
      std::optional<Plan> own = *made;
      ++copied;
      for (int k = 0; k <= i; ++k) {
        Tensor y(x.shape());
        own->run(x, y.span(), serial_executor());
        wrong += equal(y, expected) ? 0 : 1;
      }
      own.reset();
    });
    dropper.join();
  }
  EXPECT_EQ(wrong, 0);
}

// Results, graphs and cached plans of a thread that has ended.
TEST(SharedObjects, ATensorOutlivesItsThread) {
  std::optional<Tensor> loss;
  Tensor x = ones({1, 1, 8, 8}).set_requires_grad();
  std::thread([&] { loss = sum(max_pool2d(avg_pool2d(x, 2), 2)); }).join();
  EXPECT_EQ(loss->item(), 4);
  std::thread([&] { loss->backward(); }).join();
  EXPECT_EQ(sum(x.grad()).item(), 4);
  std::thread([&] { loss.reset(); }).join();
  Tensor moved;
  std::thread([&] { moved = std::move(x); }).join();
  EXPECT_FALSE(x.defined());  // NOLINT(bugprone-use-after-move): this is the test
  EXPECT_EQ(sum(moved.grad()).item(), 4);
}

// A long graph is destroyed without recursion, on whichever thread drops it last.
TEST(SharedObjects, AGraphIsDestroyedOnAnotherThread) {
  Tensor y = ones({2}).set_requires_grad();
  for (int i = 0; i < 20000; ++i) y = y + 1.0;
  EXPECT_EQ(y.item({0}), 20001);
  std::thread([taken = std::move(y)]() mutable { taken = Tensor(); }).join();
  EXPECT_FALSE(y.defined());  // NOLINT(bugprone-use-after-move)
}

TEST(SharedObjects, ExecutorsAreUsedByManyThreads) {
  const Tensor x = rand({2, 8, 96, 96}, 3);
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 2x8x96x96 k15 s1 p7"));
  Tensor expected(x.shape());
  plan.run(x, expected.span(), serial_executor());
  const std::unique_ptr<Executor> shared = make_executor(has_threads() ? 3 : 1);
  std::atomic<int> wrong = 0;
  on_threads(6, [&](int) {
    for (int k = 0; k < 10; ++k) {
      Tensor y(x.shape());
      plan.run(x, y.span(), *shared);
      wrong += equal(y, expected) ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tidepool
