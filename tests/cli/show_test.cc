// `tidepool show`: windows, results and gradients of small arrays.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "pool_files.h"
#include "tidepool/creation.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Show : public Pool {
 protected:
  std::string show(const std::string& arguments) const {
    const Answer answer = tool("show " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.err;
    EXPECT_EQ(answer.err, "") << arguments;
    return answer.out;
  }
  json facts(const std::string& arguments) const { return json::parse(show(arguments + " --json")); }
  void expect_shows(const std::string& arguments, const std::string& words) const {
    const std::string out = show(arguments);
    EXPECT_NE(out.find(words), std::string::npos) << arguments << "\n" << out << "\nwithout\n" << words;
  }
};

TEST_F(Show, DrawsEveryWindowWithItsComputation) {
  EXPECT_EQ(show("'avg 2 s1' --array '1 2 3; 4 5 6; 7 8 9' --grad '1 1; 1 5'"),
            "avg 2 s1: 3x3 -> 2x2\n\n"
            "  input       output\n"
            "   1  2  3     3  4\n"
            "   4  5  6     6  7\n"
            "   7  8  9\n\n"
            "windows\n"
            "  out 0,0  (1 + 2 + 4 + 5) / 4 = 3\n"
            "  [1][2] 3    [3] 4\n"
            "  [4][5] 6     6  7\n"
            "   7  8  9\n\n"
            "  out 0,1  (2 + 3 + 5 + 6) / 4 = 4\n"
            "   1 [2][3]    3 [4]\n"
            "   4 [5][6]    6  7\n"
            "   7  8  9\n\n"
            "  out 1,0  (4 + 5 + 7 + 8) / 4 = 6\n"
            "   1  2  3     3  4\n"
            "  [4][5] 6    [6] 7\n"
            "  [7][8] 9\n\n"
            "  out 1,1  (5 + 6 + 8 + 9) / 4 = 7\n"
            "   1  2  3     3  4\n"
            "   4 [5][6]    6 [7]\n"
            "   7 [8][9]\n\n"
            "gradient\n"
            "  of the output   of the input\n"
            "   1  1            0.25   0.5  0.25\n"
            "   1  5             0.5     2   1.5\n"
            "                   0.25   1.5  1.25\n");
}

TEST_F(Show, NamesWinnersAndTies) {
  const std::string array = " --array '5 5 2 1; 1 5 0 2; 9 9 9 9'";
  expect_shows("'max 2'" + array, "max(5 5 1 5) = 5 from 0,0 (also at 0,1 and 1,1; the first wins)\n");
  expect_shows("'max 2'" + array, "max(2 1 0 2) = 2 from 0,2 (also at 1,3; the first wins)\n");
  expect_shows("'min 2'" + array, "min(5 5 1 5) = 1 from 1,0\n");
  expect_shows("'max 2'" + array, "  (9)(9)(9)(9)\n  [ ] is the cell that an output comes from, ( ) is a cell that no window reads\n");
  expect_shows("'max 2'" + array, "  of the output   of the input\n   1  1           [1] 0 [1] 0\n");
  expect_shows("'max 2' --array '1 nan'", "max(1 nan) = nan from 1, because NaN wins over all numbers\n");
  expect_shows("'max 2' --array '-inf -inf'", "max(-inf -inf) = -inf from 0 (also at 1; the first wins)\n");
}

TEST_F(Show, ShowsDivisorsAndPadding) {
  expect_shows("'avg 3 s2 p1' --array '1 2 3 4 5'", "(1 + 2) / 3 = 1; 1 of 3 cells lie outside the input\n");
  expect_shows("'avg 3 s2 p1' --array '1 2 3 4 5' --count-include-pad false", "(1 + 2) / 2 = 1.5; 1 of 3 cells lie outside the input\n");
  expect_shows("'avg 2 ceil' --array '1 2 3'", "(3) / 1 = 3; 1 of 2 cells lie outside the input\n");
  expect_shows("'avg 2 ceil' --array '1 2 3' --count-include-pad full_kernel", "(3) / 2 = 1.5;");
  expect_shows("'sum 2' --array '-1 2; 3 -4'", "-1 + 2 + 3 - 4 = 0\n");
  expect_shows("'lp 2' --array '3 4'", "(|3|^2 + |4|^2)^(1/2) = 5\n");
  expect_shows("'lp 2' --array '3 4' --norm-type 1", "(|3|^1 + |4|^1)^(1/1) = 7\n");
  expect_shows("'adaptive_avg 2' --array '1 2 3'", "(2 + 3) / 2 = 2.5\n");
}

