// The library's functions inside tasks of the library's own executor. A thread that waits for the parts of a large function must not begin
// another task, which would see the settings of the first one, and wait forever for a lock that the first one holds.
#include <gtest/gtest.h>

#ifdef TIDEPOOL_HAS_TBB
#include <tbb/global_control.h>
#endif

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

constexpr int threads = 7;  // no other test has made an executor of as many, which would have fewer on a small machine
constexpr int64_t tasks = 64;
constexpr int64_t large = 100000;  // elements, so that elementwise functions are split

class OuterTasks : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_threads()) GTEST_SKIP() << "built without oneTBB: there is one thread only";
    set_num_threads(threads);
  }
  void TearDown() override {
    if (has_threads()) set_num_threads(before_);
  }

 private:
#ifdef TIDEPOOL_HAS_TBB
  // oneTBB starts one thread per core. A thread waits for a part of its own while others have tasks to give away only if there are three.
  tbb::global_control allowed_{tbb::global_control::max_allowed_parallelism, threads};
#endif
  int before_ = num_threads();
};

void each_task(const std::function<void(int64_t)>& task) {
  default_executor().parallel_for(tasks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) task(i);
  });
}

// Parts of a task that other threads take, because they sleep. The thread of the task has to wait for them.
void slow_parts() {
  default_executor().parallel_for(2 * threads, 1, [](int64_t, int64_t) { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
}

// backward() switches recording off on its thread.
TEST_F(OuterTasks, AreRecordedWhileOthersRunBackward) {
  std::atomic<int> unrecorded = 0, wrong = 0;
  for (int round = 0; round < 5; ++round) {
    each_task([&](int64_t i) {
      Tensor x = full({large}, static_cast<double>(i)).set_requires_grad();
      const Tensor slow = record("slow", {x}, x.detach(), [](const Tensor& g) {
        slow_parts();
        return Gradients{g};
      });
      const Tensor y = sum(x * slow + x);
      if (!y.requires_grad()) {
        ++unrecorded;
        return;
      }
      y.backward();
      wrong += x.grad().item({large - 1}) == static_cast<double>(2 * i + 1) ? 0 : 1;
    });
  }
  EXPECT_EQ(unrecorded, 0);
  EXPECT_EQ(wrong, 0);
}

// A lock that a task holds while it calls the library would be taken twice by one thread.
TEST_F(OuterTasks, DoNotBeginInsideOneAnother) {
  thread_local bool inside = false;
  std::atomic<int> nested = 0;
  for (int round = 0; round < 5; ++round) {
    each_task([&](int64_t) {
      if (inside) {
        ++nested;
        return;
      }
      inside = true;
      slow_parts();
      inside = false;
    });
  }
  EXPECT_EQ(nested, 0);
}

// The settings are those of the thread that started the tasks, whichever thread runs them.
TEST_F(OuterTasks, SeeTheSettingsOfTheirCaller) {
  const std::string other = targets().back().name;
  ASSERT_TRUE(targets().back().supported);
  std::atomic<int> recording = 0, elsewhere = 0;
  const auto look = [&](int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that other threads take tasks too
    recording += grad_enabled() ? 1 : 0;
    elsewhere += current_target() == other ? 0 : 1;
    const EnableGrad left_behind_if_not_restored;
  };
  {
    const NoGrad no_grad;
    const ScopedTarget scope(other);
    each_task(look);
  }
  EXPECT_EQ(recording, 0);
  EXPECT_EQ(elsewhere, 0);
  each_task(look);
  EXPECT_EQ(recording, tasks);
  EXPECT_EQ(elsewhere, current_target() == other ? 0 : tasks);
}

// A rule may split its own work; the message of a part that fails names the rule.
TEST_F(OuterTasks, PartsOfARuleNameTheRule) {
  Tensor x = ones({4}).set_requires_grad();
  Tensor changed = ones({4});
  const Saved kept(changed);
  changed.mark_changed();
  const Tensor y = record("split", {x}, x.detach(), [&](const Tensor& g) {
    each_task([&](int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      (void)kept.get();
    });
    return Gradients{g};
  });
  for (int round = 0; round < 20; ++round) {
    try {
      sum(y).backward(full({}, 1), /*retain_graph=*/true);
      FAIL() << "kept was changed";
    } catch (const Error& e) {
      ASSERT_EQ(std::string(e.what()).find("split backward:"), 0U) << e.what();
    }
  }
}

}  // namespace
}  // namespace tidepool
