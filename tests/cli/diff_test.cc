// tidepool diff: two networks from text, files and ONNX models.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "onnx_bytes.h"
#include "run_tool.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Diff : public InFolder {
 protected:
  std::string out(const std::string& arguments) const {
    const Answer answer = tool("diff " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.err;
    return answer.out;
  }
};

TEST_F(Diff, AnswersAsThePageShows) {
  EXPECT_EQ(out("3x64x64 \"conv 3x3 32 p1, relu, max 2\" \"conv 3x3 32 p1, relu, conv 3x3 32 s2 p1\" --width 100"),
            slurp(TIDEPOOL_SOURCE_DIR "/tests/cli/answers/diff.txt"));
}

TEST_F(Diff, FilesAreCalledByTheirNames) {
  spill(path("pools.txt"), "conv 3x3 8 p1, max 2");
  spill(path("strides.txt"), "conv 3x3 8 p1, conv 3x3 8 s2 p1");
  const json document = json::parse(out("3x8x8 pools.txt strides.txt --json"));
  EXPECT_EQ(document["a"]["name"], "pools.txt");
  EXPECT_EQ(document["b"]["name"], "strides.txt");
  EXPECT_THAT(out("3x8x8 pools.txt strides.txt"), HasSubstr("strides.txt has "));
  EXPECT_THAT(out("3x8x8 pools.txt ./pools.txt"), HasSubstr("B has "));
  EXPECT_EQ(out("3x8x8 pools.txt - <strides.txt --json"), out("3x8x8 pools.txt \"conv 3x3 8 p1, conv 3x3 8 s2 p1\" --json"));
}

TEST_F(Diff, ComparesOnnxModels) {
  spill(path("a.onnx"), onnx_max_pool("height"));
  spill(path("b.onnx"), onnx_max_pool("height"));
  EXPECT_THAT(out("a.onnx b.onnx --size height=8 --width 300"), HasSubstr("the output of both is 1x3x4x4"));
  EXPECT_THAT(out("1x3x8x8 a.onnx \"max 4\" --width 300"), HasSubstr("its output is 1x3x2x2 instead of 1x3x4x4"));
}

TEST_F(Diff, KeepsWithinTheWidth) {
  for (const int width : {40, 60, 80}) {
    std::istringstream lines(
        out("3x64x64 \"( conv 3x3 32 p1, relu, max 2 ) x3\" \"( conv 3x3 32 s2 p1, bn, relu ) x3\" --width " + std::to_string(width)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), static_cast<size_t>(width)) << line;
  }
}

TEST_F(Diff, SaysWhatIsWrong) {
  expect_refused("diff", 2, "shape is required");
  expect_refused("diff 3x8x8", 2, "a is required");
  expect_refused("diff 3x8x8 \"max 2\"", 2, "diff: the shape of the input is missing");
  expect_refused("diff 3x8x8 \"max 2\" \"mxa 2\"", 2, "unknown layer 'mxa'");
  expect_refused("diff 3x8x8 \"max 2\" missing.txt", 3, "missing.txt");
  expect_refused("diff 3x8x8 - -", 2, "diff: both networks cannot come from standard input");
  expect_refused("diff 3by8 \"max 2\" \"max 3\"", 2, "diff: expected a shape such as 3x64x64, got '3by8'");
}

}  // namespace
}  // namespace tidepool::cli