// What is printed for each window must lead to the result that the library gave, and gradients must add up.
TEST_F(Show, IsConsistent) {
  const std::string layers[] = {"max 3 s2 p1", "min 2 s1 d2",    "avg 3 s2 p1 ceil",      "avg 2 same",
                                "sum 3 s1 p1", "adaptive_avg 3", "adaptive_max 2",        "gap",
                                "gmp",         "max 2x1 s1x2",   "fractional_max 2 out=3"};
  for (const std::string& layer : layers)
    for (const std::string shape : {"7", "6x7", "4x5x6"}) {
      if ((layer.find('x', 4) != std::string::npos && layer.starts_with("max 2x") && shape != "6x7") ||
          (layer.starts_with("fractional") && shape == "7"))
        continue;
      for (const std::string dtype : {"f32", "f64"}) {
        SCOPED_TRACE(layer + " " + shape + " " + dtype);
        const json shown = facts("'" + layer + "' --random " + shape + " --seed 3 --dtype " + dtype);
        EXPECT_EQ(shown["dtype"], dtype);
        const bool adds = layer.starts_with("sum"), divides = layer.starts_with("avg") || layer == "gap" || layer == "adaptive_avg 3";
        std::vector<double> gradient(1000);
        for (const json& window : shown["windows"]) {
          const auto values = window["values"].get<std::vector<double>>();
          const auto cells = window["cells"].get<std::vector<size_t>>();
          const double sum = std::accumulate(values.begin(), values.end(), 0.0), result = window["result"];
          if (divides || adds) {
            const double divisor = divides ? window["divisor"].get<double>() : 1;
            EXPECT_NEAR(result, sum / divisor, 1e-6);
            for (const size_t cell : cells) gradient[cell] += 1 / divisor;
          } else {
            EXPECT_EQ(result, layer.starts_with("min") ? *std::ranges::min_element(values) : *std::ranges::max_element(values));
            const auto winner = window["winner"].get<size_t>();
            EXPECT_NE(std::ranges::find(cells, winner), cells.end());
            EXPECT_EQ(static_cast<size_t>(std::ranges::count(values, result)), 1 + window["ties"].size());
            gradient[winner] += 1;
          }
        }
        size_t at = 0;
        const auto expect_equal = [&](const auto& self, const json& part) -> void {
          if (part.is_array())
            for (const json& inner : part) self(self, inner);
          else
            EXPECT_NEAR(part.get<double>(), gradient[at++], 1e-5);
        };
        expect_equal(expect_equal, shown["gradient"]);
        EXPECT_GT(at, 6u);
      }
    }
}

TEST_F(Show, ReadsArraysFromEverywhere) {
  write("a.npy", tensor({{1, 5}, {5, 2}}));
  write("batch.npy", tensor({{{{1, 5}, {5, 2}}}}));
  spill(path("a.csv"), "1,5\r\n5, 2\r\n\r\n");
  const json expected = facts("'max 2' --array '1 5; 5 2'")["windows"];
  for (const char* input : {"a.npy", "batch.npy", "a.csv", "- <a.csv", "- <a.npy"})
    EXPECT_EQ(facts("'max 2' " + std::string(input))["windows"], expected);
  EXPECT_EQ(facts("'max 2' --random 4x6 --seed 1")["input"], facts("'max 2' --random 4x6 --seed 1")["input"]);
  EXPECT_NE(facts("'max 2' --random 4x6 --seed 1")["input"], facts("'max 2' --random 4x6 --seed 2")["input"]);
  EXPECT_EQ(facts("'max 2'")["input_shape"], json({4, 4}));
  EXPECT_EQ(facts("'max 2' --array '1 2 3 4'")["input_shape"], json({4}));
  EXPECT_EQ(facts("'max 1x2' --array '1 2 3 4' --rank 2")["input_shape"], json({1, 4}));
  EXPECT_EQ(facts("'max 2' --array '1 2; 3 4 | 5 6; 7 8'")["input_shape"], json({2, 2, 2}));
  expect_shows("'max 2' --array '1 2; 3 4 | 5 6; 7 8'", "out 0,0,0  max(1 2 3 4 5 6 7 8) = 8 from 1,1,1\n");
}

TEST_F(Show, ListsManyWindowsShortened) {
  const std::string shown = show("'max 3 s1 p1' --random 8x8"), all = show("'max 3 s1 p1' --random 8x8 --all");
  EXPECT_NE(shown.find("... 48 more windows, --all shows them ..."), std::string::npos) << shown;
  EXPECT_EQ(shown.find("out 4,4"), std::string::npos);
  EXPECT_NE(all.find("out 4,4"), std::string::npos);
  expect_shows("'gap' --random 16x16 --width 200", " + ... 256 cells) / 256 = ");
}

TEST_F(Show, FitsNarrowAndWideScreens) {
  for (const int width : {20, 40, 80, 120})
    for (const char* what :
         {"'max 2' --random 9x9", "'avg 3 s1 p1' --random 5x40", "'max 2' --random 4x4x4", "'lp 2' --random 100", "gap --random 16x16"}) {
      std::istringstream lines(show(std::string(what) + " --width " + std::to_string(width)));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), static_cast<size_t>(width)) << what << "\n" << line;
    }
}

