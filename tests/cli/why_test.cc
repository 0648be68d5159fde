// `tidepool why`: the windows of one layer, drawn in the terminal.
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_tool.h"
#include "terminal.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Why : public InFolder {
 protected:
  // The output of `tidepool why`, which must succeed.
  std::string why(const std::string& arguments) const {
    const Answer answer = tool("why " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.err;
    EXPECT_EQ(answer.err, "") << arguments;
    return answer.out;
  }
  void expect_shows(const std::string& arguments, const std::string& words) const {
    const std::string out = why(arguments);
    EXPECT_NE(out.find(words), std::string::npos) << arguments << "\n" << out << "\nwithout\n" << words;
  }
};

size_t widest(const std::string& text) {
  size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    most = std::max(most, static_cast<size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; })));
  return most;
}

TEST_F(Why, DrawsEveryWindowAndWhatIsLost) {
  expect_shows("7x7 'max 2'",
               "max 2: 1x1x7x7 -> 1x1x3x3\n\n"
               "axes h and w: 7 to 3; kernel 2, stride 2\n"
               "  cells  0  1  2  3  4  5 (6)\n"
               "  out 0 [0  1]\n"
               "  out 1       [2  3]\n"
               "  out 2             [4  5]\n"
               "  size    floor((7 + 0 + 0 - 2) / 2) + 1 = floor(5 / 2) + 1 = 3\n"
               "  unread  6: output 3 would reach 6-7, but the input ends at 6\n"
               "  kept by any of\n"
               "          padding 0:1\n");
  expect_shows("7x7 'max 2'", "13 of 49 are read by no output");
  expect_shows("7x7 'max 2'", "   35  36  37  38  39  40 (41)\n  (42)(43)(44)(45)(46)(47)(48)\n");
}

TEST_F(Why, DrawsPaddingOverhangAndDilation) {
  expect_shows("10 'max 3 s2 p1 ceil'", "  cells  p  0  1  2  3  4  5  6  7  8  9  p  -\n  out 0 [p  0  1]\n");
  expect_shows("10 'max 3 s2 p1 ceil'", "  out 5                               [9  p  -]\n");
  expect_shows("9 'max 3 d2'", "  cells  0 (1) 2  3  4  5 (6) 7 (8)\n  out 0 [0  .  2  .  4]\n");
  expect_shows("9 'max 3 d2'", "1, 6: a dilation of 2 leaves gaps between the cells of a window\n");
  expect_shows("3 'convt 1 1 s2'", "  out 1  reads no cell\n");
  expect_shows("4 'up 2 linear'", "  out 1 [0  1]        at 1/4\n");
  expect_shows("7 'fractional_max 2 out=3'", "begin at random places");
}

TEST_F(Why, NamesTheDivisorsOfAveragesWhereTheyDiffer) {
  const std::string out = why("10 'avg 3 s2 p1 ceil'");
  EXPECT_NE(out.find("[p  0  1]                                /3 or 2\n"), std::string::npos) << out;
  EXPECT_NE(out.find("[9  p  -]  /2 or 1\n"), std::string::npos) << out;
  EXPECT_NE(out.find("  signs   p is padding, - lies behind it, / is what an average is divided by"), std::string::npos) << out;
  EXPECT_EQ(why("10 'avg 2'").find('/', 60), why("10 'avg 2'").find("/ 2)")) << "only that of the formula";
  EXPECT_EQ(why("10 'max 3 s2 p1 ceil'").find(" or "), std::string::npos);
  expect_shows("7 'adaptive_avg 4'", "  out 0 [0  1]                 /2\n  out 1    [1  2  3]           /3\n");
}

