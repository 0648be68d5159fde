// Parameters that a program counts itself.
#include <gtest/gtest.h>

#include "tidepool/analyze.h"
#include "tidepool/error.h"

namespace tidepool::analyze {
namespace {

TEST(Parameters, CanBeSetForLayersWhoseWeightsAreNotTrained) {
  Network net;
  const int x = net.input("image", {1, 3, 8, 8});
  const int blur = net.add(Conv{.out_channels = 3, .kernel_size = {{3}, 1}, .groups = 3, .bias = false}, {x});
  const int conv = net.add(Conv{.out_channels = 4, .kernel_size = {{1}, 1}}, {blur});
  EXPECT_EQ(net.node(blur).parameters, 27);
  net.set_parameters(blur, 0);
  EXPECT_EQ(net.node(blur).parameters, 0);
  EXPECT_EQ(net.node(blur).multiply_adds, 27 * 36);
  EXPECT_EQ(analyze(net).parameters, net.node(conv).parameters);
  EXPECT_EQ(net.node(conv).parameters, 16);
}

TEST(Parameters, OfUnknownLayersCount) {
  Network net;
  const int lstm = net.add(Unknown{"lstm"}, {net.input("words", {1, 3, 8})});
  const int head = net.add(Linear{.out_features = 4}, {lstm});
  net.set_parameters(lstm, 100);
  net.set_parameters(head, 20);
  EXPECT_EQ(analyze(net).parameters, 120);
}

TEST(Parameters, MustNotBeNegativeNorOfANodeThatIsNotThere) {
  Network net;
  const int x = net.input("image", {1, 3, 8, 8});
  EXPECT_THROW(net.set_parameters(x, -1), Error);
  EXPECT_THROW(net.set_parameters(1, 0), Error);
}

}  // namespace
}  // namespace tidepool::analyze
