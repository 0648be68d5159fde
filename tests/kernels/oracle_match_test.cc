// Every SIMD target x every kernel x random problems that fit, against the oracle, bit for bit.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/compare.h"
#include "support/counts.h"
#include "support/random_problem.h"
#include "support/targets.h"

namespace tidepool {
namespace {

constexpr uint64_t problems_per_target = 6000;

class Kernels : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, Kernels, ::testing::ValuesIn(test::supported_targets()), [](const auto& target) { return target.param; });

// "adaptive_max_pool2d": what a comparison counts as.
std::string counted_op(const Problem& problem) {
  const Axis& axis = problem.geometry.width();
  const char* windows = axis.is_adaptive() ? "adaptive_" : axis.is_fractional() ? "fractional_" : "";
  return windows + function_name(problem.op, problem.geometry.rank());
}

std::string counted_pass(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward:
      return "backward";
    case Pass::double_backward:
      return "double_backward";
    default:
      return "double_backward_input";
  }
}

::testing::AssertionResult matches(const Plan& plan, const test::Job& job, uint64_t seed, test::Counts& counts) {
  const auto right = test::runs_right(plan, job, serial_executor(), seed);
  const Problem& problem = plan.problem();
  counts.add(counted_op(problem), std::string(dtype_name(problem.dtype)), counted_pass(problem.pass), static_cast<bool>(right));
  return right;
}

void match_random_problems(test::Counts& counts) {
  std::map<std::string, int64_t> runs;
  for (uint64_t seed = 0; seed < problems_per_target; ++seed) {
    test::Rng rng(seed);
    const Problem problem = test::random_problem(rng);
    const test::Placement placement{.shift = rng.between(0, 3), .dense = !rng.one_in(3), .reversed = rng.one_in(2)};
    bool any = false;
    for (std::string_view kernel : kernel_names(problem)) {
      const Result<Plan> plan = try_make_plan(problem, kernel);
      if (!plan) continue;
      any = true;
      ++runs[std::string(kernel)];
      test::Rng data(seed);
      ASSERT_TRUE(matches(*plan, test::make_job(problem, data, placement), seed, counts));
    }
    ASSERT_TRUE(any) << "no kernel fits " << to_string(problem);
  }
  for (const auto& [kernel, count] : runs) EXPECT_GT(count, 25) << kernel << " was hardly tried";
}

TEST_P(Kernels, MatchTheOracleOnRandomProblems) {
  const test::ForcedTarget forced(GetParam());
  test::Counts counts("oracle");
  match_random_problems(counts);
  counts.write("oracle_random_" + GetParam() + ".json");  // a file per process: the targets may run at the same time
}

// Shapes that networks use, larger than the random ones: interiors of several vectors, planes of several rows.
void match_real_shapes(test::Counts& counts) {
  const char* windows[] = {"k3 s2 p1",   "k2 s2",    "k3 s1 p1",    "k2 s1",     "k3 s3",     "k5 s1 p2",
                           "k2 s2 ceil", "k9 s1 p4", "k3 s1 p2 d2", "k3x2 s1x4", "k4 s2 same"};
  uint64_t seed = 0;
  for (const char* window : windows)
    for (const char* layout : {"nchw", "nhwc"})
      for (const char* shape : {"1x3x17x57", "1x65x7x7", "1x2x5x131"})
        for (DType dtype : all_dtypes)
          for (const char* indices : {"", " idx=plane", " idx=window"}) {
            const Problem problem =
                parse("max2d fwd " + std::string(dtype_name(dtype)) + " " + layout + " " + shape + " " + window + indices);
            for (std::string_view kernel : kernel_names(problem)) {
              const Result<Plan> plan = try_make_plan(problem, kernel);
              if (!plan) continue;
              test::Rng data(++seed);
              ASSERT_TRUE(matches(*plan, test::make_job(problem, data), seed, counts));
            }
          }
}

TEST_P(Kernels, MatchTheOracleOnRealShapes) {
  const test::ForcedTarget forced(GetParam());
  test::Counts counts("oracle");
  match_real_shapes(counts);
  counts.write("oracle_shapes_" + GetParam() + ".json");
}

// "max1d bwd idx=window", "ncl 2x9x7", "k2" as a problem, the index base last.
std::string problem_text(const std::string& op, const std::string& form, const std::string& window) {
  const size_t at = std::min(op.find(" idx"), op.size());
  return op.substr(0, at) + " f32 " + form + " " + window + op.substr(at);
}

void expect_all_kernels_right(const Problem& problem) {
  for (std::string_view kernel : kernel_names(problem)) {
    const Result<Plan> plan = try_make_plan(problem, kernel);
    if (!plan) continue;
    test::Rng data(1);
    ASSERT_TRUE(test::runs_right(*plan, test::make_job(problem, data), serial_executor(), 1));
  }
}

