// The published networks of the tests have the shapes, parameters and multiply-adds that are known for them.
#include "analyze/networks.h"

#include <gmock/gmock.h>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

namespace {

TEST(Networks, ResNet50HasTorchvisionsParameters) {
  const Network net = parse_network({3, 224, 224}, test::resnet50());
  const Report report = analyze(net);
  EXPECT_EQ(report.parameters, 25557032);
  EXPECT_EQ(report.multiply_adds, 4089184256);  // torchvision says 4.09 billion; without batch normalisation
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 1000}));
  EXPECT_EQ(net.node(net.find("adaptive_avg_pool1")).inputs.size(), 1u);
}

TEST(Networks, UNetGivesBackItsInputSize) {
  const Network net = parse_network({1, 1, 256, 256}, test::unet());
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 2, 256, 256}));
  EXPECT_EQ(analyze(net).parameters, 31030658);
}

}  // namespace

}  // namespace tidepool::analyze
