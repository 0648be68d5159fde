// Upsample and Resize, with all their versions and modes.
#include <gmock/gmock.h>

#include "analyze/onnx_writer.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

using Attributes = std::vector<std::string>;

Network resized(const std::vector<float>& scales, const Attributes& attributes, const std::vector<int64_t>& shape = {1, 3, 6, 8}) {
  return read_built(shape, [&](OnnxWriter& file) { file.reals("scales", scales).node("Resize", {"x", "", "scales"}, {"y"}, attributes); });
}

Network to_size(const std::vector<int64_t>& sizes, const Attributes& attributes, int64_t opset = 17) {
  return read_built(
      {1, 3, 6, 8}, [&](OnnxWriter& file) { file.ints("sizes", sizes).node("Resize", {"x", "", "", "sizes"}, {"y"}, attributes); }, opset);
}

Attributes mode(const char* mode, const char* coordinates) {
  return {attribute("mode", mode), attribute("coordinate_transformation_mode", coordinates)};
}

const Resize& layer_of(const Network& network) { return std::get<Resize>(output_of(network).layer); }

bool is_unknown(const Network& network) { return std::holds_alternative<Unknown>(output_of(network).layer); }

}  // namespace

TEST(OnnxResize, ScalesAndSizes) {
  EXPECT_EQ(difference(resized({1, 1, 2, 3}, mode("linear", "half_pixel")), "up 2x3 linear"), "");
  EXPECT_EQ(difference(resized({1, 1, 2, 2}, mode("cubic", "half_pixel")), "up 2 cubic"), "");
  EXPECT_EQ(difference(to_size({1, 3, 13, 5}, mode("linear", "align_corners")), "resize 13x5 linear align"), "");
  EXPECT_EQ(difference(to_size({1, 3, 12, 16}, {attribute("mode", "nearest"), attribute("coordinate_transformation_mode", "asymmetric"),
                                                attribute("nearest_mode", "floor")}),
                       "up 2"),
            "");
  EXPECT_EQ(difference(to_size({12, 16}, {attribute("mode", "linear"), attribute("axes", std::vector<int64_t>{2, 3})}, 18), "up 2 linear"),
            "");
}

TEST(OnnxResize, EarlierVersions) {
  const Attributes linear = {attribute("mode", "linear")};
  const Network upsampled =
      read_built({1, 3, 6, 8}, [&](OnnxWriter& file) { file.reals("s", {1, 1, 2, 2}).node("Upsample", {"x", "s"}, {"y"}, linear); }, 9);
  EXPECT_EQ(output_of(upsampled).shape, (Dims{1, 3, 12, 16}));
  EXPECT_EQ(layer_of(upsampled).coordinates, Resize::Coordinates::asymmetric);
  const Network first =
      read_built({1, 3, 6, 8}, [&](OnnxWriter& file) { file.node("Upsample", {"x"}, {"y"}, {real_attribute("scales", {1, 1, 2, 2})}); }, 7);
  EXPECT_EQ(difference(first, "up 2"), "");
  const Network ten =
      read_built({1, 3, 6, 8}, [&](OnnxWriter& file) { file.reals("s", {1, 1, 0.5F, 2}).node("Resize", {"x", "s"}, {"y"}); }, 10);
  EXPECT_EQ(difference(ten, "resize 3x16"), "");
}

TEST(OnnxResize, CoordinatesAndRounding) {
  EXPECT_EQ(layer_of(resized({1, 1, 2, 2}, {})).coordinates, Resize::Coordinates::half_pixel);
  EXPECT_EQ(layer_of(resized({1, 1, 2, 2}, {})).rounding, Resize::Rounding::round_down);
  EXPECT_EQ(layer_of(resized({1, 1, 2, 2}, {attribute("nearest_mode", "round_prefer_ceil")})).rounding, Resize::Rounding::round_up);
  EXPECT_EQ(layer_of(resized({1, 1, 2, 2}, {attribute("nearest_mode", "ceil")})).rounding, Resize::Rounding::ceil);
  EXPECT_EQ(layer_of(resized({1, 1, 2, 2}, mode("linear", "pytorch_half_pixel"))).coordinates, Resize::Coordinates::half_pixel);
  EXPECT_EQ(layer_of(to_size({1, 3, 1, 1}, mode("linear", "pytorch_half_pixel"))).coordinates, Resize::Coordinates::asymmetric);
  EXPECT_TRUE(is_unknown(to_size({1, 3, 1, 4}, mode("linear", "pytorch_half_pixel"))));
  // floor((o + 1/2) * scale) is half a pixel rounded to the nearest.
  const Network tf =
      resized({1, 1, 2, 2}, {attribute("coordinate_transformation_mode", "tf_half_pixel_for_nn"), attribute("nearest_mode", "floor")});
  EXPECT_EQ(layer_of(tf).coordinates, Resize::Coordinates::half_pixel);
  EXPECT_EQ(layer_of(tf).rounding, Resize::Rounding::round_up);
}

TEST(OnnxResize, WhatNoLayerRepresentsIsUnknown) {
  EXPECT_TRUE(is_unknown(resized({1, 1, 2, 2}, {attribute("coordinate_transformation_mode", "tf_crop_and_resize")})));
  EXPECT_TRUE(is_unknown(resized({1, 1, 1.3F, 1}, {})));  // 7.8 cells
  EXPECT_FALSE(is_unknown(resized({1, 1, 1.3F, 1}, mode("linear", "align_corners"))));
  EXPECT_TRUE(is_unknown(resized({1, 2, 1, 1}, {})));  // channels
  EXPECT_TRUE(is_unknown(resized({1, 1, 0.5F, 1}, {attribute("mode", "linear"), attribute("antialias", 1)})));
  EXPECT_FALSE(is_unknown(resized({1, 1, 2, 1}, {attribute("mode", "linear"), attribute("antialias", 1)})));
  OnnxWriter file;
  file.input("x", {1, 3, 6, 8}).input("s", {4}).node("Resize", {"x", "", "s"}, {"y"}).output("y");
  EXPECT_TRUE(is_unknown(file.read()));
}

TEST(OnnxResize, NothingToDoIsNoResize) {
  EXPECT_TRUE(std::holds_alternative<Elementwise>(output_of(resized({1, 1, 1, 1}, {})).layer));
  EXPECT_EQ(difference(resized({1, 1, 1, 1}, {}), "identity"), "");
}

TEST(OnnxResize, Refusals) {
  OnnxWriter file;
  file.input("x", {1, 3, 6, 8}).reals("s", {1, 1, 2}).node("Resize", {"x", "", "s"}, {"y"}, {}, "up").output("y");
  EXPECT_EQ(refusal(file.file()), "read_onnx: node 'up' (Resize): sizes or scales must have 4 values, got 3");
  OnnxWriter none;
  none.input("x", {1, 3, 6, 8}).node("Resize", {"x"}, {"y"}, {}, "up").output("y");
  EXPECT_THAT(refusal(none.file()), HasSubstr("neither scales nor sizes"));
  OnnxWriter zero;
  zero.input("x", {1, 3, 6, 8}).reals("s", {1, 1, 0, 1}).node("Resize", {"x", "", "s"}, {"y"}, {}, "up").output("y");
  EXPECT_THAT(refusal(zero.file()), HasSubstr("scales must be above 0"));
}

}  // namespace tidepool::analyze
