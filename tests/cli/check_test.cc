#include "check.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "run_data.h"
#include "run_tool.h"
#include "tidepool/creation.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Check : public InFolder {};

TEST_F(Check, RunChecksAgainstTheReference) {
  for (const char* problem : {
           "max2d fwd f32 nchw 2x3x17x19 k3 s2 p1",
           "max2d fwd f32 nhwc 2x5x17x19 k3 s2 p1 idx=plane",
           "min2d fwd f64 nchw 1x2x9x33 k2x3 s1x2 p0:1x1:0 ceil idx=window",
           "max1d fwd i16 ncl 2x3x100 k5 s2 d2 same idx=tensor",
           "max3d fwd u8 ncdhw 1x2x6x7x8 k2",
           "max2d fwd bf16 strided 2x3x8x9 k3 s1 p1 idx=plane",
           "max2d fwd f16 nhwc 3x8x9 k2",
           "max2d bwd f32 nchw 2x3x12x13 k3 s2 p1 idx=plane",
           "max2d bwd f64 nhwc 2x3x12x13 k3 s1 p1 idx=window",
           "max2d bwd2 f32 nchw 2x3x12x13 k3 s2 p1 idx=tensor",
           "max2d fwd f32 nchw 0x3x12x13 k3",
       }) {
    const Answer answer = tool(std::string("run \"") + problem + "\" --check --threads 1 --seconds 0.01 --seed 3");
    EXPECT_EQ(answer.code, 0) << problem << "\n" << answer.out << answer.err;
    EXPECT_NE(answer.out.find("match"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("of the memory limit"), std::string::npos) << answer.out;
  }
}

TEST_F(Check, ComparisonFindsTheFirstDifferentCell) {
  const Tensor a = arange({2, 3, 4});
  Tensor b = a.clone();
  EXPECT_FALSE(reference::compare_bits(a.transpose(0, 2), b.transpose(0, 2)));
  b.data<float>()[7] = -0.5f;
  b.data<float>()[0] = -0.0f;
  b.data<float>()[23] = std::numeric_limits<float>::quiet_NaN();
  const auto mismatch = reference::compare_bits(b, a);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->count, 3);
  EXPECT_EQ(mismatch->at, (Dims{0, 0, 0}));
  EXPECT_EQ(mismatch->got, "-0");
  EXPECT_EQ(mismatch->expected, "0");
  EXPECT_EQ(reference::show_cell(b, {0, 1, 3}), "-0.5");
  EXPECT_EQ(reference::show_cell(full({1}, 9007199254740993.0, DType::i64), {0}), "9007199254740992");
}

TEST_F(Check, TheCheckCanFail) {
  const Problem problem = parse("max2d fwd f32 nhwc 2x3x6x8 k2 idx=plane");
  RunData data = make_run_data(problem, 1, serial_executor());
  make_plan(problem).run(data.arrays, serial_executor());
  EXPECT_FALSE(check_arrays(problem, data.arrays).fault);
  // Channels last: cell (n, c, h, w) of the 2x3x3x4 result.
  const int64_t at = ((1 * 3 + 2) * 4 + 3) * 3 + 1;
  data.arrays.indices_out.data_as<int64_t>()[at] += 1;
  auto fault = check_arrays(problem, data.arrays).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->array, "indices");
  EXPECT_EQ(fault->place, "n=1, c=1, h=2, w=3");
  data.arrays.output.data_as<float>()[at] = 99;
  fault = check_arrays(problem, data.arrays).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->array, "values");
  EXPECT_EQ(fault->mismatch.got, "99");
  EXPECT_EQ(fault->mismatch.count, 1);
}

TEST_F(Check, NormsAreCheckedWithinTheRoundingError) {
  const Problem problem = parse("lp2d fwd f32 nchw 1x2x6x6 k2 p=3");
  RunData data = make_run_data(problem, 1, serial_executor());
  make_plan(problem).run(data.arrays, serial_executor());
  auto& cell = data.arrays.output.data_as<float>()[4];
  cell = std::nextafter(cell, 99.f);
  Verdict verdict = check_arrays(problem, data.arrays);
  EXPECT_FALSE(verdict.exact);
  EXPECT_FALSE(verdict.fault);
  cell *= 1.001f;
  EXPECT_TRUE(check_arrays(problem, data.arrays).fault);
}

TEST_F(Check, RunSaysHowCloselyItChecked) {
  const struct {
    const char* problem;
    const char* words;
    bool exact;
  } cases[] = {
      {"lp2d fwd f32 nchw 2x3x9x9 k3 p=2", "54 values within rounding", false},
      {"lp1d bwd2x f64 ncl 2x3x9 k3 p=3", "54 values within rounding", false},
      {"unpool2d fwd f32 nchw 2x3x4x4 k2 idx=plane", "384 values bit for bit", true},
      {"max2d fwd f32 nchw 2x3x9x9 k2 out=5 idx=window", "150 values bit for bit", true},
      {"avg2d fwd f32 nchw 2x3x9x9 out=1", "6 values bit for bit", true},
  };
  for (const auto& [problem, words, exact] : cases) {
    const std::string run = std::string("run \"") + problem + "\" --check --threads 1 --seconds 0.01";
    const Answer answer = tool(run);
    EXPECT_EQ(answer.code, 0) << problem << "\n" << answer.out << answer.err;
    EXPECT_NE(answer.out.find(words), std::string::npos) << problem << "\n" << answer.out;
    EXPECT_EQ(json::parse(tool(run + " --json").out)["exact"], exact) << problem;
  }
}

}  // namespace
}  // namespace tidepool::cli
