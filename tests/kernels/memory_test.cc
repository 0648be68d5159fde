// Kernels touch their cells and nothing else: unreadable pages on either side, misaligned bases, gaps between rows.
#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/random_problem.h"
#include "support/targets.h"

namespace tidepool {
namespace {

constexpr uint64_t problems_per_target = 700;

class KernelMemory : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, KernelMemory, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

void run_everywhere(const Problem& problem, uint64_t seed) {
  using Guard = test::Placement::Guard;
  for (std::string_view kernel : kernel_names(problem)) {
    const Result<Plan> plan = try_make_plan(problem, kernel);
    if (!plan) continue;
    for (Guard guard : {Guard::after, Guard::before}) {
      test::Rng data(seed);
      const test::Placement placement{.guard = guard, .shift = data.between(0, 9), .dense = !data.one_in(3), .reversed = data.one_in(2)};
      ASSERT_TRUE(test::runs_right(*plan, test::make_job(problem, data, placement), serial_executor(), seed));
    }
  }
}

TEST_P(KernelMemory, GuardPagesStayUntouchedOnRandomProblems) {
  const test::ForcedTarget forced(GetParam());
  for (uint64_t seed = 100'000; seed < 100'000 + problems_per_target; ++seed) {
    test::Rng rng(seed);
    run_everywhere(test::random_problem(rng, {.max_work = 1 << 12}), seed);
    if (HasFatalFailure()) return;
  }
}

// The last vector of a row is where reading too far begins: every width up to a few vectors, in both layouts.
TEST_P(KernelMemory, GuardPagesStayUntouchedAtEveryWidth) {
  const test::ForcedTarget forced(GetParam());
  for (int64_t size = 1; size <= 70; ++size)
    for (const char* window : {"k1", "k2 s2 ceil", "k3 s1 p1", "k3 s2 p1", "k3 s3 p1", "k7 s1 p3"})
      for (const char* dtype : {"f32", "u8"})
        for (const char* indices : {"", " idx=window"}) {
          const std::string n = std::to_string(size), tail = std::string(" ") + window + indices;
          run_everywhere(parse(std::string("max1d fwd ") + dtype + " ncl 1x1x" + n + tail), static_cast<uint64_t>(size));
          run_everywhere(parse(std::string("max1d fwd ") + dtype + " nlc 1x" + n + "x3" + tail), static_cast<uint64_t>(size));
          if (HasFatalFailure()) return;
        }
}

TEST_P(KernelMemory, BasesAtEveryOffsetOfAVector) {
  const test::ForcedTarget forced(GetParam());
  for (int64_t shift = 0; shift < 16; ++shift)
    for (const char* text :
         {"max2d fwd f32 nchw 1x2x9x37 k3 s2 p1", "max2d fwd f32 nchw 1x2x9x37 k2 s2 idx=plane", "max2d fwd f32 nhwc 1x37x9x7 k3 s2 p1",
          "max2d fwd f64 nchw 1x2x9x37 k3 s1", "max2d fwd f16 nhwc 1x37x9x7 k3 s2 p1", "max2d fwd u8 nchw 1x2x9x137 k3 s1 p1",
          "max2d bwd f32 nchw 1x2x9x37 k3 s2 p1", "max2d bwd2 f32 nhwc 1x37x9x7 k3 s2 p1"}) {
      const Problem problem = parse(text);
      for (std::string_view kernel : kernel_names(problem)) {
        const Result<Plan> plan = try_make_plan(problem, kernel);
        if (!plan) continue;
        test::Rng data(static_cast<uint64_t>(shift));
        ASSERT_TRUE(
            test::runs_right(*plan, test::make_job(problem, data, {.shift = shift}), serial_executor(), static_cast<uint64_t>(shift)));
      }
    }
}

}  // namespace
}  // namespace tidepool
