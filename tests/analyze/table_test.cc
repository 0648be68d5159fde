// Tables: what they say, and that they keep within the width.
#include "tidepool/analyze/table.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "analyze/columns.h"
#include "analyze/networks.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

using testing::HasSubstr;
using testing::Not;

namespace {

std::string table_of(const Network& net, const TableOptions& options = {}) { return to_table(net, analyze(net), options); }
std::string table_of(const Dims& shape, std::string_view text, const TableOptions& options = {}) {
  return table_of(parse_network(shape, text), options);
}

size_t widest(const std::string& text) {
  size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, width_of(line));
  return width;
}

constexpr auto chain = "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2";

}  // namespace

TEST(Table, OfTheChain) {
  EXPECT_EQ(table_of({3, 64, 64}, chain),
            "name       layer               output  field  stride  pad  params  mult-adds    bytes\n"
            "input      input            1x3x64x64      1       1    0                     49.2 kB\n"
            "conv1      conv 3x3 6 p1    1x6x64x64      3       1    1     168    663,552  98.3 kB\n"
            "max_pool1  max 2            1x6x32x32      4       2    1                     24.6 kB\n"
            "conv2      conv 3x3 12 p1  1x12x32x32      8       2    3     660    663,552  49.2 kB\n"
            "max_pool2  max 2           1x12x16x16     10       4    3                     12.3 kB\n"
            "conv3      conv 3x3 24 p1  1x24x16x16     18       4    7   2,616    663,552  24.6 kB\n"
            "max_pool3  max 2             1x24x8x8     22       8    7                      6.1 kB\n"
            "conv4      conv 3x3 48 p1    1x48x8x8     38       8   15  10,416    663,552  12.3 kB\n"
            "max_pool4  max 2             1x48x4x4     46      16   15                      3.1 kB\n"
            "\n"
            "parameters     13,860\n"
            "multiply-adds  2,654,208 (2.7 M)\n"
            "outputs        230.4 kB of all layers together\n"
            "peak memory    172.0 kB in inference, 202.8 kB in training, without the parameters\n"
            "moved          562.3 kB, 56.2 us at the speed of memory\n"
            "\n"
            "Nothing is lost: the outputs depend on every position of the inputs.\n");
}

TEST(Table, WritesAxesThatDifferApart) {
  const std::string table = table_of({3, 64, 32}, "conv 3x5 8, max 2x3");
  EXPECT_THAT(table, HasSubstr("  3x5  "));
  EXPECT_THAT(table, HasSubstr("  4x7     2x3 "));
}

TEST(Table, WritesStridesBelowOne) { EXPECT_THAT(table_of({3, 8, 8}, "up 2"), HasSubstr("1x3x16x16      1     1/2 ")); }

TEST(Table, HasFindingsWithRemedies) {
  const std::string table = table_of({1, 7, 7}, "max 2");
  EXPECT_THAT(table, HasSubstr("- max_pool1 (max 2) loses row 6 of 7 and column 6 of 7 (of the input: row 6 and column 6).\n"));
  EXPECT_THAT(table, HasSubstr("  To keep them: padding 0:1 along h and w; or padding 1 along h and w; or ceil_mode; or "));
  EXPECT_THAT(table, Not(HasSubstr("Nothing is lost")));
}

TEST(Table, ShowsUnknownLayersAsUnknown) {
  Network net;
  const int x = net.input("image", {1, 1, 8, 8});
  net.add(Elementwise{.function = "relu"}, {net.add(Unknown{"Loop"}, {x})});
  const std::string table = table_of(net);
  EXPECT_THAT(table, HasSubstr("Loop1  unknown Loop                     ?\n"));
  EXPECT_THAT(table, HasSubstr("relu1  elementwise relu identity        ?\n"));
  EXPECT_THAT(table, HasSubstr("- The layer Loop1 (Loop) is not known, so relu1 is not analysed.\n"));
}