TEST_F(Why, TakesShapesOfEveryRank) {
  expect_shows("7 'max 2'", "1x1x7 -> 1x1x3\n\naxis l: 7 to 3;");
  expect_shows("3x7x8 'max 2'", "1x3x7x8 -> 1x3x3x4\n\naxis h: 7 to 3;");
  expect_shows("2x3x7x8 'max 2'", "2x3x7x8 -> 2x3x3x4\n");
  expect_shows("3x7x8 'max 2' --rank 3", "1x1x3x7x8 -> 1x1x1x3x4\n\naxis d: 3 to 1;");
  expect_shows("4x3x7 'max 2' --rank 1", "4x3x7 -> 4x3x3\n");
  expect_shows("1x3x5x7x9 'max 2'", "1x3x5x7x9 -> 1x3x2x3x4\n");
  expect_refused("1x3x7x7 'max 2' --rank 1", 2, "tidepool: ");
  expect_refused("why 1x3x7x7 'max 2' --rank 1", 2, "why: a layer with 1 spatial dims takes shapes of 1 to 3 numbers, got 1x3x7x7");
}

TEST_F(Why, ShowsOneCellOrOneAxis) {
  const std::string cell = why("7x9 'max 3 s2 d2' --output 0,1");
  EXPECT_NE(cell.find("output 0,1 reads h 0, 2, 4, w 2, 4, 6\n"), std::string::npos) << cell;
  EXPECT_NE(cell.find("  out 1 [2  .  4  .  6]\n"), std::string::npos) << cell;
  EXPECT_NE(cell.find("    0 ( 1)[ 2]( 3)[ 4]( 5)[ 6]( 7)  8\n"), std::string::npos) << "the plane, with the window picked out\n" << cell;
  EXPECT_EQ(cell.find("size"), std::string::npos);
  const std::string axis = why("7x9 'max 2' --axis w");
  EXPECT_EQ(axis.find("axis h"), std::string::npos);
  EXPECT_NE(axis.find("axis w: 9 to 4"), std::string::npos);
  expect_shows("1000000000x9 'max 2' --output 499999999,1", "reads h 999999998-999999999, w 2-3");
}

