// Networks whose receptive fields and costs others have published.
#include <gtest/gtest.h>

#include <string>

#include "analyze/networks.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

namespace {

struct Published {
  int64_t field, stride, padding;
};

// The fields of the last layer, along both axes, against Araujo, Norris and Sim, "Computing Receptive Fields of Convolutional Neural
// Networks", Distill 2019. Its table is for TensorFlow's TF-Slim models; `same` at a stride depends on the size of the input, here `side`.
void expect_published(const std::string& text, int64_t side, const Published& published) {
  const Network net = parse_network({3, side, side}, text);
  const Report report = analyze(net);
  for (const Field& field : report.layers.back().fields) {
    EXPECT_EQ(field.size, published.field);
    EXPECT_EQ(field.stride, Rational(published.stride));
    EXPECT_EQ(-field.begin, published.padding);
    EXPECT_TRUE(field.holes.empty());
    EXPECT_FALSE(field.at_most);
  }
}

// A depthwise convolution has as many output channels as input channels.
std::string mobilenet_v1() {
  std::string text = "conv 3x3 32 same s2";
  int channels = 32;
  const auto unit = [&](const char* stride, int out) {
    text += ", conv 3x3 " + std::to_string(channels) + " gdw same" + stride + ", conv 1x1 " + std::to_string(out);
    channels = out;
  };
  unit("", 64), unit(" s2", 128), unit("", 128), unit(" s2", 256), unit("", 256), unit(" s2", 512);
  for (int i = 0; i < 5; ++i) unit("", 512);
  unit(" s2", 1024), unit("", 1024);
  return text;
}

// TF-Slim's ResNet-v1: the stride is in the last unit of a block, with padding of 1 on both sides, and a strided shortcut that keeps its
// channels takes every other cell.
std::string resnet_v1_50() {
  std::string text = "conv 7x7 64 s2 p3, max 3 s2 same";
  const auto block = [&](int width, int units, bool strided) {
    const std::string inner = std::to_string(width), outer = std::to_string(4 * width);
    for (int i = 0; i < units; ++i) {
      const bool strides = strided && i + 1 == units;
      text += ", [ conv 1x1 " + inner + ", conv 3x3 " + inner + " p1" + (strides ? " s2" : "") + ", conv 1x1 " + outer + " | " +
              (i == 0    ? "conv 1x1 " + outer
               : strides ? "max 1 s2"
                         : "") +
              " ] add";
    }
  };
  block(64, 3, true), block(128, 4, true), block(256, 6, true), block(512, 3, false);
  return text;
}

std::string inception_v3() {
  std::string text = "conv 3x3 32 s2, conv 3x3 32, conv 3x3 64 same, max 3 s2, conv 1x1 80, conv 3x3 192, max 3 s2";
  for (const char* pooled : {"32", "64", "64"})
    text += std::string(", [ conv 1x1 64 | conv 1x1 48, conv 5x5 64 same | conv 1x1 64, conv 3x3 96 same, conv 3x3 96 same | ") +
            "avg 3 s1 same, conv 1x1 " + pooled + " ] concat";
  text += ", [ conv 3x3 384 s2 | conv 1x1 64, conv 3x3 96 same, conv 3x3 96 s2 | max 3 s2 ] concat";
  for (const std::string c : {"128", "160", "160", "192"})
    text += ", [ conv 1x1 192 | conv 1x1 " + c + ", conv 1x7 " + c + " same, conv 7x1 192 same | conv 1x1 " + c + ", conv 7x1 " + c +
            " same, conv 1x7 " + c + " same, conv 7x1 " + c + " same, conv 1x7 192 same | avg 3 s1 same, conv 1x1 192 ] concat";
  text += ", [ conv 1x1 192, conv 3x3 320 s2 | conv 1x1 192, conv 1x7 192 same, conv 7x1 192 same, conv 3x3 192 s2 | max 3 s2 ] concat";
  for (int i = 0; i < 2; ++i)
    text +=
        ", [ conv 1x1 320 | conv 1x1 384, [ conv 1x3 384 same | conv 3x1 384 same ] concat | "
        "conv 1x1 448, conv 3x3 384 same, [ conv 1x3 384 same | conv 3x1 384 same ] concat | avg 3 s1 same, conv 1x1 192 ] concat";
  return text;
}

void expect_costs(const std::string& text, int64_t parameters, double multiply_adds) {
  const Network net = parse_network({3, 224, 224}, text);
  const Report report = analyze(net);
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 1000}));
  EXPECT_EQ(report.parameters, parameters);
  EXPECT_NEAR(static_cast<double>(report.multiply_adds) / 1e9, multiply_adds, 0.01);
}

constexpr auto classifier = "flatten, dropout, linear 4096, relu, dropout, linear 4096, relu, linear 1000";

}  // namespace

TEST(PublishedFields, AlexNetV2) {
  expect_published(
      "conv 11x11 64 s4, max 3 s2, conv 5x5 192 same, max 3 s2, conv 3x3 384 same, conv 3x3 384 same, conv 3x3 256 same, max 3 s2", 224,
      {.field = 195, .stride = 32, .padding = 64});
}

TEST(PublishedFields, Vgg16) {
  expect_published(
      "( conv 3x3 64 same ) x2, max 2, ( conv 3x3 128 same ) x2, max 2, ( conv 3x3 256 same ) x3, max 2, "
      "( ( conv 3x3 512 same ) x3, max 2 ) x2",
      224, {.field = 212, .stride = 32, .padding = 90});
}

TEST(PublishedFields, MobileNetV1) { expect_published(mobilenet_v1(), 224, {.field = 315, .stride = 32, .padding = 126}); }

TEST(PublishedFields, ResNetV1Of50Layers) { expect_published(resnet_v1_50(), 224, {.field = 483, .stride = 32, .padding = 239}); }

TEST(PublishedFields, InceptionV3) { expect_published(inception_v3(), 299, {.field = 1311, .stride = 32, .padding = 618}); }

// Parameters and billions of multiply-adds as torchvision documents them for its weights.
TEST(PublishedCosts, AlexNet) {
  expect_costs(
      std::string("conv 11x11 64 s4 p2, relu, max 3 s2, conv 5x5 192 p2, relu, max 3 s2, conv 3x3 384 p1, relu, conv 3x3 256 p1, relu, "
                  "conv 3x3 256 p1, relu, max 3 s2, adaptive_avg 6, ") +
          classifier,
      61'100'840, 0.71);
}

TEST(PublishedCosts, Vgg16) {
  expect_costs(std::string("( conv 3x3 64 p1, relu ) x2, max 2, ( conv 3x3 128 p1, relu ) x2, max 2, ( conv 3x3 256 p1, relu ) x3, max 2, "
                           "( ( conv 3x3 512 p1, relu ) x3, max 2 ) x2, adaptive_avg 7, ") +
                   classifier,
               138'357'544, 15.47);
}

TEST(PublishedCosts, ResNet50) { expect_costs(test::resnet50(), 25'557'032, 4.09); }

}  // namespace tidepool::analyze
