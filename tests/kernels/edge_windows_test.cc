// Windows in the padding, windows larger than the input, and numbers near the end of 64 bits.
#include <gtest/gtest.h>

#include "support/kernel_runs.h"
#include "support/targets.h"

namespace tidepool {
namespace {

class EdgeWindows : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, EdgeWindows, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

// "max1d bwd idx=window", "ncl 2x9x7", "k2" as a problem's text, in which options stand last.
std::string problem_text(const std::string& op, const std::string& form, const std::string& window) {
  const size_t second_space = op.find(' ', op.find(' ') + 1);
  const size_t at = std::min(second_space, op.size());
  return op.substr(0, at) + " f32 " + form + " " + window + op.substr(at);
}

void expect_all_kernels_right(const Problem& problem) {
  for (uint64_t seed : {3, 1}) {  // dense arrays, and arrays with gaps
    test::Rng data(seed), places(seed);
    ASSERT_TRUE(test::every_kernel_right(test::make_job(problem, data, test::random_placements(places)), serial_executor(), seed));
  }
}

TEST_P(EdgeWindows, InThePaddingMatchTheReference) {
  const test::ForcedTarget forced(GetParam());
  const char* windows[] = {"k3x1 p4:0x0:0", "k1x3 s1 p0:0x9:0", "k2 s1 p5:0", "k3 s1 p0:7x0:7", "k2 s1 p2", "k9 s1 p8", "k3 s2 p6:6"};
  const char* deep_windows[] = {"k1x4x4 s4x4x2 p3:0x0:0x0:0", "k1x2x2 p0:1x0:0x0:0", "k2 s1 p5:0"};
  for (const char* op :
       {"max fwd", "max fwd idx=window", "max bwd idx=window", "max bwd2 idx=plane", "min fwd nan=ignore idx=window", "avg fwd", "avg bwd",
        "avg bwd2", "sum fwd", "sum bwd", "lp fwd p=2", "lp fwd p=1 scaled", "lp bwd p=2", "lp bwd2 p=3"}) {
    const auto of_rank = [&](const char* rank) { return std::string(op).insert(std::string_view(op).find(' '), rank); };
    for (const char* window : windows)
      for (const char* form : {"nchw 2x1x42", "nchw 17x3x5", "nhwc 17x3x5", "nchw 3x1x1"})
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(of_rank("2d"), form, window))));
    for (const char* window : deep_windows)
      for (const char* form : {"ncdhw 2x1x7x42", "ndhwc 2x1x7x42"})
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(of_rank("3d"), form, window))));
  }
}

// A window may have such numbers although no input does. No kernel may multiply them.
TEST_P(EdgeWindows, WithExtremeNumbersMatchTheReference) {
  const test::ForcedTarget forced(GetParam());
  const char* windows[] = {"k1 d9223372036854775807",          "k2 d2305843009213693952 p2305843009213693952:0",
                           "k2 s1 d4294967296 p4294967296:0",  "k3 s1 d2147483648 p2147483648:2147483648",
                           "k3 s1 d1152921504606846976 same",  "k1 s4611686018427387904",
                           "k1 s4294967296 p2147483647:0 ceil"};
  for (const char* window : windows)
    for (const char* form : {"ncl 2x9x7", "nlc 2x9x7", "strided 2x9x7"})
      for (const char* op : {"max1d fwd", "max1d fwd idx=plane", "max1d bwd idx=window", "max1d bwd2 idx=plane", "avg1d fwd", "avg1d bwd",
                             "sum1d fwd", "sum1d bwd", "lp1d fwd", "lp1d bwd"})
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(op, form, window)))) << window;
}

// Few windows cover an element here, but many rows of a stack are those of a window.
TEST_P(EdgeWindows, OfMoreThan64RowsMatchTheReference) {
  const test::ForcedTarget forced(GetParam());
  for (const char* op : {"max2d fwd", "max2d fwd idx=window", "max2d bwd idx=window", "avg2d fwd", "avg2d bwd", "avg2d bwd2"})
    for (const char* window : {"2x3x113x2 k113x2 s1", "2x3x150x1 k130x1 s1", "2x3x70x3 k65x1 s1 p30x0", "2x3x200x1 k66x1 s66x1"})
      for (const char* layout : {"nchw ", "nhwc "}) {
        const std::string shape = layout + std::string(window).substr(0, std::string(window).find(' '));
        ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(problem_text(op, shape, window + std::string(window).find(' ') + 1))))
            << window;
      }
}

// Rows that kernels work on in strips, and more channels than they work on at once.
TEST_P(EdgeWindows, OverLongRowsMatchTheReference) {
  const test::ForcedTarget forced(GetParam());
  for (const char* text :
       {"avg3d bwd f32 ndhwc 1x20x4x30x96 k3 s2 p1", "avg3d bwd f32 ndhwc 1x5x6x30x97 k3 s1", "avg3d bwd f16 ndhwc 1x9x4x30x97 out=2x9x7",
        "avg3d bwd f32 ncdhw 1x2x4x30x900 k3 s7 p1", "avg2d bwd f32 nhwc 1x9000x3x5 k3x2 s2x1", "avg2d bwd f64 nhwc 1x9000x3x5 out=2"})
    ASSERT_NO_FATAL_FAILURE(expect_all_kernels_right(parse(text))) << text;
}

TEST(KernelTable, WindowsWhoseArithmeticOverflowsNeverReachAKernel) {
  for (const char* window : {"k2 d4611686018427387904 p4611686018427387904:0", "k3 s4611686018427387904 d2305843009213693952 same",
                             "k4611686018427387904 s1 p4611686018427387900:4"})
    for (const char* op : {"max1d fwd", "avg1d bwd", "lp1d fwd"}) {
      const Result<Problem> problem = parse_problem(problem_text(op, "ncl 2x9x7", window));
      ASSERT_FALSE(problem.ok()) << window;
      EXPECT_NE(problem.error().message().find("sizes overflow 64 bits"), std::string::npos) << problem.error().message();
    }
}

}  // namespace
}  // namespace tidepool