TEST_F(Why, ShortensLongAxes) {
  const std::string shown = why("100 'max 2'"), all = why("100 'max 2' --all");
  EXPECT_NE(shown.find("  ... 42 more outputs ...\n"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("out 4 "), std::string::npos);
  EXPECT_NE(shown.find("out 49"), std::string::npos);
  for (int o = 0; o < 50; ++o) EXPECT_NE(all.find("out " + std::to_string(o) + " "), std::string::npos) << o;
  EXPECT_EQ(all.find("..."), std::string::npos);
  expect_shows("300 'max 200 s3'", "  out 0  0-199 (200 cells)\n");
  expect_refused("why 1000000 'max 2' --all", 2, "why: --all shows at most 100000 outputs, got 500000 (axis l)");
}

TEST_F(Why, AnswersAtOnceForHugeShapes) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* layer : {"max 2", "max 2 s3", "avg 3 s2 p1 ceil", "conv 3x3 1 d1000", "up 0.5", "adaptive_avg 999999999", "gap",
                            "crop 1", "max 1000 s7 d3", "max 100000000"}) {
    const std::string shape = "1000000000x1000000000 '" + std::string(layer) + "'";
    EXPECT_LT(why(shape).size(), 20'000u) << layer;
    EXPECT_LT(why(shape + " --json").size(), 1'000'000u) << layer;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Why, FitsNarrowAndWideScreens) {
  for (const int width : {20, 21, 33, 40, 80, 120})
    for (const char* what : {"7x7 'max 2'", "100 'avg 3 s2 p1 ceil'", "1000000000x1000000001 'max 2 s3'", "9x9 'max 3 d2' --output 0,0",
                             "4 'up 2 linear'", "300 'max 200 s3'", "64x64 'convt 4x4 8 s2 p1'"}) {
      const std::string out = why(std::string(what) + " --width " + std::to_string(width));
      EXPECT_LE(widest(out), static_cast<size_t>(width)) << what << "\n" << out;
    }
  EXPECT_LE(widest(why("100 'max 2'")), 80u);
  expect_refused("why 7 'max 2' --width 10", 2, "--width");
}

TEST_F(Why, AnswersInJson) {
  const json answer = json::parse(why("7x8 'max 2' --json"));
  EXPECT_EQ(answer["layer"], "max 2");
  EXPECT_EQ(answer["kind"], "max_pool");
  EXPECT_EQ(answer["output_shape"], json({1, 1, 3, 4}));
  const json& h = answer["axes"][0];
  EXPECT_EQ(h["axis"], "h");
  EXPECT_EQ(h["outputs"].size(), 3u);
  EXPECT_EQ(h["outputs"][2]["begin"], 4);
  EXPECT_EQ(h["unread"][0]["ranges"], json({{6, 7}}));
  EXPECT_EQ(h["remedies"][2], "ceil_mode");
  EXPECT_EQ(answer["axes"][1]["unread"], json::array());
  EXPECT_EQ(json::parse(why("9 'up 2 linear' --json"))["axes"][0]["outputs"][1]["coordinate"], 0.25);
}

TEST_F(Why, DrawsIntoAFile) {
  (void)why("7x7 'max 2' --svg out.svg");
  const std::string svg = slurp(path("out.svg"));
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (size_t at = 0; (at = svg.find(words, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("class=\"cell\""), 6);
  EXPECT_EQ(count("class=\"lost\""), 1);
  EXPECT_EQ(count("class=\"won\""), 6);
  EXPECT_EQ(count("class=\"w0\"") + count("class=\"w1\"") + count("class=\"w2\""), 3);
  EXPECT_NE(svg.find("output 3 would reach 6-7"), std::string::npos);
  expect_refused("why 7x7 'max 2' --svg nowhere/out.svg", 3, "nowhere/out.svg");
}

TEST_F(Why, RefusesWhatItCannotExplain) {
  expect_refused("why", 2, "shape is required");
  expect_refused("why 7x7", 2, "layer is required");
  expect_refused("why 7x7 ''", 2, "has no layers");
  expect_refused("why '' 'max 2'", 2, "shape");
  expect_refused("why 7xq 'max 2'", 2, "why: shape: expected");
  expect_refused("why 0x7 'max 2'", 2, "got 0");
  expect_refused("why -- -7x7 'max 2'", 2, "got -7");
  expect_refused("why 99999999999999999999 'max 2'", 2, "fit in 64 bits");
  expect_refused("why 1x2x3x4x5x6x7x8x9 'max 2'", 2, "shape");
  expect_refused("why 1x2x3x4x5x6 'max 2'", 2, "why: a layer with 2 spatial dims takes shapes of 2 to 4 numbers");
  expect_refused("why 7x7 'maks 2'", 2, "unknown layer 'maks'");
  expect_refused("why 7x7 'max 2, max 2'", 2, "why: takes one layer, got 2; tidepool shape takes networks");
  expect_refused("why 7x7 relu", 2, "why: 'relu' has no windows");
  expect_refused("why 7x7 flatten", 2, "why: 'flatten' has no windows");
  expect_refused("why 7x7 'max 9'", 2, "output size must be at least 1");
  expect_refused("why 7x7 'max 2' --axis d", 2, "why: --axis must be one of h, w, got 'd'");
  expect_refused("why 7x7 'max 2' --output 3,0", 2, "why: --output must be inside the output, got 3 of 3 (axis h)");
  expect_refused("why 7x7 'max 2' --output ''", 2, "why: --output: expected");
  expect_refused("why 7x7 'max 2' --axis ''", 2, "why: --axis must be one of h, w, got ''");
  expect_refused("why 7x7 'max 2' --output 0", 2, "why: --output must have one position per spatial dim, 2, got 1 in '0'");
  expect_refused("why 7x7 'max 2' --output=-1,0", 2, "got -1 of 3");
  expect_refused("why 7x7 \"$(printf 'max\\n\\0332')\"", 2, "network: expected a number");
  expect_refused("why 7x7 'conv 3x3'", 2, "needs a number of channels");
}

TEST_F(Why, UsesColourOnATerminalOnly) {
  EXPECT_EQ(why("7x7 'max 2'").find('\033'), std::string::npos);
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no pseudo-terminals";
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  const std::string shown = terminal.run("why 7x7 'max 2'");
  EXPECT_NE(shown.find("\033[30;46m 0  1 \033[0m"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\033[2;31m 6 \033[0m"), std::string::npos) << shown;
  setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(terminal.run("why 7x7 'max 2'").find('\033'), std::string::npos);
  unsetenv("NO_COLOR");
}

}  // namespace
}  // namespace tidepool::cli
