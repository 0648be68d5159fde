#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "draw_problem.h"
#include "run_tool.h"
#include "suite.h"
#include "tidepool/error.h"
#include "tidepool/plan.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Tune : public InFolder {};

TEST_F(Tune, AnswersInJson) {
  const Answer answer = tool("tune \"max2d fwd f32 nchw 1x3x8x9 k2\" \"avg2d bwd f32 nhwc 1x3x8x9 k3 s1\" --seconds 0.01 --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json report = json::parse(answer.out);
  EXPECT_EQ(report["threads"], 1);
  ASSERT_EQ(report["problems"].size(), 2u);
  for (const json& row : report["problems"]) {
    const Problem problem = parse(row["problem"].get<std::string>());
    std::set<std::string> names;
    for (const json& kernel : row["kernels"]) {
      EXPECT_TRUE(names.insert(kernel["kernel"]).second) << "measured twice: " << kernel;
      EXPECT_TRUE(try_make_plan(problem, kernel["kernel"].get<std::string>())) << kernel;
      EXPECT_GT(kernel["seconds"], 0.0);
    }
    EXPECT_TRUE(names.contains(row["chosen"]));
    EXPECT_EQ(row["best"], row["kernels"][0]["kernel"]);
    EXPECT_GE(row["ratio"], 1.0);
    EXPECT_TRUE(std::ranges::is_sorted(row["kernels"], {}, [](const json& k) { return k["seconds"].get<double>(); }));
  }
}

TEST_F(Tune, SaysHowManyAreWellChosen) {
  const Answer answer = tool("tune \"max2d fwd f32 nchw 1x3x8x9 k2\" --seconds 0.01 --all --threads 1");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("max2d fwd f32 nchw 1x3x8x9 k2 s2\n  chosen "), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find(" of 1 problems have a kernel within 5 % of the best one, 1 thread\n"), std::string::npos) << answer.out;
}

TEST_F(Tune, ChecksProblemsThatItDraws) {
  const Answer answer = tool("tune --check 3 --seed 7 --seconds 0.001");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("3 problems drawn with seed 7, "), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("the choice is within 10 % of the best in "), std::string::npos) << answer.out;
  EXPECT_EQ(json::parse(tool("tune --check 2 --seconds 0.001 --json").out)["problems"].size(), 2u);
}

TEST_F(Tune, FitsCoefficientsAndWritesThem) {
  const Answer answer = tool("tune --fit 6 --seed 3 --seconds 0.001 --table costs.inc");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("6 problems drawn with seed 3, "), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("wrote costs.inc\n"), std::string::npos) << answer.out;
  EXPECT_EQ(tool("tune --fit 6 --seconds 0.001 --table missing/costs.inc").code, 3);
  EXPECT_EQ(tool("tune --fit 6 --check 6").code, 2);
}

TEST(DrawProblem, IsTheSameForTheSameSeedAndNumber) {
  std::set<std::string> seen;
  std::set<Op> ops;
  std::set<Layout> layouts;
  std::set<DType> dtypes;
  for (uint64_t i = 0; i < 300; ++i) {
    const Problem problem = draw_problem(1, i);
    EXPECT_EQ(problem, draw_problem(1, i));
    EXPECT_EQ(parse(to_string(problem)), problem) << to_string(problem);
    EXPECT_TRUE(try_make_plan(problem)) << to_string(problem);
    seen.insert(to_string(problem));
    ops.insert(problem.op), layouts.insert(problem.layout), dtypes.insert(problem.dtype);
  }
  EXPECT_EQ(seen.size(), 300u);
  EXPECT_EQ(ops.size(), all_ops.size());
  EXPECT_EQ(layouts.size(), all_layouts.size());
  EXPECT_EQ(dtypes.size(), all_dtypes.size() - 1);  // all but bool
  EXPECT_NE(draw_problem(2, 0), draw_problem(1, 0));
}

TEST_F(Tune, RefusesBeforeItMeasures) {
  expect_refused("tune --check 0", 2, "--check");
  expect_refused("tune --check 3 \"max2d fwd f32 nchw 1x3x8x9 k2\"", 2, "excludes");
  expect_refused("tune --seed 3", 2, "--check");

  expect_refused("tune \"max2d fwd f32 nchw 1x3x8x9 k2\" nonsense --seconds 3600", 2, "problem \"nonsense\"");
  expect_refused("tune \"max2d fwd f32 nchw 1x3x8x9 k2\" --threads 0", 2, "--threads");
  expect_refused("tune \"max2d fwd f32 nchw 1x3x8x9 k2\" --target Z80", 2, "Z80");
}

TEST(Suite, EveryLineIsAProblem) {
  const auto workloads = read_suite(suite_text());
  EXPECT_GE(workloads.size(), 100u);
  std::set<std::string> seen;
  for (const Workload& workload : workloads) {
    EXPECT_TRUE(try_make_plan(parse(workload.problem))) << workload.id << " " << workload.problem;
    EXPECT_TRUE(seen.insert(workload.problem).second) << "twice: " << workload.problem;
  }
}

TEST(Suite, ExpandsBraces) {
  const auto workloads = read_suite("# note\n\n a  x{1,2}  y{3,4} # more\nb z\n");
  ASSERT_EQ(workloads.size(), 5u);
  EXPECT_EQ(workloads[0].id + " " + workloads[0].problem, "a x1 y3");
  EXPECT_EQ(workloads[1].problem, "x1 y4");
  EXPECT_EQ(workloads[3].problem, "x2 y4");
  EXPECT_EQ(workloads[4].id, "b");
  EXPECT_THROW(read_suite("lonely\n"), Error);
}

}  // namespace
}  // namespace tidepool::cli