// Windows that end before the first cell or begin behind the last, and windows larger than everything.
TEST_P(Kernels, MatchTheOracleOnWindowsInThePadding) {
  const test::ForcedTarget forced(GetParam());
  const char* windows[] = {"k3x1 p4:0x0:0", "k1x3 s1 p0:0x9:0", "k2 s1 p5:0", "k3 s1 p0:7x0:7", "k2 s1 p2", "k9 s1 p8", "k3 s2 p6:6"};
  const char* deep_windows[] = {"k1x4x4 s4x4x2 p3:0x0:0x0:0", "k1x2x2 p0:1x0:0x0:0", "k2 s1 p5:0"};
  for (const char* op : {"max fwd", "max fwd idx=window", "max bwd idx=window", "avg fwd", "avg bwd", "sum bwd"}) {
    const auto of_rank = [&](const char* rank) { return std::string(op).insert(3, rank); };
    for (const char* window : windows)
      for (const char* form : {"nchw 2x1x42", "nchw 17x3x5", "nhwc 17x3x5", "nchw 3x1x1"})
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(of_rank("2d"), form, window))));
    for (const char* window : deep_windows)
      for (const char* form : {"ncdhw 2x1x7x42", "ndhwc 2x1x7x42"})
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(of_rank("3d"), form, window))));
  }
}

// Numbers near the end of 64 bits, which a window may have and an input not: no kernel may multiply them.
TEST_P(Kernels, MatchTheOracleOnExtremeNumbers) {
  const test::ForcedTarget forced(GetParam());
  const char* windows[] = {
      "k1 d9223372036854775807", "k2 d4611686018427387904 p4611686018427387904:0", "k3 s4611686018427387904 d2305843009213693952 same",
      "k1 s4611686018427387904", "k4611686018427387904 s1 p4611686018427387900:4", "k1 s4294967296 p2147483647:0 ceil"};
  for (const char* window : windows)
    for (const char* form : {"ncl 2x9x7", "nlc 2x9x7", "strided 2x9x7"})
      for (const char* op : {"max1d fwd", "max1d fwd idx=plane", "max1d bwd idx=window", "max1d bwd2 idx=plane", "avg1d fwd", "avg1d bwd",
                             "lp1d fwd", "lp1d bwd"}) {
        const auto problem = parse_problem(problem_text(op, form, window));
        if (!problem) continue;
        if (problem->geometry.window_taps() > 1000) continue;  // the oracle looks at every tap
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(*problem));
      }
}

TEST_P(Kernels, TheForcedTargetIsTheOneThatRuns) {
  const test::ForcedTarget forced(GetParam());
  EXPECT_EQ(current_target(), GetParam());
  std::set<std::string_view> kernels;
  for (const char* text :
       {"max2d fwd f32 nchw 1x8x32x32 k3 s2 p1", "max2d fwd f32 nhwc 1x64x32x32 k3 s2 p1", "max2d fwd f64 nchw 1x8x32x32 k16 s1",
        "max2d bwd f32 nchw 1x8x32x32 k3 s2 p1", "min2d fwd u8 strided 1x8x32x32 k3 s2 p1"}) {
    const Plan plan = make_plan(parse(text));
    EXPECT_EQ(plan.target(), GetParam()) << text;
    kernels.insert(plan.kernel());
  }
  EXPECT_GE(kernels.size(), GetParam() == "SCALAR" ? 2u : 3u);  // one lane gains nothing from most traversals
}

TEST(KernelTable, EveryOpDtypeAndPassHasAKernelThatFitsAnything) {
  for (const char* op : {"max", "min"})
    for (const char* pass : {"fwd", "bwd", "bwd2"})
      for (DType dtype : all_dtypes) {
        if (std::string(pass) != "fwd" && !is_floating(dtype)) continue;
        const Problem p = parse(std::string(op) + "3d " + pass + " " + std::string(dtype_name(dtype)) +
                                " strided 1x2x5x6x7 k2x3x2 s1 p1 d2 idx=tensor nan=ignore");
        EXPECT_FALSE(kernel_names(p).empty());
        EXPECT_TRUE(try_make_plan(p).ok()) << to_string(p);
      }
}

TEST(KernelTable, ForwardHasAllFourTraversalsInEveryDtype) {
  for (DType dtype : {DType::f32, DType::f64}) {
    const auto names = kernel_names(parse("max2d fwd " + std::string(dtype_name(dtype)) + " nchw 1x8x32x32 k3"));
    for (const char* traversal : {"columns", "channels", "sliding", "strided"})
      EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](std::string_view n) { return n.starts_with(traversal); })) << traversal;
  }
}

}  // namespace
}  // namespace tidepool
