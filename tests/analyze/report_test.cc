// Fields along each axis: sizes, strides, holes, saturation and misalignment.
#include "tidepool/analyze/report.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;

namespace {

Report report_of(const Dims& shape, std::string_view text) { return analyze(parse_network(shape, text)); }

Field last(const Dims& shape, std::string_view text, size_t axis = 0) { return report_of(shape, text).layers.back().fields[axis]; }

std::vector<bool> saturated(const Report& report, size_t axis = 0) {
  std::vector<bool> flags;
  for (const LayerReport& layer : report.layers) flags.push_back(layer.fields[axis].saturated);
  return flags;
}

}  // namespace

TEST(Fields, AreForAxesThatAnInterpolationKeepsToo) {
  const Report report = report_of({1, 44, 11}, "resize 11");
  ASSERT_EQ(report.axes.size(), 2u);
  EXPECT_EQ(report.axes[0].name, "h");
  EXPECT_EQ(report.axes[1].name, "w");
  EXPECT_EQ(report.layers[1].fields[1].stride, Rational(1));
}

TEST(Fields, HaveHoles) {
  const Field dilated = last({1, 64}, "conv 3 1 d2 p2, conv 3 1 d6 p6");
  EXPECT_EQ(dilated.size, 1 + 4 + 12);
  EXPECT_EQ(dilated.begin, -8);
  EXPECT_EQ(to_string(dilated.holes), "-7, -5, -3, -1, 1, 3, 5, 7");
  const Field strided = last({1, 64}, "conv 1 1 s3, conv 2 1");  // reads cells 0 and 3
  EXPECT_EQ(strided.size, 4);
  EXPECT_EQ(to_string(strided.holes), "1-2");
  EXPECT_TRUE(last({1, 64}, "conv 3 1 d2 p2, conv 3 1 d1").holes.empty());  // the second one fills them
}

TEST(Fields, DifferAlongAxes) {
  const Report report = report_of({1, 32, 40}, "conv 3x5 1, max 2x1, conv 1x3 1");
  const LayerReport& layer = report.layers.back();
  EXPECT_EQ(layer.fields[0].size, 4);
  EXPECT_EQ(layer.fields[1].size, 7);
  EXPECT_EQ(layer.fields[0].stride, Rational(2));
  EXPECT_EQ(layer.fields[1].stride, Rational(1));
  EXPECT_EQ(report.axes[0].name + report.axes[1].name, "hw");
}

TEST(Fields, OfThreeDimensions) {
  const Report report = report_of({1, 1, 8, 16, 32}, "conv 3x3x3 1 p1, max 1x2x2, conv 3x3x3 1 p1");
  ASSERT_EQ(report.axes.size(), 3u);
  EXPECT_EQ(report.axes[0].name + report.axes[1].name + report.axes[2].name, "dhw");
  EXPECT_EQ(report.layers.back().fields[0].size, 5);
  EXPECT_EQ(report.layers.back().fields[1].size, 8);
}

TEST(Fields, OfUpsampledCells) {
  const Field up = last({1, 16}, "max 2, up 2");
  EXPECT_EQ(up.stride, Rational(1));
  EXPECT_EQ(up.size, 2);
  const Field transposed = last({1, 16}, "convt 2 1 s2");
  EXPECT_EQ(transposed.stride, Rational(1, 2));
  EXPECT_EQ(transposed.size, 1);
  EXPECT_EQ(last({1, 16}, "convt 3 1 s2 p1 o1").size, 2);  // every other cell is reached from two inputs
}

TEST(Fields, OfWholePlanes) {
  for (const std::string text : {"gap", "mean", "flatten, linear 10", "adaptive_max 1", "linear 3, softmax 2, softmax 3"})
    EXPECT_EQ(last({1, 9, 9}, text).size, 9) << text;
  EXPECT_EQ(last({1, 9, 9}, "gap").stride, Rational(0));
  EXPECT_EQ(last({1, 9, 9}, "flatten").size, 1);
}

TEST(Fields, CentresTellWhereCellsLook) {
  EXPECT_EQ(last({1, 32}, "conv 3 1 p1, conv 3 1 p1").centre, Rational(0));
  EXPECT_EQ(last({1, 32}, "max 2, max 2").centre, Rational(3, 2));
  EXPECT_EQ(last({1, 32}, "conv 3 1").centre, Rational(1));
}

TEST(Fields, OfReshapesThatAreNotFollowedAreUpperBounds) {
  const Field field = last({4, 6, 6}, "conv 3x3 4 p1, reshape 1x8x3x6, conv 3x3 1 p1");
  EXPECT_TRUE(field.at_most);
  EXPECT_EQ(field.size, 8);  // six rows, and the padding on both sides
  EXPECT_TRUE(last({1, 32}, "fractional_max 2 out=13").at_most);
}

TEST(Fields, LongListsOfHolesAreLeftOut) {
  const Field field = last({1, 100000}, "( conv 3 1 d3 p3 ) x5000");
  EXPECT_TRUE(field.at_most);
  EXPECT_EQ(field.size, 1 + 5000 * 6);
  EXPECT_FALSE(last({1, 100000}, "( conv 3 1 d3 p3 ) x500").at_most);
}

