// The example chains of the documentation, with the numbers worked out by hand.
#include <gmock/gmock.h>

#include <vector>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

using testing::ElementsAre;

namespace {

constexpr auto chain = "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2";

std::vector<int64_t> sizes_of(const Report& report, size_t axis) {
  std::vector<int64_t> sizes;
  for (const LayerReport& layer : report.layers) sizes.push_back(layer.fields[axis].size);
  return sizes;
}

std::vector<Rational> strides_of(const Report& report, size_t axis) {
  std::vector<Rational> strides;
  for (const LayerReport& layer : report.layers) strides.push_back(layer.fields[axis].stride);
  return strides;
}

}  // namespace

TEST(Chain, OfFourConvolutionsAndPools) {
  const Network net = parse_network({3, 64, 64}, chain);
  const Report report = analyze(net);
  EXPECT_EQ(report.parameters, 13860);
  ASSERT_EQ(report.axes.size(), 2u);
  for (const size_t axis : {0u, 1u}) {
    EXPECT_THAT(sizes_of(report, axis), ElementsAre(1, 3, 4, 8, 10, 18, 22, 38, 46));
    EXPECT_THAT(strides_of(report, axis), ElementsAre(1, 1, 2, 2, 4, 4, 8, 8, 16));
  }
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 48, 4, 4}));
  EXPECT_TRUE(report.losses.empty());
}

TEST(Chain, TheLastRowOfSevenByTwoIsLost) {
  const Report report = analyze(parse_network({1, 7, 7}, "max 2"));
  ASSERT_EQ(report.losses.size(), 2u);
  EXPECT_EQ(to_string(report.losses[0].cells), "6");
  EXPECT_THAT(report.losses[0].remedies, testing::Contains("ceil_mode"));
  EXPECT_EQ(to_string(report.unseen[0]), "6");
}

}  // namespace tidepool::analyze
