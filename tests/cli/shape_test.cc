// tidepool shape: networks from text, files, streams and ONNX models; the forms of the answer; errors.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "onnx_bytes.h"
#include "run_tool.h"
#include "terminal.h"
#include "tidepool/creation.h"
#include "tidepool/io/png.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* chain = "\"conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2\"";

// What docs/command-line.md and docs/analyze-json.md show.
std::string answer_file(const std::string& name) { return slurp(TIDEPOOL_SOURCE_DIR "/tests/cli/answers/" + name); }

class Shape : public InFolder {
 protected:
  std::string out(const std::string& arguments) const {
    const Answer answer = tool("shape " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.err;
    EXPECT_EQ(answer.err, "") << arguments;
    return answer.out;
  }
};

TEST_F(Shape, AnswersAsThePagesShow) {
  EXPECT_EQ(out(std::string("3x64x64 ") + chain + " --width 100"), answer_file("shape_chain.txt"));
  EXPECT_EQ(out("1x30x45 \"max 2, conv 3x3 8 p1, max 2\""), answer_file("shape_lost.txt"));
  EXPECT_EQ(out("3x64x64 \"conv 3x3 6 p1, max 2, conv 3x3 12 p1 d2\" --layer conv2 --cell 0,20"), answer_file("shape_cell.txt"));
  EXPECT_EQ(out("1x7 \"max 2\" --json"), answer_file("shape.json"));
  EXPECT_EQ(out("1x8 \"conv 3 2 p1 d2\" --cell 0 --json"), answer_file("shape_cell.json"));
}

TEST_F(Shape, TheChainHasItsFieldsAndParameters) {
  const json report = json::parse(out(std::string("3x64x64 ") + chain + " --json"));
  EXPECT_EQ(report["totals"]["parameters"], 13860);
  std::vector<int> sizes;
  for (const json& node : report["nodes"]) sizes.push_back(node["fields"][0]["size"]);
  EXPECT_EQ(sizes, (std::vector{1, 3, 4, 8, 10, 18, 22, 38, 46}));
}

TEST_F(Shape, ReadsFilesStreamsAndPipes) {
  spill(path("net.txt"), "conv 3x3 8 p1,\n  relu,\n  max 2\n");
  spill(path("net"), "conv 3x3 8 p1, relu, max 2");
  const std::string expected = out("3x8x8 \"conv 3x3 8 p1, relu, max 2\"");
  EXPECT_EQ(out("3x8x8 net.txt"), expected);
  EXPECT_EQ(out("3x8x8 ./net"), expected);
  EXPECT_EQ(out("3x8x8 net"), expected);
  EXPECT_EQ(out("3x8x8 - <net.txt"), expected);
  EXPECT_EQ(out("1x3x8x8 net.txt"), expected);
  EXPECT_EQ(std::system(("mkfifo '" + path("pipe.txt") + "' && (cat '" + path("net") + "' >'" + path("pipe.txt") + "' &)").c_str()), 0);
  EXPECT_EQ(out("3x8x8 pipe.txt"), expected);
}

TEST_F(Shape, ReadsOnnxModels) {
  spill(path("model.onnx"), onnx_max_pool("height"));
  std::filesystem::copy(path("model.onnx"), path("model.bin"));
  const std::string at_nine = out("model.onnx --size height=9");
  EXPECT_THAT(at_nine, HasSubstr("1x3x4x4"));
  EXPECT_THAT(at_nine, HasSubstr("loses row 8 of 9"));
  EXPECT_EQ(out("model.bin --size height=9"), at_nine);
  EXPECT_EQ(out("- --size height=9 <model.bin"), at_nine);
  EXPECT_EQ(out("model.onnx --input 1x3x9x8"), at_nine);
  EXPECT_EQ(out("1x3x9x8 model.onnx"), at_nine);
  expect_refused("shape model.onnx", 2, "height");
  expect_refused("shape model.onnx --size height", 2, "shape: --size needs a name and a number, such as height=480, got 'height'");
  expect_refused("shape model.onnx --size height=tall", 2, "shape: --size needs a whole number behind '=', got 'tall'");
  expect_refused("shape model.onnx --input 1x3xhx8", 2, "shape: --input: expected a shape such as 3x64x64, got '1x3xhx8'");
  expect_refused("shape 1x3x9x8 model.onnx --input 1x3x9x8", 2, "given twice");
  spill(path("broken.onnx"), "this is not ONNX");
  expect_refused("shape broken.onnx", 2, "read_onnx");
}

TEST_F(Shape, SaysWhatIsWrongWithText) {
  expect_refused("shape 3x8x8", 2, "shape: the shape of the input is missing");
  expect_refused("shape \"max 2\"", 2, "shape: the shape of the input is missing");
  expect_refused("shape 3by8 \"max 2\"", 2, "shape: expected a shape such as 3x64x64, got '3by8'");
  expect_refused("shape 3x8x8 \"max 2, mxa 3\"", 2, "unknown layer 'mxa'");
  expect_refused("shape 3x8x8 \"max 2, mxa 3\"", 2, "at character 8");
  expect_refused("shape 3x8x8 \"max 9\"", 2, "max");
  expect_refused("shape 3x8x8 missing.txt", 3, "missing.txt");
  expect_refused("shape 3x8x8 \"max 2\" --size height=8", 2, "--input and --size are for ONNX models");
  expect_refused("shape 3x8x8 \"$(printf 'max\\033[31m 2')\"", 2, "unknown");
}

TEST_F(Shape, RefusesOptionsThatDoNotGoTogether) {
  const std::string net = "shape 3x8x8 \"max 2\" ";
  expect_refused(net + "--json --markdown", 2, "choose one");
  expect_refused(net + "--json --prove", 2, "--prove answers in words");
  expect_refused(net + "--picture x.png", 2, "--picture needs --field-svg or --html");
  expect_refused(net + "--html a.html --svg a.html", 2, "two outputs have the name 'a.html'");
  spill(path("net.txt"), "max 2");
  expect_refused("shape 1x7x7 net.txt --html ./net.txt", 2, "'./net.txt' is an input and an output");
  EXPECT_EQ(slurp(path("net.txt")), "max 2");
  expect_refused(net + "--html -", 2, "need the name of a file");
  expect_refused(net + "--layer conv1", 2, "there is no layer 'conv1'");
  expect_refused(net + "--cell 1", 2, "2 positions");
  expect_refused(net + "--cell 1,x", 2, "shape: --cell needs one position for each spatial dimension, such as 2,3, got '1,x'");
  expect_refused(net + "--cell 1,", 2, "shape: --cell needs");
  expect_refused(net + "--cell 4,0", 2, "position must be between 0 and 3, got 4");
  expect_refused(net + "--element-size 0", 2, "--element-size");
  expect_refused(net + "--memory-speed -1", 2, "--memory-speed");
  expect_refused(net + "--memory-speed nan", 2, "--memory-speed");
  expect_refused(net + "--width 3", 2, "--width");
}

TEST_F(Shape, WritesFilesOnlyIfAllOfThemCanBe) {
  const std::string net = "shape 3x8x8 \"conv 3x3 4, max 2\" ";
  ASSERT_EQ(tool(net + "--html out.html --svg chain.svg --field-svg field.svg").code, 0);
  EXPECT_THAT(slurp(path("out.html")), HasSubstr("</html>"));
  EXPECT_THAT(slurp(path("chain.svg")), HasSubstr("</svg>"));
  EXPECT_THAT(slurp(path("field.svg")), HasSubstr("</svg>"));
  expect_refused(net + "--html new.html --svg missing/chain.svg", 3, "missing");
  EXPECT_FALSE(std::filesystem::exists(path("new.html")));
  expect_refused(net + "--html new.html --picture out.html", 2, "PNG");
}

TEST_F(Shape, PutsPicturesBehindFields) {
  io::AtomicFile file(path("picture.png"));
  io::write_png(file, {.pixels = zeros({3, 4, 4}, DType::u8), .srgb = {}, .file_gamma = {}});
  file.commit();
  ASSERT_EQ(tool("shape 3x8x8 \"conv 3x3 4, max 2\" --html out.html --field-svg field.svg --picture picture.png").code, 0);
  EXPECT_THAT(slurp(path("out.html")), HasSubstr("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_THAT(slurp(path("field.svg")), HasSubstr("data:image/png;base64,iVBORw0KGgo"));
}

TEST_F(Shape, CountsWithTheGivenElementSizeAndSpeed) {
  const json half = json::parse(out("3x8x8 \"max 2\" --json --element-size 2 --memory-speed 1"));
  const json full = json::parse(out("3x8x8 \"max 2\" --json"));
  EXPECT_EQ(half["totals"]["moved_bytes"], (3 * 64 + 3 * 16) * 2);
  EXPECT_DOUBLE_EQ(half["totals"]["seconds"], (3 * 64 + 3 * 16) * 2 / 1e9);
  EXPECT_DOUBLE_EQ(full["totals"]["seconds"], (3 * 64 + 3 * 16) * 4 / 10e9);
}

TEST_F(Shape, SaysWhatTheMiddleCellSees) {
  EXPECT_THAT(out("1x9x9 \"conv 3x3 1 p1\" --layer conv1"), HasSubstr("Cell 4,4 of conv1"));
  EXPECT_THAT(out("1x9x9 \"conv 3x3 1 p1\" --layer conv1"), HasSubstr("rows     3-5 (3 of 9); none of it is padding"));
}

TEST_F(Shape, ProvesFields) {
  const Answer answer = tool("shape 1x12x12 \"conv 3x3 2 d2, max 2\" --cell 1,1 --prove --field-svg field.svg");
  if (answer.code == 2 && answer.err.find("no tidepool::nn") != std::string::npos) GTEST_SKIP() << answer.err;
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("the field is proven by gradients"));
  EXPECT_EQ(tool("shape 1x12x12 \"conv 3x3 2 d2, max 2\" --cell 1,1 --field-svg plain.svg").code, 0);
  EXPECT_NE(slurp(path("field.svg")), slurp(path("plain.svg"))) << "without the effective field";
}

TEST_F(Shape, KeepsWithinTheWidth) {
  for (const int width : {40, 60, 80}) {
    std::istringstream lines(out(std::string("3x63x65 ") + chain + " --width " + std::to_string(width)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), static_cast<size_t>(width)) << line;
  }
}

TEST_F(Shape, HasColoursOnTerminalsOnly) {
  EXPECT_THAT(out("1x7x7 \"max 2\""), Not(HasSubstr("\033")));
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no pseudo-terminal";
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_THAT(terminal.run("shape 1x7x7 'max 2'"), HasSubstr("\033[33mmax_pool1"));
  setenv("NO_COLOR", "1", 1);
  EXPECT_THAT(terminal.run("shape 1x7x7 'max 2'"), Not(HasSubstr("\033")));
  unsetenv("NO_COLOR");
}

TEST_F(Shape, AnswersInMarkdown) { EXPECT_TRUE(out("1x7x7 \"max 2\" --markdown").starts_with("| name | layer | output |")); }

}  // namespace
}  // namespace tidepool::cli
