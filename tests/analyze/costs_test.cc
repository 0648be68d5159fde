// Parameters, multiply-adds, bytes and peak memory, counted by hand for a small network.
#include <gtest/gtest.h>

#include <cstdint>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

namespace {

Report report_of(const Dims& shape, std::string_view text, const Options& options = {}) {
  return analyze(parse_network(shape, text), options);
}

}  // namespace

// Bytes of the outputs: input 64, conv 128, relu 128, max 32, flatten none, linear 40.
TEST(Costs, OfASmallNetwork) {
  const Report report = report_of({1, 4, 4}, "conv 3x3 2 p1, relu, max 2, flatten, linear 10");
  EXPECT_EQ(report.parameters, (2 * 9 + 2) + (8 * 10 + 10));
  EXPECT_EQ(report.multiply_adds, 2 * 9 * 16 + 8 * 10);
  EXPECT_EQ(report.activation_bytes, 128 + 128 + 32 + 40);
  EXPECT_EQ(report.inference_bytes, 64 + 128 + 128);  // in relu; the input is the caller's and stays
  EXPECT_EQ(report.moved_bytes, (64 + 80 + 128) + (128 + 128) + (128 + 32) + (32 + 360 + 40));
  EXPECT_DOUBLE_EQ(report.seconds, static_cast<double>(report.moved_bytes) / 10e9);
  // The backward pass reads the inputs of conv and linear, relu's output and one byte for each maximum. The peak is in relu's backward
  // pass: the input, relu's output, the gradients of both its sides.
  EXPECT_EQ(report.layers[1].saved_bytes, 64);
  EXPECT_EQ(report.layers[2].saved_bytes, 128);
  EXPECT_EQ(report.layers[3].saved_bytes, 8);
  EXPECT_EQ(report.layers[5].saved_bytes, 32);
  EXPECT_EQ(report.training_bytes, 64 + 128 + 128 + 128);
}

TEST(Costs, AValueLivesUntilItsLastReader) {
  // The skip keeps the first relu's output through both convolutions.
  const Report skip = report_of({1, 4, 4}, "a: relu, conv 3x3 1 p1, conv 3x3 1 p1, add a");
  EXPECT_EQ(skip.inference_bytes, 4 * 64);
  const Report chain = report_of({1, 4, 4}, "relu, conv 3x3 1 p1, conv 3x3 1 p1, relu");
  EXPECT_EQ(chain.inference_bytes, 3 * 64);
}

TEST(Costs, ViewsAreFree) {
  const Report report = report_of({2, 4, 4}, "dropout, identity, flatten, reshape 1x2x16, slice 1 0:1, transpose 0 2 1");
  EXPECT_EQ(report.activation_bytes, 0);
  EXPECT_EQ(report.moved_bytes, 0);
  EXPECT_EQ(report.layers[1].saved_bytes, 32);  // dropout's mask in training
}

TEST(Costs, ConvolutionsCountTheirGroups) {
  EXPECT_EQ(report_of({8, 4, 4}, "conv 3x3 8 p1 gdw nobias").multiply_adds, 8 * 9 * 16);
  EXPECT_EQ(report_of({8, 4, 4}, "conv 3x3 16 p1 g2").parameters, 16 * 4 * 9 + 16);
  const Report transposed = report_of({8, 4, 4}, "convt 2x2 4 s2");
  EXPECT_EQ(transposed.multiply_adds, 8 * 4 * 4 * 16);  // every weight, once for every cell of the input
  EXPECT_EQ(transposed.parameters, 8 * 4 * 4 + 4);
  EXPECT_EQ(report_of({3, 1, 8, 4, 4}, "conv 3x3x3 2 p1").multiply_adds, 3 * 2 * 27 * 8 * 4 * 4);  // N = 3
}

TEST(Costs, LinearLayersWorkAlongTheLastDimension) {
  const Report report = report_of({4, 10}, "linear 5 nobias");
  EXPECT_EQ(report.parameters, 50);
  EXPECT_EQ(report.multiply_adds, 4 * 50);
}

TEST(Costs, SharedWeightsCountOnce) {
  Network net;
  int x = net.input("x", {1, 2, 8, 8});
  const Conv conv{.out_channels = 2, .kernel_size = {{3}, 1}, .padding = {.sides = {1}}};
  x = net.add(conv, {x}, "first", "shared");
  x = net.add(conv, {x}, "second", "shared");
  x = net.add(conv, {x}, "third");
  EXPECT_EQ(analyze(net).parameters, 2 * (2 * 2 * 9 + 2));
  EXPECT_EQ(analyze(net).multiply_adds, 3 * 2 * 2 * 9 * 64);
}

TEST(Costs, FollowElementSizeAndMemorySpeed) {
  Options options;
  options.element_size = 2;
  options.bytes_per_second = 1e6;
  const Report report = report_of({1, 4, 4}, "relu", options);
  EXPECT_EQ(report.moved_bytes, 2 * 32);
  EXPECT_DOUBLE_EQ(report.seconds, 64e-6);
  options.element_size = 0;
  EXPECT_THROW(report_of({1, 4, 4}, "relu", options), Error);
  options.element_size = 4;
  options.bytes_per_second = 0;
  EXPECT_THROW(report_of({1, 4, 4}, "relu", options), Error);
}

TEST(Costs, StayAtTheLargestNumber) {
  constexpr int64_t large = int64_t{1} << 30;
  const Report report = report_of({1, large, large}, "( relu ) x20");
  EXPECT_EQ(report.moved_bytes, INT64_MAX);
  EXPECT_EQ(report.activation_bytes, INT64_MAX);
  EXPECT_EQ(report.inference_bytes, INT64_MAX);
  EXPECT_THROW(parse_network({1, large, large}, "conv 7x7 1000 p3"), Error);
}

}  // namespace tidepool::analyze
