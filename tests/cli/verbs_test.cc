#include <nlohmann/json.hpp>
#include <sstream>

#include "app.h"
#include "check.h"
#include "run_data.h"
#include "run_tool.h"
#include "tidepool/creation.h"
#include "tidepool/runtime.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Verbs : public InFolder {};

TEST_F(Verbs, RunChecksAgainstTheOracle) {
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

TEST_F(Verbs, RunAnswersInJson) {
  const Answer answer = tool("run \"max2d fwd f32 nchw 2x3x16x16 k2\" --check --threads 1 --seconds 0.01 --json");
  const json report = json::parse(answer.out);
  EXPECT_EQ(report["problem"], "max2d fwd f32 nchw 2x3x16x16 k2 s2");
  EXPECT_EQ(report["check"], "match");
  EXPECT_EQ(report["threads"], 1);
  EXPECT_EQ(report["read_bytes"], 2 * 3 * 16 * 16 * 4);
  EXPECT_EQ(report["written_bytes"], 2 * 3 * 8 * 8 * 4);
  EXPECT_GT(report["seconds"], 0.0);
  EXPECT_GT(report["gb_per_s"], 0.0);
  EXPECT_GT(report["limit_share"], 0.0);
  EXPECT_EQ(report["target"], current_target());
  EXPECT_TRUE(json::parse(tool("run \"max2d fwd f32 nchw 2x3x16x16 k2\" --seconds 0.01 --json").out)["check"].is_null());
}

TEST_F(Verbs, RunOnEveryTargetWithEveryKernel) {
  const json list = json::parse(tool("list --json").out);
  for (const json& target : list["targets"]) {
    if (!target["supported"]) continue;
    const std::string name = target["name"];
    const json report =
        json::parse(tool("run \"max2d fwd f32 nchw 2x3x16x17 k3 s2 p1\" --check --seconds 0.01 --json --target " + name).out);
    EXPECT_EQ(report["check"], "match");
    EXPECT_EQ(report["target"], name);
  }
  const Answer forced = tool("run \"max2d fwd f32 nchw 2x3x16x17 k3 s2 p1\" --check --seconds 0.01 --json --kernel strided");
  EXPECT_EQ(json::parse(forced.out)["kernel"], "strided") << forced.err;
}

TEST_F(Verbs, ComparisonFindsTheFirstDifferentCell) {
  const Tensor a = arange({2, 3, 4});
  Tensor b = a.clone();
  EXPECT_FALSE(compare_bits(a.transpose(0, 2), b.transpose(0, 2)));
  b.data<float>()[7] = -0.5f;
  b.data<float>()[0] = -0.0f;
  b.data<float>()[23] = std::numeric_limits<float>::quiet_NaN();
  const auto mismatch = compare_bits(b, a);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->count, 3);
  EXPECT_EQ(mismatch->at, (Dims{0, 0, 0}));
  EXPECT_EQ(mismatch->got, "-0");
  EXPECT_EQ(mismatch->expected, "0");
  EXPECT_EQ(show_cell(b, {0, 1, 3}), "-0.5");
  EXPECT_EQ(show_cell(full({1}, 9007199254740993.0, DType::i64), {0}), "9007199254740992");
}

TEST_F(Verbs, TheCheckCanFail) {
  const Problem problem = parse("max2d fwd f32 nhwc 2x3x6x8 k2 idx=plane");
  RunData data = make_run_data(problem, 1, serial_executor());
  make_plan(problem).run(data.arrays, serial_executor());
  EXPECT_FALSE(check_arrays(problem, data.arrays));
  // Channels last: cell (n, c, h, w) of the 2x3x3x4 result.
  const int64_t at = ((1 * 3 + 2) * 4 + 3) * 3 + 1;
  data.arrays.indices_out.data_as<int64_t>()[at] += 1;
  auto verdict = check_arrays(problem, data.arrays);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->array, "indices");
  EXPECT_EQ(verdict->place, "n=1, c=1, h=2, w=3");
  data.arrays.output.data_as<float>()[at] = 99;
  verdict = check_arrays(problem, data.arrays);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->array, "values");
  EXPECT_EQ(verdict->mismatch.got, "99");
  EXPECT_EQ(verdict->mismatch.count, 1);
}

