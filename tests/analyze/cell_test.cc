// What one cell sees, in words and as JSON.
#include "tidepool/analyze/cell.h"

#include <gmock/gmock.h>

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string text_of(const Dims& shape, std::string_view text, const std::vector<int64_t>& cell, int columns = 100) {
  const Network net = parse_network(shape, text);
  return cell_text(net, analyze(net), net.outputs().back(), cell, columns);
}

}  // namespace

TEST(Cell, IsClippedAtTheEnds) {
  EXPECT_EQ(text_of({3, 64, 64}, "conv 3x3 6 p1, max 2", {0, 31}),
            "Cell 0,31 of max_pool1 (max 2, output 1x6x32x32) depends on these positions of input (1x3x64x64):\n"
            "  rows     0-2 (3 of 64); with padding -1 to 2 (4)\n"
            "  columns  61-63 (3 of 64); with padding 61 to 64 (4)\n");
  EXPECT_THAT(text_of({3, 64, 64}, "conv 3x3 6 p1, max 2", {5, 5}), HasSubstr("  rows     9-12 (4 of 64); none of it is padding\n"));
}

TEST(Cell, HasHoles) {
  EXPECT_THAT(text_of({1, 16}, "conv 3 1 d3", {2}), HasSubstr("  positions 2, 5, 8 (3 of 16), holes at 3-4, 6-7; none of it is padding\n"));
}

TEST(Cell, OfAFieldWithoutPositionsIsTheWholeInput) {
  EXPECT_THAT(text_of({1, 8, 8}, "gap, flatten, linear 2", {}), HasSubstr("Every element of linear1 (linear 2, output 1x2) depends on"));
  EXPECT_THAT(text_of({1, 8, 8}, "gap, flatten, linear 2", {}), HasSubstr("  rows     0-7 (8 of 8); none of it is padding\n"));
}

TEST(Cell, KeepsWithinTheWidth) {
  for (const int columns : {20, 40, 60, 80}) {
    std::istringstream lines(text_of({1, 64, 64}, "conv 3x3 1 d3 p3, max 2 s3, conv 3x3 1 d5 p2", {0, 1}, columns));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), static_cast<size_t>(columns)) << line;
  }
}

TEST(Cell, AsJson) {
  const Network net = parse_network({1, 8}, "conv 3 2 p1 d2");
  EXPECT_EQ(cell_json(net, analyze(net), 1, {0}),
            "{\n"
            "  \"schema_version\": 1,\n"
            "  \"node\": 1,\n"
            "  \"name\": \"conv1\",\n"
            "  \"cell\": [0],\n"
            "  \"inputs\": [\n"
            "    {\n"
            "      \"input\": 0,\n"
            "      \"name\": \"input\",\n"
            "      \"exact\": true,\n"
            "      \"axes\": [\n"
            "        {\"dim\": 2, \"name\": \"l\", \"size\": 8, \"positions\": [[1, 2], [3, 4]], \"holes\": [[2, 3]], \"unclipped\": [[-1, "
            "0], [1, 2], [3, 4]]}\n"
            "      ],\n"
            "      \"boxes\": [\n"
            "        [[[0, 1]], [[0, 1]], [[1, 2], [3, 4]]]\n"
            "      ]\n"
            "    }\n"
            "  ]\n"
            "}\n");
}

TEST(Cell, UnclippedFieldsOfEveryCellAreThoseOfTheStride) {
  const Network net = parse_network({1, 20}, "conv 3 2 p1, max 2, conv 3 2 p1");
  const Report report = analyze(net);
  const Field& field = report.layers.back().fields[0];
  for (int64_t at = 0; at < net.nodes().back().shape[2]; ++at) {
    const RangeSet all = unclipped_field(net, 3, {at})[0];
    const int64_t begin = field.begin + at * field.stride.numerator();
    EXPECT_EQ(all, RangeSet(Range{begin, begin + field.size})) << at;
  }
}

TEST(Cell, UnclippedFieldsBehindAnUpsamplingRepeatTwice) {
  const Network net = parse_network({1, 6}, "up 2");
  std::vector<int64_t> begins;
  for (int64_t at = 0; at < 6; ++at) begins.push_back(unclipped_field(net, 1, {at})[0].hull().begin);
  EXPECT_THAT(begins, ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST(Cell, OutsideTheOutputIsRefused) {
  const Network net = parse_network({1, 8, 8}, "max 2");
  const Report report = analyze(net);
  EXPECT_THROW((void)cell_text(net, report, 1, {4, 0}), Error);
  EXPECT_THROW((void)cell_text(net, report, 1, {0}), Error);
  EXPECT_THROW((void)cell_json(net, report, 7, {0, 0}), Error);
  Network unknown;
  const int x = unknown.input("x", {1, 1, 8, 8});
  unknown.add(Unknown{"Loop"}, {x});
  EXPECT_THROW((void)cell_text(unknown, analyze(unknown), 1, {0, 0}), Error);
}

}  // namespace tidepool::analyze