TEST(Saturation, LayersThatSeeNothingNewAreMarked) {
  // Fields: 1, 5, 9, 13, 17, 21 of 12 cells. A layer is unproductive if what it reads has more than the input already.
  const Report report = report_of({1, 12}, "( conv 5 1 p2 ) x5");
  EXPECT_THAT(saturated(report), ElementsAre(false, false, false, false, true, true));
  EXPECT_TRUE(report.layers[4].fields[0].oversized);
  // 1x1 layers do not enlarge the field.
  EXPECT_THAT(saturated(report_of({1, 12}, "( conv 5 1 p2 ) x3, conv 1 1, relu")), ElementsAre(false, false, false, false, false, false));
}

TEST(Saturation, TheSmallestPathDecides) {
  // One path keeps the field of a single cell: the layer behind the merge is critical, and not unproductive.
  const Report report = report_of({1, 8}, "[ ( conv 5 1 p2 ) x4 | ] add, conv 3 1 p1");
  const Field& field = report.layers.back().fields[0];
  EXPECT_TRUE(field.oversized);
  EXPECT_FALSE(field.saturated);
  EXPECT_EQ(field.smallest, Rational(3));
}

TEST(Saturation, IsOfOneAxis) {
  const Report report = report_of({1, 4, 64}, "( conv 3x3 1 p1 ) x3");
  EXPECT_TRUE(report.layers[3].fields[0].saturated);
  EXPECT_FALSE(report.layers[3].fields[1].saturated);
}

TEST(Misalignments, PathsWithOtherMiddlesAreFound) {
  const Report report = report_of({1, 16}, "[ conv 3 1 p1 | conv 2 1, pad 0:1 ] add");
  ASSERT_EQ(report.misalignments.size(), 1u);
  EXPECT_EQ(report.misalignments[0].node, 4);
  EXPECT_THAT(report.misalignments[0].paths, ElementsAre(std::pair(Rational(1), Rational(0)), std::pair(Rational(1), Rational(1, 2))));
  EXPECT_TRUE(report_of({1, 16}, "[ conv 3 1 p1 | conv 5 1 p2 | ] concat").misalignments.empty());
  EXPECT_TRUE(report_of({1, 16}, "[ gap | conv 3 1 p1 ] mul").misalignments.empty());
}

TEST(Misalignments, PathsWithOtherStridesAreFound) {
  const Report report = report_of({1, 12}, "[ max 2 | conv 1 1 s3, pad 0:2 ] add");
  ASSERT_EQ(report.misalignments.size(), 1u);
  EXPECT_EQ(report.misalignments[0].paths[1].first, Rational(3));
}

TEST(Fields, OfPartsThatAreJoinedEndToEndAreUpperBounds) {
  const Report report = report_of({1, 100}, "[ conv 3 1 p1 | relu ] concat 2");
  const Field& field = report.layers.back().fields[0];
  EXPECT_TRUE(field.at_most);
  EXPECT_GE(field.size, 3);
  EXPECT_TRUE(report.misalignments.empty());
  EXPECT_FALSE(last({1, 100}, "[ conv 3 1 p1 | relu ] concat").at_most);
  EXPECT_FALSE(last({1, 10, 10}, "[ conv 3 1 p1 | relu ] concat 3", 0).at_most);  // along h
  EXPECT_TRUE(last({1, 10, 10}, "[ conv 3 1 p1 | relu ] concat -1", 1).at_most);
}

TEST(Unknown, LayersStopWhatDependsOnThem) {
  const Network net = parse_network({1, 16}, "[ conv 3 1 p1 | unknown TopK, relu ] add, relu");
  const Report report = analyze(net);
  EXPECT_THAT(report.unknown, ElementsAre(2));
  EXPECT_TRUE(net.node(1).is_known());
  for (const int node : {2, 3, 4, 5}) {
    EXPECT_FALSE(net.node(node).is_known());
    EXPECT_EQ(net.node(node).blocked_by, 2);
    EXPECT_TRUE(report.layers[static_cast<size_t>(node)].fields.empty());
  }
  EXPECT_FALSE(report.layers[1].fields.empty());
  EXPECT_TRUE(report.unseen[0].empty());  // the unknown layer may see everything
}

TEST(Inputs, EachHasItsAxes) {
  const Report report = report_of({1, 8, 8}, "max 2, mask: input 1x4x4, relu, input 1x2x2, up 2");
  ASSERT_EQ(report.axes.size(), 6u);
  const LayerReport& up = report.layers.back();
  EXPECT_FALSE(up.fields[0].depends);
  EXPECT_TRUE(up.fields[4].depends);
}

TEST(Inputs, TooManyForTheLayersAreRefused) {
  Network network;
  for (int i = 0; i < 2000; ++i) network.input("", {1, 1, 4, 4});
  EXPECT_THAT([&] { analyze(network); }, testing::ThrowsMessage<Error>(testing::HasSubstr("layers times axes of the inputs")));
}

}  // namespace tidepool::analyze
