// Random problems: every kernel that fits, on every target, against the reference implementation. What is in the registry and never ran
// is a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "support/kernel_runs.h"
#include "support/random_problem.h"
#include "support/share.h"
#include "support/targets.h"

namespace tidepool {
namespace {

constexpr uint64_t problems_per_target = 6000;
constexpr int64_t runs_per_kernel = 5;
constexpr uint64_t draws_per_kernel = 3000;
constexpr double invalid_share = 0.02;

// Kernels that no problem of this test can run, with the reason.
struct Untested {
  Op op;
  Pass pass;
  DType dtype;
  std::string_view kernel;
  std::string_view reason;
};
constexpr std::array<Untested, 0> untested{};

bool is_untested(const test::KernelId& id) {
  return std::any_of(untested.begin(), untested.end(),
                     [&](const Untested& u) { return u.op == id.op && u.pass == id.pass && u.dtype == id.dtype && u.kernel == id.kernel; });
}

test::Job random_job(const Problem& problem, test::Rng& rng, uint64_t seed) {
  test::Rng data(seed);
  return test::make_job(problem, data, test::random_placements(rng));
}

void match_random_problems(test::KernelRuns& runs, test::Counts& counts) {
  test::Draws draws;
  for (uint64_t seed = 0; seed < test::share_of(problems_per_target); ++seed) {
    test::Rng rng(seed);
    const Problem problem = test::random_problem(rng, {}, &draws);
    ASSERT_TRUE(test::every_kernel_right(random_job(problem, rng, seed), serial_executor(), seed, &runs, &counts));
  }
  counts.add_invalid(draws.invalid);
  EXPECT_LT(static_cast<double>(draws.invalid), invalid_share * static_cast<double>(draws.drawn)) << "of " << draws.drawn << " draws";
}

// Draws problems of the kernel's op, pass and dtype until it has run often enough.
void match_rare_kernel(const test::KernelId& id, test::KernelRuns& runs, test::Counts& counts) {
  for (uint64_t i = 0; i < draws_per_kernel && runs.runs(id) < runs_per_kernel; ++i) {
    const uint64_t seed = 1'000'000 + i;
    test::Rng rng(seed);
    const Problem problem = test::random_problem(rng, {.op = id.op, .pass = id.pass, .dtype = id.dtype});
    if (!try_make_plan(problem, id.kernel)) continue;
    ASSERT_TRUE(test::kernel_right(random_job(problem, rng, seed), id.kernel, serial_executor(), seed, &runs, &counts));
  }
}

class RandomProblems : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, RandomProblems, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

// One test, because ctest runs each in a process of its own and the coverage is known only within one.
TEST_P(RandomProblems, MatchTheReferenceAndRunEveryKernel) {
  const test::ForcedTarget forced(GetParam());
  test::KernelRuns runs;
  test::Counts counts("reference");
  ASSERT_NO_FATAL_FAILURE(match_random_problems(runs, counts));
  const std::vector<test::KernelId> kernels = test::registered_kernels();
  for (const test::KernelId& id : kernels) {
    ASSERT_NO_FATAL_FAILURE(match_rare_kernel(id, runs, counts));
    if (is_untested(id)) {
      EXPECT_EQ(runs.runs(id), 0) << to_string(id) << " ran: take it off the list of untested kernels";
    } else {
      EXPECT_GE(runs.runs(id), runs_per_kernel) << to_string(id) << " is in the registry, and hardly any problem runs it";
    }
  }
  EXPECT_GT(kernels.size(), 200u);
  std::cout << GetParam() << ": " << counts.cases() << " runs of " << kernels.size() << " kernels; not compared: " << counts.refusals()
            << " times a kernel that does not fit, " << counts.invalid() << " invalid problems\n";
  counts.write("reference_random_" + GetParam() + ".json");  // a file per process: targets may run at the same time
}

}  // namespace
}  // namespace tidepool
