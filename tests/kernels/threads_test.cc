// The same bits for any number of threads and any executor.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "support/compare.h"
#include "support/executors.h"
#include "support/kernel_runs.h"
#include "support/problem_lists.h"
#include "support/random_problem.h"
#include "support/share.h"

namespace tidepool {
namespace {

constexpr uint64_t random_problems = 300;

// Runs every kernel that fits with each of the executors.
void expect_equal_for(std::span<Executor* const> executors, const Problem& problem, uint64_t seed) {
  test::Rng data(seed), places(seed);
  const test::Job job = test::make_job(problem, data, test::random_placements(places));
  for (Executor* executor : executors)
    ASSERT_TRUE(test::every_kernel_right(job, *executor, seed)) << "concurrency " << executor->concurrency();
}

void expect_equal_for(Executor& executor, const Problem& problem, uint64_t seed) {
  Executor* const one[] = {&executor};
  expect_equal_for(one, problem, seed);
}

TEST(KernelThreads, AnyNumberOfThreadsGivesTheBitsOfTheReference) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  const std::unique_ptr<Executor> two = make_executor(2), three = make_executor(3), four = make_executor(4);
  Executor* const executors[] = {two.get(), three.get(), four.get()};
  for (const char* text : test::large_problems) ASSERT_NO_FATAL_FAILURE(expect_equal_for(executors, parse(text), 2));
  for (const char* text : test::one_image_problems) ASSERT_NO_FATAL_FAILURE(expect_equal_for(executors, parse(text), 3));
}

TEST(KernelThreads, SmallRandomProblemsOnFourThreads) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  const std::unique_ptr<Executor> executor = make_executor(4);
  for (uint64_t seed = 200'000; seed < 200'000 + test::share_of(random_problems); ++seed) {
    test::Rng rng(seed);
    ASSERT_NO_FATAL_FAILURE(expect_equal_for(*executor, test::random_problem(rng), seed));
  }
}

TEST(KernelThreads, PiecesInReverseOrderOrShuffledOnThreadsOfTheCaller) {
  test::ReverseExecutor reverse;
  test::ShuffledThreads two(2, 11), five(5, 12);
  Executor* const executors[] = {&reverse, &two, &five};
  for (const char* text : test::large_problems) ASSERT_NO_FATAL_FAILURE(expect_equal_for(executors, parse(text), 7));
}

TEST(KernelThreads, SmallRandomProblemsInReverseOrder) {
  test::ReverseExecutor executor;
  for (uint64_t seed = 300'000; seed < 300'000 + test::share_of(random_problems); ++seed) {
    test::Rng rng(seed);
    ASSERT_NO_FATAL_FAILURE(expect_equal_for(executor, test::random_problem(rng), seed));
  }
}

// One plan, many threads at once, each with arrays of its own.
TEST(KernelThreads, OnePlanSharedByManyThreads) {
  for (const char* text : {"max2d fwd f32 nchw 2x8x56x56 k3 s2 p1 idx=plane", "max2d bwd f32 nchw 2x8x56x56 k3 s2 p1",
                           "max2d fwd f32 nchw 1x4x64x64 k15 s1 p7", "avg2d fwd f32 nchw 2x8x40x40 k11 s1 p5",
                           "avg2d bwd f32 nhwc 2x16x32x32 k3 s2 p1", "lp2d fwd f32 nhwc 2x16x32x32 k3 s2 p=2",
                           "unpool2d fwd f32 nchw 2x8x28x28 k2 idx=plane", "max2d fwd f32 nchw 2x8x40x40 k3 out=17 idx=plane"}) {
    const Plan plan = make_plan(parse(text));
    std::vector<test::Job> jobs;
    for (uint64_t i = 0; i < 4; ++i) {
      test::Rng data(i);
      jobs.push_back(test::make_job(plan.problem(), data));
    }
    std::vector<std::thread> threads;
    std::vector<int> right(jobs.size(), 0);
    for (size_t i = 0; i < jobs.size(); ++i)
      threads.emplace_back([&, i] {
        int good = 0;
        for (int round = 0; round < 5; ++round) good += static_cast<bool>(test::runs_right(plan, jobs[i], serial_executor(), i));
        right[i] = good;
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(right, std::vector<int>(jobs.size(), 5)) << text;
  }
}

}  // namespace
}  // namespace tidepool
