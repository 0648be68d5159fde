// Which channels the channels of a grouped convolution depend on.
#include <gtest/gtest.h>

#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

namespace {

std::string channels_behind(const Network& net, int node, Range channels) {
  Box box = whole(net.node(node).shape);
  box.dims[1] = RangeSet(channels);
  const std::vector<Dependence> found = dependence(net, node, box);
  EXPECT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].exact);
  return to_string(found[0].along(1));
}

}  // namespace

TEST(Groups, ReadTheirOwnChannels) {
  Network net;
  const int x = net.input("x", {1, 6, 5, 5});
  const int wider = net.add(Conv{.out_channels = 12, .kernel_size = {{3}, 1}, .groups = 3}, {x});
  EXPECT_EQ(channels_behind(net, wider, {0, 4}), "0-1");
  EXPECT_EQ(channels_behind(net, wider, {3, 5}), "0-3");
  EXPECT_EQ(channels_behind(net, wider, {11, 12}), "4-5");
  EXPECT_EQ(channels_behind(net, wider, {0, 12}), "0-5");
  const int depthwise = net.add(Conv{.out_channels = 6, .kernel_size = {{1}, 1}, .groups = 6}, {x});
  EXPECT_EQ(channels_behind(net, depthwise, {4, 5}), "4");
  const int inverse = net.add(ConvTranspose{.out_channels = 3, .kernel_size = {{2}, 1}, .groups = 3}, {x});
  EXPECT_EQ(channels_behind(net, inverse, {1, 2}), "2-3");
  const int all = net.add(Conv{.out_channels = 2, .kernel_size = {{1}, 1}}, {x});
  EXPECT_EQ(channels_behind(net, all, {0, 1}), "0-5");
}

// A convolution along the rows of a picture whose rows were made channels.
TEST(Groups, MoveAFieldThatLiesInTheChannels) {
  Network net;
  const int x = net.input("x", {1, 2, 8, 4});
  const int seen = net.add(Conv{.out_channels = 2, .kernel_size = {{1}, 1}}, {x});  // so that the rows are an axis of the report
  const int turned = net.add(Transpose{{0, 2, 1, 3}}, {seen});
  const int grouped = net.add(Conv{.out_channels = 8, .kernel_size = {{1}, 1}, .groups = 4}, {turned});
  const Report report = analyze(net);
  ASSERT_EQ(report.axes[0].dim, 2);
  const Field& rows = report.layers[static_cast<size_t>(grouped)].fields[0];
  EXPECT_EQ(rows.size, 2);
  EXPECT_EQ(rows.stride, Rational(1));
  EXPECT_EQ(rows.begin, 0);
}

}  // namespace tidepool::analyze
