// Fields behind layers that merge rows and columns, as the tokens of a vision transformer.
#include <gtest/gtest.h>

#include "tidepool/analyze.h"

namespace tidepool::analyze {
namespace {

class Tokens : public testing::Test {
 protected:
  Tokens() {
    patches = net.add(Conv{.out_channels = 8, .kernel_size = {{4}, 1}, .stride = {{4}, 1}}, {net.input("image", {1, 3, 32, 32})});
    tokens = net.add(Transpose{{0, 2, 1}}, {net.add(Flatten{.start_dim = 2}, {patches})});
  }
  Field field(int node) const { return analyze(net).layers[static_cast<size_t>(node)].fields[0]; }

  Network net;
  int patches = 0, tokens = 0;
};

TEST_F(Tokens, KeepTheirFieldsInLayersThatDoNotMixThem) {
  const int features = net.add(Linear{.out_features = 16}, {tokens});
  EXPECT_EQ(field(features).size, 4);
  EXPECT_EQ(field(features).stride, Rational(4));
  EXPECT_FALSE(field(features).at_most);
}

TEST_F(Tokens, SeeEverythingBehindAProductOfAllPairs) {
  const int weights = net.add(MatMul{}, {tokens, net.add(Transpose{{0, 2, 1}}, {tokens})});
  const int mixed = net.add(MatMul{}, {weights, tokens});
  EXPECT_EQ(field(mixed).size, 32);
  EXPECT_FALSE(field(mixed).at_most);
}

TEST_F(Tokens, AreNotFollowedWhereTheyMove) {
  const int class_token = net.constant({1, 1, 8}, 8);
  const int with_class = net.add(Concat{.dim = 1}, {class_token, tokens});
  const int first = net.add(Slice{.dim = 1, .begin = 0, .end = 1}, {with_class});
  for (const int node : {with_class, first}) {
    EXPECT_EQ(field(node).size, 32);
    EXPECT_EQ(field(node).stride, Rational(0));
    EXPECT_EQ(field(node).centre, Rational(31, 2));
    EXPECT_TRUE(field(node).at_most);
  }
  // Cells are exact all the same: the first token is the constant.
  EXPECT_TRUE(dependence(net, first, whole(net.node(first).shape)).empty());
  const Box second{{RangeSet(Range{0, 1}), RangeSet(Range{1, 2}), RangeSet(Range{0, 8})}};
  EXPECT_EQ(dependence(net, with_class, second).at(0).along(2), RangeSet(Range{0, 4}));
}

}  // namespace
}  // namespace tidepool::analyze
