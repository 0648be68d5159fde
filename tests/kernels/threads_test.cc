// The same bits for any number of threads, any executor and any target.
#include <gtest/gtest.h>

#include <thread>

#include "support/compare.h"
#include "support/executors.h"
#include "support/random_problem.h"
#include "support/targets.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

constexpr uint64_t random_problems = 300;

// Work enough for several pieces.
const char* const large[] = {"max2d fwd f32 nchw 4x16x56x56 k3 s2 p1",
                             "max2d fwd f32 nhwc 4x16x56x56 k3 s2 p1",
                             "max2d fwd f32 nchw 1x1x300x300 k2 s2",
                             "max2d fwd f64 nchw 2x8x64x64 k17 s1 p8",
                             "max2d fwd u8 nchw 2x8x128x128 k3 s1 p1",
                             "max2d fwd f16 nhwc 2x40x33x33 k3 s2 idx=plane",
                             "max3d fwd f32 ncdhw 1x4x20x20x20 k3 s1 p1",
                             "min1d fwd i32 ncl 3x5x10000 k5 s3 idx=window",
                             "max2d fwd f32 strided 2x8x64x64 k3 s2 p1 idx=tensor",
                             "max2d bwd f32 nchw 4x16x56x56 k3 s2 p1",
                             "max2d bwd f32 nhwc 4x16x56x56 k3 s1 p1",
                             "max2d bwd bf16 nchw 2x8x64x64 k5 s1 p2 idx=window",
                             "max3d bwd f64 ndhwc 1x4x20x20x20 k3 s1 p1",
                             "max2d bwd f32 nchw 1x1x256x256 k3 s1 p1",
                             "max2d bwd2 f32 nchw 4x16x56x56 k3 s2 p1",
                             "max2d bwd2 f16 nhwc 4x16x56x56 k3 s2 idx=window"};

// One image that has little to share out but its channels.
const char* const one_image[] = {"avg2d fwd f32 nhwc 1x128x64x64 out=1", "max2d fwd f32 nhwc 1x192x48x64 out=1 idx=tensor",
                                 "max2d fwd u8 nhwc 1x256x64x64 out=2x1 idx=window", "lp2d fwd f64 nhwc 1x64x64x64 out=1 p=2"};

void expect_equal_for(Executor& executor, const Problem& problem, uint64_t seed) {
  for (std::string_view kernel : kernel_names(problem)) {
    const Result<Plan> plan = try_make_plan(problem, kernel);
    if (!plan) continue;
    test::Rng data(seed);
    ASSERT_TRUE(test::runs_right(*plan, test::make_job(problem, data), executor, seed)) << "concurrency " << executor.concurrency();
  }
}

TEST(KernelThreads, AnyNumberOfThreadsGivesTheOraclesBits) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  for (int threads : {2, 3, 4}) {
    const std::unique_ptr<Executor> executor = make_executor(threads);
    for (const char* text : large) expect_equal_for(*executor, parse(text), static_cast<uint64_t>(threads));
    for (const char* text : one_image) expect_equal_for(*executor, parse(text), static_cast<uint64_t>(threads));
    if (HasFatalFailure()) return;
  }
}

TEST(KernelThreads, SmallRandomProblemsOnFourThreads) {
  if (!has_threads()) GTEST_SKIP() << "built without oneTBB";
  const std::unique_ptr<Executor> executor = make_executor(4);
  for (uint64_t seed = 200'000; seed < 200'000 + random_problems; ++seed) {
    test::Rng rng(seed);
    expect_equal_for(*executor, test::random_problem(rng), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(KernelThreads, PiecesInReverseOrder) {
  test::ReverseExecutor executor;
  for (const char* text : large) expect_equal_for(executor, parse(text), 7);
  for (uint64_t seed = 300'000; seed < 300'000 + random_problems; ++seed) {
    test::Rng rng(seed);
    expect_equal_for(executor, test::random_problem(rng), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(KernelThreads, UnevenShuffledPiecesOnThreadsOfTheCaller) {
  for (int concurrency : {2, 5}) {
    test::ShuffledThreads executor(concurrency, 11);
    for (const char* text : large) expect_equal_for(executor, parse(text), 8);
    if (HasFatalFailure()) return;
  }
}

TEST(KernelThreads, AllTargetsGiveTheSameBits) {
  for (const char* text : large) {
    const Problem problem = parse(text);
    for (const std::string& target : test::supported_targets()) {
      const test::ForcedTarget forced(target);
      test::Rng data(3);
      ASSERT_TRUE(test::runs_right(make_plan(problem), test::make_job(problem, data), serial_executor(), 3));
    }
  }
}

// One plan, many threads at once, each with arrays of its own.
TEST(KernelThreads, OnePlanSharedByManyThreads) {
  for (const char* text : {"max2d fwd f32 nchw 2x8x56x56 k3 s2 p1 idx=plane", "max2d bwd f32 nchw 2x8x56x56 k3 s2 p1",
                           "max2d fwd f32 nchw 1x4x64x64 k15 s1 p7"}) {
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
