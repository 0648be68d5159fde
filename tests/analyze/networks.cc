// Published networks in the text form, for tests.
#include "analyze/networks.h"

namespace tidepool::test {

namespace {

// The three convolutions of a bottleneck unit. The first unit of a stage has a convolution on its second branch.
std::string bottleneck(int width, const std::string& stride) {
  const std::string inner = std::to_string(width), outer = std::to_string(4 * width);
  return "conv 1x1 " + inner + " nobias, bn, relu, conv 3x3 " + inner + stride + " p1 nobias, bn, relu, conv 1x1 " + outer + " nobias, bn";
}

std::string stage(int width, const std::string& stride, int units) {
  const std::string projection = "conv 1x1 " + std::to_string(4 * width) + stride + " nobias, bn";
  return "[ " + bottleneck(width, stride) + " | " + projection + " ] add, relu, ( [ " + bottleneck(width, "") + " | ] add, relu ) x" +
         std::to_string(units - 1) + ", ";
}

std::string twice(int channels) {
  const std::string one = "conv 3x3 " + std::to_string(channels) + " p1, relu, ";
  return one + one;
}

}  // namespace

std::string resnet50() {
  return "conv 7x7 64 s2 p3 nobias, bn, relu, max 3 s2 p1, " + stage(64, "", 3) + stage(128, " s2", 4) + stage(256, " s2", 6) +
         stage(512, " s2", 3) + "gap, flatten, linear 1000";
}

std::string unet() {
  std::string text;
  for (const int channels : {64, 128, 256, 512}) text += twice(channels) + "skip" + std::to_string(channels) + ": identity, max 2, ";
  text += twice(1024);
  for (const int channels : {512, 256, 128, 64})
    text += "convt 2x2 " + std::to_string(channels) + " s2, concat skip" + std::to_string(channels) + ", " + twice(channels);
  return text + "conv 1x1 2";
}

}  // namespace tidepool::test
