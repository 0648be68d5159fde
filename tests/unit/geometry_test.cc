// Validation of shapes and options: what is accepted, and the exact messages of what is not.
#include "tidepool/geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tidepool {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

WindowOptions options(Sizes kernel, Sizes stride = {}, Pads padding = {}, Sizes dilation = {{1}, 1}, CeilMode ceil = false) {
  return {.kernel_size = kernel, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil};
}

std::string refusal(int rank, const Dims& shape, const WindowOptions& o) {
  const char* ops[] = {"max_pool1d", "max_pool2d", "max_pool3d"};
  const Result<Geometry> g = Geometry::windowed(ops[rank - 1], rank, shape, o);
  return g.ok() ? "accepted" : g.error().message();
}

ErrorCode refusal_code(int rank, const Dims& shape, const WindowOptions& o) {
  return Geometry::windowed("op", rank, shape, o).error().code();
}

TEST(Geometry, TwoDimensional) {
  const Geometry g =
      Geometry::windowed("max_pool2d", 2, {2, 64, 112, 110}, options(Extent<2>{3, 2}, Extent<2>(2), Padding<2>{{0, 1}, {1, 0}})).value();
  EXPECT_EQ(g.rank(), 2);
  EXPECT_TRUE(g.batched());
  EXPECT_EQ(g.batch(), 2);
  EXPECT_EQ(g.channels(), 64);
  EXPECT_EQ(g.depth(), Axis());
  EXPECT_EQ(g.height().input(), 112);
  EXPECT_EQ(g.height().kernel(), 3);
  EXPECT_EQ(g.height().pad_before(), 0);
  EXPECT_EQ(g.height().pad_after(), 1);
  EXPECT_EQ(g.width().input(), 110);
  EXPECT_EQ(g.width().kernel(), 2);
  EXPECT_EQ(g.width().pad_before(), 1);
  EXPECT_EQ(g.output_shape(), (Dims{2, 64, 56, 55}));
  EXPECT_EQ(g.input_shape(), (Dims{2, 64, 112, 110}));
  EXPECT_EQ(g.window_taps(), 6);
  EXPECT_EQ(g.input_plane(), 112 * 110);
  EXPECT_EQ(g.output_plane(), 56 * 55);
  EXPECT_EQ(g.input_numel(), 2 * 64 * 112 * 110);
  EXPECT_EQ(g.output_numel(), 2 * 64 * 56 * 55);
}

TEST(Geometry, OneDimensionUsesTheWidthAndThreeUseAll) {
  const Geometry line = Geometry::windowed("max_pool1d", 1, {4, 10}, options(Extent<1>(2))).value();
  EXPECT_FALSE(line.batched());
  EXPECT_EQ(line.batch(), 1);
  EXPECT_EQ(line.channels(), 4);
  EXPECT_EQ(line.width().input(), 10);
  EXPECT_EQ(line.height(), Axis());
  EXPECT_EQ(line.output_shape(), (Dims{4, 5}));
  const Geometry cube = Geometry::windowed("max_pool3d", 3, {1, 2, 4, 6, 8}, options(Extent<3>{1, 2, 4})).value();
  EXPECT_EQ(cube.output_shape(), (Dims{1, 2, 4, 3, 2}));
}

TEST(Geometry, StrideDefaultsToTheKernel) {
  const Geometry g = Geometry::windowed("op", 2, {1, 1, 9, 9}, options(Extent<2>{3, 2})).value();
  EXPECT_EQ(g.height().stride(), 3);
  EXPECT_EQ(g.width().stride(), 2);
}

TEST(Geometry, AxisNames) {
  EXPECT_EQ(axis_name(1, 0), "l");
  EXPECT_EQ(axis_name(2, 0), "h");
  EXPECT_EQ(axis_name(2, 1), "w");
  EXPECT_EQ(axis_name(3, 0), "d");
  EXPECT_EQ(axis_name(3, 2), "w");
}

