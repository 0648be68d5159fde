#include <nlohmann/json.hpp>
#include <sstream>

#include "run_tool.h"
#include "tidepool/runtime.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Verbs : public InFolder {};

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
  const Answer forced = tool("run \"max2d fwd f32 nchw 2x3x16x17 k3 s2 p1\" --check --seconds 0.01 --json --kernel reference");
  EXPECT_EQ(json::parse(forced.out)["kernel"], "reference") << forced.err;
}

TEST_F(Verbs, TourShowsTrueValues) {
  const Answer answer = tool("tour");
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
  // On a busy machine, progress may be shown.
  EXPECT_TRUE(answer.err.empty() || answer.err.starts_with("tidepool: measuring ... ")) << answer.err;
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
  if (tour.contains("networks")) {
    EXPECT_EQ(tour["networks"]["pooled_parameters"], 388416);
  }
}

TEST_F(Verbs, BadArgumentsAreOneLineAndExitTwo) {
  expect_refused("", 2, "no verb given (there are tour list plan run tune pool");
  expect_refused("dance", 2, "unknown verb or option 'dance'");
  expect_refused("trian", 2, "unknown verb or option 'trian', did you mean 'train'?");
  expect_refused("plann x", 2, "did you mean 'plan'?");
  expect_refused("pool maks", 2, "pool: unknown op or option 'maks', did you mean 'max'?");
  expect_refused("list --jsn", 2, "--jsn, did you mean '--json'?");
  expect_refused("$(printf 'a%.0s' $(seq 100000))", 2, "unknown verb");
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
  expect_refused("run \"max2d fwd f32 nchw 1000000x1000000x4x4 k2\"", 3, "do not fit into this machine's memory");
  expect_refused("run \"max2d fwd f64 nchw 100000000x1000000000x1x1 k1\"", 3, "do not fit into this machine's memory");
}

TEST_F(Verbs, ComplaintsAboutLongTextsAreShort) {
  const std::string shape = "shape 3x8x8 \"$(printf 'ä%.0s' $(seq 30000))\"";
  expect_refused(shape, 2, "unknown layer 'ä");
  expect_refused(shape, 2, "ä … ");
  expect_refused(shape, 2, "at character 1");
  EXPECT_LT(tool(shape).err.size(), 2100u);
}

TEST_F(Verbs, HelpAndVersion) {
  EXPECT_EQ(tool("--version").out.substr(0, 9), "tidepool ");
  for (const char* verb : {"", "tour ", "list ", "plan ", "run ", "tune ", "pool ", "pool max ", "why ", "show ", "shape ", "diff ",
                           "train ", "predict ", "completion "}) {
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