TEST_F(Show, DrawsIntoAFile) {
  expect_refused("show 'max 2' --array '1 5 <; 5 2 3' --svg no.svg", 2, "expected a number, got '<'");
  (void)show("'max 2' --array '1 5 3; 5 2 3' --svg out.svg");
  const std::string svg = slurp(path("out.svg"));
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n")) << svg;
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (size_t at = 0; (at = svg.find(words, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("class=\"won\""), 2) << "the winner, in the input and in the gradient";
  EXPECT_EQ(count("class=\"lost\""), 4);
  EXPECT_EQ(count("class=\"w0\""), 2) << "the window and its output";
  EXPECT_NE(svg.find("max(1 5 5 2) = 5"), std::string::npos);
}

TEST_F(Show, RefusesWhatItCannotShow) {
  write("large.npy", rand({64, 64}, 1));
  write("channels.npy", rand({2, 3, 4, 4}, 1));
  write("empty.npy", Tensor(Dims{0, 4}));
  spill(path("words.csv"), "a,b\n1,2\n");
  spill(path("nothing.csv"), "\n\n");
  spill(path("picture.png"), "\x89PNG\r\n\x1a\n and so on");
  expect_refused("show", 2, "layer is required");
  expect_refused("show 'maks 2'", 2, "unknown layer 'maks'");
  expect_refused("show 'conv 3x3 8'", 2, "show: takes pooling layers, max, min, avg, sum, lp");
  expect_refused("show relu", 2, "show: takes pooling layers");
  expect_refused("show 'unpool 2'", 2, "show: takes pooling layers");
  expect_refused("show 'max 2, max 2'", 2, "show: takes one layer, got 2");
  expect_refused("show 'max 9'", 2, "output size must be at least 1");
  expect_refused("show 'max 2' --array ''", 2, "show: --array: an array without numbers");
  expect_refused("show 'max 2' --array ';;|'", 2, "show: --array: an array without numbers");
  expect_refused("show 'max 2' --array '1 2; 3'", 2, "show: --array: rows must be equally long, got 2 and 1 numbers");
  expect_refused("show 'max 2' --array '1 2 | 3'", 2, "slices must have equally many rows and columns");
  expect_refused("show 'max 2' --array '1 two'", 2, "show: --array: expected a number, got 'two'");
  expect_refused("show 'max 2' --array '1 1e999'", 2, "expected a number, got '1e999'");
  expect_refused("show 'max 2' words.csv", 2, "show: 'words.csv': expected a number, got 'a'");
  expect_refused("show 'max 2' nothing.csv", 2, "an array without numbers");
  expect_refused("show 'max 2' empty.npy", 2, "an array without numbers");
  expect_refused("show 'max 2' large.npy", 2, "takes at most 256 numbers, got 4096; tidepool pool takes large arrays");
  expect_refused("show 'max 2' channels.npy", 2, "takes arrays of 1 to 3 dims, without batch and channels, got 2x3x4x4");
  expect_refused("show 'max 2' picture.png", 2, "takes .npy files and text");
  expect_refused("show 'max 2' missing.npy", 3, "missing.npy");
  expect_refused("show 'max 2' - </dev/zero", 2, "standard input is longer than 1048576 bytes");
  expect_refused("show 'max 2' - </dev/null", 2, "an array without numbers");
  expect_refused("show 'max 2' --random 1000000000x1000000000", 2, "show: --random takes 1 to 3 sizes and at most 256 numbers");
  expect_refused("show 'max 2' --random 0", 2, "show: --random");
  expect_refused("show 'max 2' --random 4x4 --array 1", 2, "show: takes one of a file, --array and --random");
  expect_refused("show 'adaptive_avg 100000' --random 4x4", 2, "show: takes layers with at most 256 outputs");
  expect_refused("show 'max 2' --grad '1 2 3'", 2, "show: --grad must have the shape of the output, 2x2, got 3");
  expect_refused("show 'max 2' --grad ''", 2, "show: --grad: an array without numbers");
  expect_refused("show 'max 2' ''", 2, "a file name is empty");
  expect_refused("show 'max 2' --norm-type ''", 2, "show: --norm-type: expected");
  expect_refused("show 'max 2' --svg ''", 3, "cannot");
  expect_refused("show 'max 2' --grad 'x'", 2, "show: --grad: expected a number, got 'x'");
  expect_refused("show 'max 2' --norm-type 3", 2, "show: --norm-type belongs to lp, got 'max 2'");
  expect_refused("show 'max 2' --count-include-pad false", 2, "show: --count-include-pad belongs to avg");
  expect_refused("show 'max 2' --dtype i32", 2, "--dtype");
  expect_refused("show 'max 2' --svg nowhere/x.svg", 3, "nowhere/x.svg");
  expect_refused("show 'max 2' --rank 1", 2, "show: array: must have 1 dims or fewer, got 4x4");
}

}  // namespace
}  // namespace tidepool::cli