TEST(Geometry, ErrorsNameTheOpAndTheAxis) {
  EXPECT_EQ(refusal(2, {1, 1, 4, 4}, options(Extent<2>(0))), "max_pool2d: kernel_size must be at least 1, got 0 (axis h)");
  EXPECT_EQ(refusal(2, {1, 1, 4, 4}, options(Extent<2>(2), Extent<2>{2, 0})), "max_pool2d: stride must be at least 1, got 0 (axis w)");
  EXPECT_EQ(refusal(1, {1, 1, 4}, options(Extent<1>(2), {}, {}, Extent<1>(-1))),
            "max_pool1d: dilation must be at least 1, got -1 (axis l)");
  EXPECT_EQ(refusal(3, {1, 1, 4, 4, 4}, options(Extent<3>(2), {}, Padding<3>{0, -1, 0})),
            "max_pool3d: padding must not be negative, got -1 (axis h)");
  EXPECT_EQ(refusal(3, {1, 1, 4, 4, 4}, options(Extent<3>(2), {}, Padding<3>{2, 0, 0})),
            "max_pool3d: padding must be at most half of the dilated kernel (2 / 2 = 1), got 2 (axis d)");
  EXPECT_EQ(refusal(2, {1, 1, 4, 2}, options(Extent<2>(3))),
            "max_pool2d: output size must be at least 1, got 0 from input 2, kernel 3, stride 3, padding 0, dilation 1 (axis w)");
  EXPECT_EQ(refusal(2, {1, 1, 0, 4}, options(Extent<2>(1))), "max_pool2d: input size must be at least 1, got 0 (axis h)");
  EXPECT_EQ(refusal(1, {1, 1, huge}, options(Extent<1>(3), {}, Padding<1>(1))),
            "max_pool1d: sizes overflow 64 bits (input 9223372036854775807, kernel 3, stride 3, padding 1, dilation 1) (axis l)");
}

TEST(Geometry, ListsMustHaveOneValueOrOnePerAxis) {
  const Dims shape{1, 1, 8, 8};
  EXPECT_EQ(refusal(2, shape, options(Extent<2>{1, 2, 3})), "max_pool2d: kernel_size must have 1 or 2 values, got 3");
  EXPECT_EQ(refusal(2, shape, options({})), "max_pool2d: kernel_size must have 1 or 2 values, got 0");
  EXPECT_EQ(refusal(3, {1, 1, 8, 8, 8}, options(Extent<3>{1, 2})), "max_pool3d: kernel_size must have 1 or 3 values, got 2");
  EXPECT_EQ(refusal(2, shape, options(Extent<2>(2), Extent<2>{1, 1, 1, 1})), "max_pool2d: stride must have 1 or 2 values, got 4");
  EXPECT_EQ(refusal(2, shape, options(Extent<2>(2), {}, Padding<2>{0, 0, 0})), "max_pool2d: padding must have 1 or 2 values, got 3");
  EXPECT_EQ(refusal(2, shape, options(Extent<2>(2), {}, {}, Extent<2>{})), "max_pool2d: dilation must have 1 or 2 values, got 0");
}

TEST(Geometry, SameDoesNotGoWithCeil) {
  for (PaddingMode mode : {PaddingMode::same_upper, PaddingMode::same_lower})
    for (Rounding rounding : {Rounding::ceil, Rounding::ceil_full})
      EXPECT_EQ(refusal(2, {1, 1, 8, 8}, options(Extent<2>(2), {}, Padding<2>(mode), {{1}, 1}, rounding)),
                "max_pool2d: padding mode same does not go with ceil_mode");
}

TEST(Geometry, RanksOtherThanBatchedAndUnbatchedAreRefused) {
  EXPECT_EQ(refusal(2, {4, 4}, options(Extent<2>(1))), "max_pool2d: input must have 3 or 4 dimensions (C, H, W or N, C, H, W), got 2");
  EXPECT_EQ(refusal(2, {}, options(Extent<2>(1))), "max_pool2d: input must have 3 or 4 dimensions (C, H, W or N, C, H, W), got 0");
  EXPECT_EQ(refusal(1, {1, 1, 1, 1}, options(Extent<1>(1))), "max_pool1d: input must have 2 or 3 dimensions (C, L or N, C, L), got 4");
  EXPECT_EQ(refusal(3, {1, 1, 1, 1, 1, 1, 1, 1}, options(Extent<3>(1))),
            "max_pool3d: input must have 4 or 5 dimensions (C, D, H, W or N, C, D, H, W), got 8");
}