TEST_F(Verbs, PlanExplainsItself) {
  const Answer answer = tool("plan \"max2d fwd f32 nchw 1x8x7x7 k2\"");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("max2d fwd f32 nchw 1x8x7x7 k2 s2"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("1x8x3x3"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("the last 1 of 7 along w"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("strided"), std::string::npos) << answer.out;
  const json plan = json::parse(tool("plan \"max2d fwd f32 nchw 1x8x7x7 k2\" --kernel strided --target SCALAR --json").out);
  EXPECT_EQ(plan["kernel"], "strided");
  EXPECT_EQ(plan["target"], "SCALAR");
  EXPECT_EQ(plan["output_shape"], json({1, 8, 3, 3}));
  EXPECT_EQ(plan["function"], "max_pool2d");
  EXPECT_EQ(plan["dropped"], "1 row and 1 column at the end are read by no window");
}

TEST_F(Verbs, ListNamesWhatIsThere) {
  const json list = json::parse(tool("list --json").out);
  EXPECT_EQ(list["ops"][0]["functions"], json({"max_pool1d", "max_pool2d", "max_pool3d"}));
  EXPECT_EQ(list["dtypes"].size(), all_dtypes.size());
  int current = 0;
  for (const json& target : list["targets"]) current += target["current"].get<bool>();
  EXPECT_EQ(current, 1);
  std::set<std::string> seen;
  for (const json& row : list["kernels"]) {
    seen.insert(row["op"].get<std::string>() + " " + row["pass"].get<std::string>() + " " + row["dtype"].get<std::string>());
    const auto& names = row["kernels"];
    EXPECT_NE(std::find(names.begin(), names.end(), row["chosen"]), names.end()) << row;
  }
  for (const char* need : {"max fwd f32", "max fwd bool", "max bwd f32", "min bwd2 f64"}) EXPECT_EQ(seen.count(need), 1u) << need;
  const Answer text = tool("list");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("max min nchw with indices"), std::string::npos) << text.out;
}

TEST_F(Verbs, TourShowsTrueValues) {
  const Answer answer = tool("tour");
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out.find("WRONG"), std::string::npos) << answer.out;
  EXPECT_EQ(answer.out.find('\033'), std::string::npos) << "colour codes in a file";
  for (const char* words : {" [1][3] 2  1 ", "max(1 3 4 2) = 4", "max(2 1 1 0) = 2", "max(5 6 7 8) = 8", "max(1 2 3 4) = 4",
                            "0.8765  0.6789", "0.9012  0.7890", "1x3x224x224", "of the memory limit"})
    EXPECT_NE(answer.out.find(std::string_view(words).substr(words[0] == ' ' ? 1 : 0)), std::string::npos) << words << "\n" << answer.out;
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Verbs, TourAnswersInJson) {
  const json tour = json::parse(tool("tour --json").out);
  EXPECT_EQ(tour["right"], true);
  EXPECT_EQ(tour["examples"][0]["values"], json({4, 2, 8, 4}));
  EXPECT_EQ(tour["timing"]["problem"], "max2d fwd f32 nchw 8x64x112x112 k3 s2 p1");
  EXPECT_GT(tour["timing"]["seconds"], 0.0);
}

TEST_F(Verbs, BadArgumentsAreOneLineAndExitTwo) {
  expect_refused("", 2, "no verb given (there are tour list plan run pool");
  expect_refused("dance", 2, "unknown verb or option 'dance'");
  expect_refused("--nonsense list", 2, "unknown verb or option '--nonsense'");
  expect_refused("list --nonsense", 2, "--nonsense");
  expect_refused("list extra", 2, "extra");
  expect_refused("run", 2, "problem is required");
  expect_refused("run nonsense", 2, "problem \"nonsense\"");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2 s0\"", 2, "max_pool2d: stride must be at least 1, got 0 (axis h)");
  expect_refused("run \"$(printf 'max2d\\nfwd')\"", 2, "problem");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2\" --threads 0", 2, "--threads");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2\" --threads many", 2, "--threads");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2\" --seconds -1", 2, "--seconds");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2\" --target Z80", 2, "Z80");
  expect_refused("run \"max2d fwd f32 nchw 1x1x4x4 k2\" --kernel magic", 2, "magic");
  expect_refused("plan \"max2d fwd f32 nchw 1x1x4x4 k2\" --kernel magic", 2, "magic");
  expect_refused("run \"max2d fwd f32 nchw 1000000x1000000x4x4 k2\"", 2, "do not fit into this machine's memory");
  expect_refused("run \"max2d fwd f64 nchw 100000000x1000000000x1x1 k1\"", 2, "do not fit into this machine's memory");
}

TEST_F(Verbs, HelpAndVersion) {
  EXPECT_EQ(tool("--version").out.substr(0, 9), "tidepool ");
  for (const char* verb : {"", "tour ", "list ", "plan ", "run ", "pool ", "pool max "}) {
    const Answer answer = tool(std::string(verb) + "--help");
    EXPECT_EQ(answer.code, 0) << verb;
    EXPECT_NE(answer.out.find("Usage:"), std::string::npos) << verb;
    EXPECT_EQ(answer.err, "") << verb;
  }
  const std::string flags = tool("pool max --help").out;
  for (const char* flag : {"-k,--kernel-size", "-s,--stride", "-p,--padding", "-d,--dilation", "--ceil-mode", "--nan", "--index-base",
                           "--preset", "--indices"})
    EXPECT_NE(flags.find(flag), std::string::npos) << flag;
}

TEST_F(Verbs, ClosedAndFullOutputs) {
  const std::string tool_path = TIDEPOOL_CLI;
  const auto shell = [](const std::string& command) { return WEXITSTATUS(std::system(command.c_str())); };
  EXPECT_EQ(shell("bash -c \"set -o pipefail; '" + tool_path + "' list 2>'" + path("err") + "' | true\""), 0);
  EXPECT_EQ(slurp(path("err")), "");
  EXPECT_EQ(shell("'" + tool_path + "' list >&- 2>'" + path("err") + "'"), 0);
  EXPECT_EQ(shell("'" + tool_path + "' list >/dev/full 2>'" + path("err") + "'"), 3);
  EXPECT_EQ(slurp(path("err")), "tidepool: cannot write to standard output\n");
}

}  // namespace
}  // namespace tidepool::cli