TEST(Table, SaysWhatEachInputContributes) {
  Network net;
  const int left = net.input("left", {1, 1, 8, 8}), right = net.input("right", {1, 1, 8, 8});
  const int wide = net.add(parse_network({1, 8, 8}, "conv 3x3 1 p1").node(1).layer, {left});
  net.add(Merge{}, {wide, right});
  EXPECT_THAT(table_of(net), HasSubstr("1x1x8x8   3, 1 "));
}

TEST(Table, LeavesColumnsOutInTheDocumentedOrder) {
  const std::string lines[] = {"Too narrow for: pad.", "Too narrow for: pad, bytes.", "Too narrow for: pad, bytes, mult-adds.",
                               "Too narrow for: pad, bytes, mult-adds, params.", "Too narrow for: pad, bytes, mult-adds, params, stride."};
  int columns = 90;
  for (const std::string& line : lines) {
    const auto says_so = [&] {
      std::string table = table_of({3, 64, 64}, chain, {.columns = columns});
      std::ranges::replace(table, '\n', ' ');
      return table.find(line) != std::string::npos;
    };
    while (columns > 40 && !says_so()) --columns;
    EXPECT_GT(columns, 40) << line;
  }
}

TEST(Table, KeepsWithinTheWidth) {
  const Network nets[] = {parse_network({3, 64, 64}, chain), parse_network({3, 224, 224}, test::resnet50()),
                          parse_network({1, 63, 65}, "max 2, ( conv 3x3 4 p1 ) x99"),
                          parse_network({1, int64_t{1} << 30, 5}, "max 2, conv 1x1 1000000 nobias"),
                          parse_network({1, 1, 33, 35, 37}, "conv 3x3x3 8 p1, max 2x3x2")};
  for (const Network& net : nets)
    for (const int columns : {20, 33, 40, 60, 80, 100, 200})
      EXPECT_LE(widest(table_of(net, {.columns = columns})), static_cast<size_t>(columns)) << table_of(net, {.columns = columns});
}

TEST(Table, SaysEverythingInAListWhereColumnsDoNotFit) {
  const std::string table = table_of({3, 64, 64}, chain, {.columns = 40});
  EXPECT_THAT(
      table,
      HasSubstr(
          "conv4: conv 3x3 48 p1\n  output 1x48x8x8, field 38, stride 8,\n  pad 15, params 10,416,\n  mult-adds 663,552, bytes 12.3 kB\n"));
}

TEST(Table, HasColoursOnlyIfAsked) {
  EXPECT_THAT(table_of({1, 7, 7}, "max 2"), Not(HasSubstr("\033")));
  const std::string table = table_of({1, 7, 7}, "max 2", {.colour = true});
  EXPECT_THAT(table, HasSubstr("\033[33mmax_pool1"));
  EXPECT_THAT(table, Not(HasSubstr("\033[33minput")));
}

TEST(Table, TakesTheLargestNumbers) {
  const std::string table = table_of({1, 1, int64_t{1} << 30, int64_t{1} << 29}, "conv 1x1 4 nobias", {.columns = 200});
  EXPECT_THAT(table, HasSubstr("2.3 E"));
  EXPECT_THAT(table, HasSubstr("2,305,843,009,213,693,952 (2.3 E)"));
  EXPECT_THAT(table, HasSubstr("9.2 EB"));
}

TEST(Table, NamesCannotBreakLinesOrSendCommands) {
  Network net;
  net.add(Elementwise{.function = "re\nlu"}, {net.input("in\033[2Jput\r\n", {1, 1, 8, 8})}, std::string(1000, 'n'));
  const std::string table = table_of(net);
  EXPECT_THAT(table, Not(HasSubstr("\033")));
  EXPECT_THAT(table, HasSubstr("re lu"));
  EXPECT_LE(widest(table), 100u);
}

}  // namespace tidepool::analyze