TEST(Geometry, EmptyBatchPassesEmptyChannelsDoNot) {
  EXPECT_EQ(Geometry::windowed("op", 2, {0, 3, 4, 4}, options(Extent<2>(2)))->output_shape(), (Dims{0, 3, 2, 2}));
  EXPECT_EQ(refusal(2, {1, 0, 4, 4}, options(Extent<2>(2))), "max_pool2d: channels must be at least 1, got 0");
  EXPECT_EQ(refusal(2, {0, 4, 4}, options(Extent<2>(2))), "max_pool2d: channels must be at least 1, got 0");
  EXPECT_THAT(refusal(2, {-1, 3, 4, 4}, options(Extent<2>(2))), ::testing::HasSubstr("-1"));
  EXPECT_THAT(refusal(2, {1, -2, 4, 4}, options(Extent<2>(2))), ::testing::HasSubstr("-2"));
  EXPECT_THAT(refusal(2, {1, 1, 4, -4}, options(Extent<2>(2))), ::testing::HasSubstr("-4"));
}

TEST(Geometry, TotalsThatLeave64BitsAreRefused) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(refusal(2, {big, big, 4, 4}, options(Extent<2>(2))),
            "max_pool2d: tensor sizes overflow 64 bits (input 1099511627776x1099511627776x4x4)");
  EXPECT_EQ(refusal_code(2, {big, big, 4, 4}, options(Extent<2>(2))), ErrorCode::overflow);
  EXPECT_EQ(refusal_code(2, {1, 1, big, big}, options(Extent<2>(2))), ErrorCode::overflow);
  // An output larger than its input: each axis fits, their product does not.
  WindowOptions padded = options(Extent<2>(1), {}, Padding<2>(big));
  padded.preset = Preset::onnx;
  EXPECT_EQ(refusal_code(2, {1, 1, 2, 2}, padded), ErrorCode::overflow);
  // The number of taps of a window overflows 64 bits.
  WindowOptions taps = options(Extent<3>(int64_t{1} << 30), Extent<3>(1), Padding<3>(int64_t{1} << 29));
  EXPECT_EQ(refusal_code(3, {1, 1, 4, 4, 4}, taps), ErrorCode::overflow);
  // Sizes beyond 32 bits are accepted.
  EXPECT_EQ(Geometry::windowed("op", 2, {1 << 20, 1 << 10, 64, 64}, options(Extent<2>(2)))->output_numel(), int64_t{1} << 40);
}

TEST(Geometry, AnEmptyBatchDoesNotHideAnOverflow) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(refusal_code(2, {0, 1, big, big}, options(Extent<2>(2))), ErrorCode::overflow);
  EXPECT_EQ(refusal(2, {0, big, big, 4}, options(Extent<2>(2))),
            "max_pool2d: tensor sizes overflow 64 bits (input 0x1099511627776x1099511627776x4)");
}

TEST(Geometry, PresetsAreRowsOfOneTable) {
  EXPECT_EQ(preset_rules(Preset::torch).name, "torch");
  EXPECT_EQ(preset_rules(Preset::onnx).name, "onnx");
  EXPECT_EQ(preset_rules(Preset::tensorflow).name, "tensorflow");
  EXPECT_EQ(preset_rules(Preset::caffe).name, "caffe");
  EXPECT_TRUE(preset_rules(Preset::torch).limit_padding);
  for (Preset p : {Preset::onnx, Preset::tensorflow, Preset::caffe}) {
    EXPECT_FALSE(preset_rules(p).limit_padding);
    WindowOptions o = options(Extent<2>(2), Extent<2>(1), Padding<2>(2));
    o.preset = p;
    EXPECT_TRUE(Geometry::windowed("op", 2, {1, 1, 4, 4}, o).ok());
  }
  EXPECT_EQ(preset_rules(Preset::torch).index_base, IndexBase::plane);
  EXPECT_EQ(preset_rules(Preset::onnx).index_base, IndexBase::tensor);
}

}  // namespace
}  // namespace tidepool
