#include "tidepool/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

// Restores the number of threads after every test.
class ExecutorTest : public ::testing::Test {
 protected:
  void TearDown() override { set_num_threads(before_); }

 private:
  int before_ = num_threads();
};

std::vector<std::unique_ptr<Executor>> some_executors() {
  std::vector<std::unique_ptr<Executor>> executors;
  for (int threads : has_threads() ? std::vector<int>{1, 2, 3, 8} : std::vector<int>{1}) executors.push_back(make_executor(threads));
  return executors;
}

TEST_F(ExecutorTest, RangesCoverEverythingOnceAndRespectTheGrain) {
  for (const auto& executor : some_executors()) {
    for (int64_t n : {1, 2, 7, 100, 1000, 4097}) {
      for (int64_t grain : {-3, 0, 1, 3, 64, 999, 5000}) {
        std::mutex mutex;
        std::vector<std::pair<int64_t, int64_t>> ranges;
        executor->parallel_for(n, grain, [&](int64_t begin, int64_t end) {
          const std::lock_guard lock(mutex);
          ranges.emplace_back(begin, end);
        });
        std::sort(ranges.begin(), ranges.end());
        int64_t at = 0;
        for (const auto& [begin, end] : ranges) {
          ASSERT_EQ(begin, at);
          ASSERT_LT(begin, end);
          ASSERT_TRUE(end == n || end - begin >= grain) << begin << " to " << end;
          at = end;
        }
        ASSERT_EQ(at, n) << "grain " << grain << " threads " << executor->concurrency();
      }
    }
  }
}

TEST_F(ExecutorTest, NothingToDoCallsNothing) {
  for (const auto& executor : some_executors()) {
    for (int64_t n : {int64_t{0}, int64_t{-5}, std::numeric_limits<int64_t>::min()})
      executor->parallel_for(n, 1, [](int64_t, int64_t) { FAIL() << "called"; });
  }
  serial_executor().parallel_for(0, 1, [](int64_t, int64_t) { FAIL() << "called"; });
}

TEST_F(ExecutorTest, HugeCountsDoNotOverflow) {
  constexpr int64_t n = std::numeric_limits<int64_t>::max();
  for (const auto& executor : some_executors()) {
    std::atomic<uint64_t> sum = 0;
    executor->parallel_for(n, 1, [&](int64_t begin, int64_t end) { sum += static_cast<uint64_t>(end - begin); });
    EXPECT_EQ(sum, static_cast<uint64_t>(n));
  }
}

TEST_F(ExecutorTest, SerialStaysOnTheCallingThread) {
  const auto one = make_executor(1);
  for (Executor* executor : {&serial_executor(), one.get()}) {
    EXPECT_EQ(executor->concurrency(), 1);
    executor->parallel_for(100, 1,
                           [caller = std::this_thread::get_id()](int64_t, int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  }
}

TEST_F(ExecutorTest, SeveralThreadsTakePart) {
  if (!has_threads() || std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one thread only";
  const auto executor = make_executor(2);
  // Each piece waits until a second one is running. If pieces ran one after another, the first would time out and the test would fail.
  std::atomic<int> inside = 0;
  std::atomic<bool> met = false;
  executor->parallel_for(2, 1, [&](int64_t, int64_t) {
    ++inside;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (inside < 2 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
    if (inside == 2) met = true;
  });
  EXPECT_TRUE(met);
}

TEST_F(ExecutorTest, ExceptionsReachTheCaller) {
  for (const auto& executor : some_executors())
    EXPECT_THROW(executor->parallel_for(100, 1, [](int64_t, int64_t) { throw std::runtime_error("stop"); }), std::runtime_error);
}

TEST_F(ExecutorTest, CallsMayNest) {
  for (const auto& executor : some_executors()) {
    std::atomic<int64_t> cells = 0;
    executor->parallel_for(10, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) executor->parallel_for(20, 1, [&](int64_t from, int64_t to) { cells += to - from; });
    });
    EXPECT_EQ(cells, 200);
  }
}

TEST_F(ExecutorTest, RefusesThreadCountsThatMakeNoSense) {
  for (int threads : {0, -1, std::numeric_limits<int>::min(), 1025, std::numeric_limits<int>::max()}) {
    const std::string rule = ": threads must be in [1, 1024], got " + std::to_string(threads);
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "make_executor" + rule, [&] { make_executor(threads); }));
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "set_num_threads" + rule, [&] { set_num_threads(threads); }));
  }
  if (!has_threads()) {
    EXPECT_TRUE(
        refuses(ErrorCode::unsupported, "make_executor: threads must be 1 in a build without oneTBB, got 2", [] { make_executor(2); }));
    EXPECT_EQ(num_threads(), 1);
  }
}

TEST_F(ExecutorTest, ARefusedCountChangesNothing) {
  set_num_threads(1);
  EXPECT_THROW(set_num_threads(0), Error);
  EXPECT_EQ(num_threads(), 1);
}

TEST_F(ExecutorTest, TheDefaultFollowsSetNumThreads) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  EXPECT_EQ(default_executor().concurrency(), 3);
  Executor& three = default_executor();
  set_num_threads(1);
  EXPECT_EQ(num_threads(), 1);
  // A caller may still hold the old executor.
  std::atomic<int64_t> cells = 0;
  three.parallel_for(50, 1, [&](int64_t begin, int64_t end) { cells += end - begin; });
  EXPECT_EQ(cells, 50);
  set_num_threads(3);
  EXPECT_EQ(&default_executor(), &three);
}

TEST_F(ExecutorTest, ThreadsMayRunAndSetAtTheSameTime) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  std::atomic<int64_t> cells = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 100; ++round) {
        if (round % 3 == caller) set_num_threads(1 + round % 4);
        default_executor().parallel_for(64, 4, [&](int64_t begin, int64_t end) { cells += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(cells, 3 * 100 * 64);
}

}  // namespace
}  // namespace tidepool
