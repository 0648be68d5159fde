// The exact input cells of output cells, clipped, holes and branches included.
#include "tidepool/analyze/dependence.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

namespace {

// Of one cell of the last layer, on the first input.
Dependence of_cell(const Network& net, const std::vector<int64_t>& cell) {
  const int last = static_cast<int>(net.nodes().size()) - 1;
  const auto found = dependence(net, last, one_cell(net.node(last).shape, cell));
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? Dependence{} : found[0];
}

std::string rows_of(const Dims& shape, std::string_view text, const std::vector<int64_t>& cell) {
  return to_string(of_cell(parse_network(shape, text), cell).along(2));
}

}  // namespace

TEST(Dependence, IsClippedAtTheEnds) {
  EXPECT_EQ(rows_of({1, 10}, "conv 5 1 p2", {0}), "0-2");
  EXPECT_EQ(rows_of({1, 10}, "conv 5 1 p2", {5}), "3-7");
  EXPECT_EQ(rows_of({1, 10}, "conv 5 1 p2", {9}), "7-9");
  // Clipped at every layer, not only at the input: the second layer's padding is not a cell of the first.
  EXPECT_EQ(rows_of({1, 10}, "max 2, conv 3 1 p1", {0}), "0-3");
  EXPECT_EQ(rows_of({1, 10}, "conv 2 1 s2, conv 2 1 s2", {1}), "4-7");
}

TEST(Dependence, HasHoles) {
  EXPECT_EQ(rows_of({1, 20}, "conv 3 1 d4", {3}), "3, 7, 11");
  EXPECT_EQ(rows_of({1, 20}, "conv 1 1 s3, conv 2 1", {2}), "6, 9");
  EXPECT_EQ(rows_of({1, 20}, "conv 3 1 d4, conv 2 1", {3}), "3-4, 7-8, 11-12");
}

TEST(Dependence, OfUpsampling) {
  EXPECT_EQ(rows_of({1, 6}, "up 2", {7}), "3");
  EXPECT_EQ(rows_of({1, 6}, "up 2 linear", {7}), "3-4");
  EXPECT_EQ(rows_of({1, 6}, "up 2 linear", {0}), "0");  // the coordinate is -1/4, clamped
  EXPECT_EQ(rows_of({1, 6}, "convt 2 1 s2", {7}), "3");
  EXPECT_EQ(rows_of({1, 6}, "convt 3 1 s2 p1 o1", {3}), "1-2");
  EXPECT_EQ(rows_of({1, 6}, "pad 2 reflect", {0}), "2");
  EXPECT_EQ(rows_of({1, 6}, "pad 2 circular, conv 3 1", {0}), "0, 4-5");
}

TEST(Dependence, OfBranchesIsAUnionOfBoxes) {
  const Network net = parse_network({1, 9, 9}, "[ conv 5x1 1 p2x0 | conv 1x5 1 p0x2 ] add");
  const Dependence cross = of_cell(net, {4, 4});
  EXPECT_EQ(cross.boxes.size(), 2u);
  EXPECT_TRUE(cross.exact);
  for (int64_t row = 0; row < 9; ++row)
    for (int64_t column = 0; column < 9; ++column) {
      const bool in = (column == 4 && row >= 2 && row <= 6) || (row == 4 && column >= 2 && column <= 6);
      EXPECT_EQ(cross.contains({0, 0, row, column}), in) << row << ", " << column;
    }
}

TEST(Dependence, OfAWholeBoxOfCells) {
  const Network net = parse_network({1, 12, 12}, "max 2, conv 3x3 1 p1");
  Box box = one_cell(net.node(2).shape, {1, 2});
  box.dims[2] = RangeSet(Range{1, 3});
  const auto found = dependence(net, 2, box);
  EXPECT_EQ(to_string(found[0].along(2)), "0-7");
  EXPECT_EQ(to_string(found[0].along(3)), "2-7");
}

TEST(Dependence, FollowsFlattenedCells) {
  // Element 13 of 2x3x3 is channel 1, row 1, column 1.
  const Network net = parse_network({2, 3, 3}, "flatten, slice 1 13:14");
  const auto found = dependence(net, 2, whole(net.node(2).shape));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(to_string(found[0].along(1)), "1");
  EXPECT_EQ(to_string(found[0].along(2)), "1");
  EXPECT_EQ(to_string(found[0].along(3)), "1");
  EXPECT_TRUE(found[0].exact);
}

TEST(Dependence, FollowsChannels) {
  const Network net = parse_network({4, 5, 5}, "[ slice 1 0:2 | slice 1 2:4, max 5 p2 s1 ] concat, slice 1 2:3");
  const auto found = dependence(net, 5, one_cell(net.node(5).shape, {2, 2}));
  EXPECT_EQ(to_string(found[0].along(1)), "2");
  EXPECT_EQ(to_string(found[0].along(2)), "0-4");
}

TEST(Dependence, OfSeveralInputs) {
  const Network net = parse_network({1, 8}, "x: conv 3 1 p1, y: input 1x4, up 2, add x");
  const auto found = dependence(net, 4, one_cell(net.node(4).shape, {5}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].input, 0);
  EXPECT_EQ(to_string(found[0].along(2)), "4-6");
  EXPECT_EQ(to_string(found[1].along(2)), "2");
}

TEST(Dependence, SaysWhenItIsAnUpperBound) {
  EXPECT_FALSE(of_cell(parse_network({4, 6, 6}, "reshape 1x8x3x6"), {1, 1}).exact);
  EXPECT_FALSE(of_cell(parse_network({1, 32}, "fractional_max 2 out=13"), {1}).exact);
  EXPECT_TRUE(of_cell(parse_network({1, 32}, "max 2"), {1}).exact);
}

TEST(Dependence, RefusesCellsThatDoNotExist) {
  const Network net = parse_network({1, 8, 8}, "max 2, unknown TopK, relu");
  const auto message = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& e) {
      return e.message();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { one_cell(net.node(1).shape, {4, 0}); }), "analyze: position must be between 0 and 3, got 4 (dimension 2)");
  EXPECT_EQ(message([&] { one_cell(net.node(1).shape, {0, -1}); }), "analyze: position must be between 0 and 3, got -1 (dimension 3)");
  EXPECT_EQ(message([&] { one_cell(net.node(1).shape, {0}); }), "analyze: a cell of 1x1x4x4 has 2 positions, got 1");
  EXPECT_EQ(message([&] { dependence(net, 9, whole({1})); }), "analyze: there is no node 9, the network has 4");
  EXPECT_EQ(message([&] { dependence(net, 3, whole({1, 1, 4, 4})); }), "analyze: 'relu1' depends on the unknown layer 'TopK1'");
  EXPECT_EQ(message([&] { dependence(net, 1, whole({1, 4, 4})); }), "analyze: cells of 'max_pool1' have 4 dimensions, got 3");
}

}  // namespace tidepool::analyze
