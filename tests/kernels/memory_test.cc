// Kernels access only their cells: unreadable pages on either side, misaligned addresses, gaps between rows.
#include <gtest/gtest.h>

#include "support/kernel_runs.h"
#include "support/random_problem.h"
#include "support/share.h"
#include "support/targets.h"

namespace tidepool {
namespace {

constexpr uint64_t problems_per_target = 700;

class KernelMemory : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, KernelMemory, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

void run_everywhere(const Problem& problem, uint64_t seed) {
  using Guard = test::Placement::Guard;
  for (Guard guard : {Guard::after, Guard::before}) {
    test::Rng data(seed), places(seed);
    ASSERT_TRUE(test::every_kernel_right(test::make_job(problem, data, test::random_placements(places, guard)), serial_executor(), seed));
  }
}

TEST_P(KernelMemory, GuardPagesStayUntouchedOnRandomProblems) {
  const test::ForcedTarget forced(GetParam());
  for (uint64_t seed = 100'000; seed < 100'000 + test::share_of(problems_per_target); ++seed) {
    test::Rng rng(seed);
    run_everywhere(test::random_problem(rng, {.max_work = 1 << 12}), seed);
    if (HasFatalFailure()) return;
  }
}

// Reading too far begins in the last vector of a row: every width up to a few vectors, in both layouts.
TEST_P(KernelMemory, GuardPagesStayUntouchedAtEveryWidth) {
  const test::ForcedTarget forced(GetParam());
  for (int64_t size = 1; size <= 70; ++size)
    for (const char* window :
         {"k1", "k1 s2", "k2 s2 ceil", "k3 s1 p1", "k3 s2 p1", "k2 s2 d2", "k3 s2 d2", "k3 s3 p1", "k2 s3", "k3 s4", "k7 s1 p3"})
      for (const char* dtype : {"f32", "u8"})
        for (const char* indices : {"", " idx=window"}) {
          const std::string n = std::to_string(size), tail = std::string(" ") + window + indices;
          const auto seed = static_cast<uint64_t>(size);
          if (!parse_problem("max1d fwd f32 ncl 1x1x" + n + tail)) continue;  // wider than the input
          ASSERT_NO_FATAL_FAILURE(run_everywhere(parse(std::string("max1d fwd ") + dtype + " ncl 1x1x" + n + tail), seed));
          ASSERT_NO_FATAL_FAILURE(run_everywhere(parse(std::string("max1d fwd ") + dtype + " nlc 1x" + n + "x5" + tail), seed));
          if (*indices != 0) continue;
          ASSERT_NO_FATAL_FAILURE(run_everywhere(parse(std::string("avg1d fwd ") + dtype + " ncl 1x1x" + n + tail), seed));
          ASSERT_NO_FATAL_FAILURE(run_everywhere(parse(std::string("avg1d fwd ") + dtype + " nlc 1x" + n + "x5" + tail), seed));
          ASSERT_NO_FATAL_FAILURE(run_everywhere(parse("avg1d bwd f32 ncl 1x1x" + n + tail), seed));
        }
}

// Channels that do not fill a vector share it with those of neighbouring columns.
TEST_P(KernelMemory, GuardPagesStayUntouchedWithFewChannels) {
  const test::ForcedTarget forced(GetParam());
  for (const char* channels : {"1", "2", "3", "5", "7", "9", "12", "17", "33"})
    for (int64_t size = 1; size <= 16; ++size)
      for (const char* window : {"k2 s2", "k3 s2 p1", "k2 s2 d2", "k1x3 s1x2", "k3 s1 p1", "k3 s3 ceil"})
        for (const char* op :
             {"max2d fwd f32", "max2d fwd u8", "max2d fwd f16", "max2d fwd f64", "avg2d fwd f32", "avg2d fwd u8", "lp2d fwd f32"})
          for (const char* indices : {"", " idx=window", " idx=plane"}) {
            if (*op != 'm' && *indices != 0) continue;
            const std::string shape = std::string(" nhwc 1x") + channels + "x4x" + std::to_string(size) + " ";
            const Result<Problem> problem = parse_problem(op + shape + window + (*op == 'l' ? " p=2" : indices));
            if (!problem) continue;  // wider than the input
            ASSERT_NO_FATAL_FAILURE(run_everywhere(*problem, static_cast<uint64_t>(size)));
          }
}

// Windows of many rows, whose last one ends with the array, and of few columns.
TEST_P(KernelMemory, GuardPagesStayUntouchedAtEveryWidthOfTallWindows) {
  const test::ForcedTarget forced(GetParam());
  for (int64_t size = 2; size <= 70; ++size)
    for (const char* window : {"k2x1 s2", "k4x2 s1", "k5x2 s1", "k5x2 s2", "k7x2 s1x2 p2x0", "k6x3 s2", "k5x2 s2 d1x2"})
      for (const char* op : {"max2d fwd f32", "max2d fwd u8", "max2d fwd f16", "avg2d fwd f32", "avg2d fwd u8", "avg2d bwd f32"}) {
        const std::string shape = " nchw 2x9x" + std::to_string(size) + " ";
        const Result<Problem> problem = parse_problem(op + shape + window);
        if (!problem) continue;  // wider than the input
        ASSERT_NO_FATAL_FAILURE(run_everywhere(*problem, static_cast<uint64_t>(size)));
      }
}

TEST_P(KernelMemory, BasesAtEveryOffsetOfAVector) {
  const test::ForcedTarget forced(GetParam());
  for (int64_t shift = 0; shift < 16; ++shift)
    for (const char* text :
         {"max2d fwd f32 nchw 1x2x9x37 k3 s2 p1", "max2d fwd f32 nchw 1x2x9x37 k2 s2 idx=plane", "max2d fwd f32 nhwc 1x37x9x7 k3 s2 p1",
          "max2d fwd f64 nchw 1x2x9x37 k3 s1", "max2d fwd f16 nhwc 1x37x9x7 k3 s2 p1", "max2d fwd u8 nchw 1x2x9x137 k3 s1 p1",
          "max2d bwd f32 nchw 1x2x9x37 k3 s2 p1", "max2d bwd2 f32 nhwc 1x37x9x7 k3 s2 p1", "avg2d fwd f32 nchw 1x2x9x37 k3 s2 p1",
          "avg2d fwd u8 nhwc 1x137x9x7 k3 s2 p1", "avg2d bwd f32 nchw 1x2x9x37 k3 s2 p1", "avg2d fwd f32 nchw 1x2x19x37 k9 s1 p4",
          "sum2d bwd bf16 nhwc 1x37x9x7 k3 s1", "lp2d fwd f32 nchw 1x2x9x37 k3 s1 p=2", "lp2d bwd f32 nhwc 1x37x9x7 k3 s2 p=2",
          "unpool2d fwd f16 nchw 1x2x4x19 k2 idx=window", "max2d fwd f32 nchw 1x2x9x37 k2 out=4x17 idx=plane"}) {
      test::Rng data(static_cast<uint64_t>(shift));
      const test::Job job = test::make_job(parse(text), data, [&] { return test::Placement{.shift = shift}; });
      ASSERT_TRUE(test::every_kernel_right(job, serial_executor(), static_cast<uint64_t>(shift)));
    }
}

}  // namespace
}  // namespace tidepool
