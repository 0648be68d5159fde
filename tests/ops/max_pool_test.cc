// Max and min pooling in small cases with results worked out by hand.
#include "tidepool/ops/max_pool.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/compare.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/min_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::plane;

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

TEST(MaxPool, TheFirstOfEqualsWins) {
  const Tensor x = plane(2, 4, {7, 7, 1, 2, 7, 7, 2, 2});
  const Pooled p = max_pool2d_with_indices(x, {.kernel_size = 2});
  EXPECT_EQ(cells(p.values), (Cells{7, 2}));
  EXPECT_EQ(cells(p.indices), (Cells{0, 3}));
}

TEST(MaxPool, TheFirstZeroKeepsItsSign) {
  const Tensor x = plane(1, 4, {-0.0f, 0.0f, 0.0f, -0.0f});
  EXPECT_TRUE(test::same_bits(plane(1, 2, {-0.0f, 0.0f}), max_pool2d(x, {.kernel_size = {1, 2}})));
  EXPECT_TRUE(test::same_bits(plane(1, 2, {-0.0f, 0.0f}), min_pool2d(x, {.kernel_size = {1, 2}})));
}

TEST(MaxPool, NanIsTheResultAndTheIndexIsThatOfTheLastNan) {
  const Tensor x = plane(2, 4, {nan, 5, 1, 2, nan, 9, 3, inf});
  const Pooled p = max_pool2d_with_indices(x, {.kernel_size = 2});
  EXPECT_TRUE(std::isnan(cells(p.values)[0]));
  EXPECT_EQ(cells(p.values)[1], inf);
  EXPECT_EQ(cells(p.indices), (Cells{4, 7}));
}

TEST(MaxPool, IgnoredNanCellsCountAsAbsent) {
  const Tensor x = plane(2, 4, {nan, 5, nan, nan, nan, 5, nan, nan});
  const Pooled p = max_pool2d_with_indices(x, {.kernel_size = 2, .nan = NanPolicy::ignore});
  EXPECT_EQ(cells(p.values), (Cells{5, -inf}));
  EXPECT_EQ(cells(p.indices), (Cells{1, -1}));
  const Pooled lowest = min_pool2d_with_indices(x, {.kernel_size = 2, .nan = NanPolicy::ignore});
  EXPECT_EQ(cells(lowest.values), (Cells{5, inf}));
  EXPECT_EQ(cells(lowest.indices), (Cells{1, -1}));
}

TEST(MaxPool, AWindowOfMinusInfinityHasTheIndexOfItsFirstCell) {
  const Pooled p = max_pool2d_with_indices(full({1, 1, 3, 3}, -inf), {.kernel_size = 2, .stride = 1, .padding = 1});
  EXPECT_EQ(cells(p.values), Cells(16, -inf));
  EXPECT_EQ(cells(p.indices), (Cells{0, 0, 1, 2, 0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8}));
}

TEST(MaxPool, DenormalsAreNumbers) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(test::same_bits(plane(1, 2, {tiny, 2 * tiny}), max_pool2d(plane(1, 4, {0, tiny, 2 * tiny, tiny}), {.kernel_size = {1, 2}})));
}

// Padding and windows.

TEST(MaxPool, PaddingNeverWins) {
  const Tensor x = full({1, 1, 2, 2}, -5);
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 3, .stride = 1, .padding = 1})), Cells(4, -5));
  EXPECT_EQ(cells(min_pool2d(full({1, 1, 2, 2}, 5), {.kernel_size = 3, .stride = 1, .padding = 1})), Cells(4, 5));
}

TEST(MaxPool, EmptyWindowsGiveTheIdentityAndIndexMinusOne) {
  // Taps 3 cells apart fall on the padding before and after the 2x2 input.
  const MaxPoolOptions<2> o{.kernel_size = 2, .stride = 1, .padding = 1, .dilation = 3};
  const Pooled p = max_pool2d_with_indices(full({1, 1, 2, 2}, 1), o);
  EXPECT_EQ(p.values.shape(), (Dims{1, 1, 1, 1}));
  EXPECT_EQ(cells(p.values), (Cells{-inf}));
  EXPECT_EQ(cells(p.indices), (Cells{-1}));
  EXPECT_EQ(cells(min_pool2d(full({1, 1, 2, 2}, 1), o)), (Cells{inf}));
  EXPECT_EQ(cells(max_pool2d_backward(full({1, 1, 1, 1}, 1), p.indices, {1, 1, 2, 2}, o)), Cells(4, 0));
  EXPECT_EQ(cells(max_pool2d_double_backward(full({1, 1, 2, 2}, 1), p.indices, o)), (Cells{0}));
}

TEST(MaxPool, EmptyWindowsOfIntegersGiveTheLowestNumber) {
  const MaxPoolOptions<1> o{.kernel_size = 2, .stride = 1, .padding = 1, .dilation = 2};
  EXPECT_EQ(cells(max_pool1d(full({1, 1, 1}, 1), o)), (Cells{-inf}));
  EXPECT_EQ(cells(max_pool1d(full({1, 1, 1}, 1, DType::i8), o)), (Cells{-128}));
  EXPECT_EQ(cells(min_pool1d(full({1, 1, 1}, 1, DType::i8), o)), (Cells{127}));
  EXPECT_EQ(cells(max_pool1d(full({1, 1, 1}, 1, DType::u8), o)), (Cells{0}));
  EXPECT_EQ(cells(min_pool1d(full({1, 1, 1}, 0, DType::u8), o)), (Cells{255}));
  EXPECT_EQ(cells(max_pool1d(full({1, 1, 1}, 1, DType::boolean), o)), (Cells{0}));
  EXPECT_EQ(cells(min_pool1d(full({1, 1, 1}, 0, DType::boolean), o)), (Cells{1}));
  EXPECT_EQ(cells(max_pool1d(full({1, 1, 1}, 1, DType::i32), o)), (Cells{-2147483648.0}));
}

TEST(MaxPool, EmptyWindowsWithCompactIndicesKeepTheGradient) {
  MaxPoolOptions<1> o{.kernel_size = 2, .stride = 1, .padding = 1, .dilation = 2, .index_base = IndexBase::window};
  const Pooled p = max_pool1d_with_indices(full({1, 1, 1}, 1), o);
  EXPECT_EQ(p.indices.dtype(), DType::u8);
  EXPECT_EQ(cells(p.indices), (Cells{255}));
  EXPECT_EQ(cells(max_pool1d_backward(full({1, 1, 1}, 1), p.indices, {1, 1, 1}, o)), (Cells{0}));
}

TEST(MaxPool, DilatedTapsStepOverCells) {
  const Tensor x = Tensor::from<float>({1, 1, 7}, {9, 1, 2, 8, 3, 7, 4});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 3, .stride = 1, .dilation = 2})), (Cells{9, 8, 4}));
}

TEST(MaxPool, SamePaddingPutsTheOddCellAfterOrBefore) {
  const Tensor x = Tensor::from<float>({1, 1, 5}, {5, 4, 3, 2, 1});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 2, .padding = same})), (Cells{5, 3, 1}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 2, .padding = same_lower})), (Cells{5, 4, 2}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 1, .padding = same})), (Cells{5, 4, 3, 2, 1}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 2, .padding = valid})), (Cells{5, 3}));
}

TEST(MaxPool, SameWithStrideBeyondKernelOrInput) {
  const Tensor x = Tensor::from<float>({1, 1, 5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 3, .padding = same})), (Cells{2, 5}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 100, .padding = same})), (Cells{2}));
}

TEST(MaxPool, PaddingPerSide) {
  const Tensor x = plane(2, 2, {1, 2, 3, 4});
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2, .stride = 1, .padding = {{1, 0}, {0, 1}}})), (Cells{2, 2, 4, 4}));
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2, .stride = 1, .padding = {{0, 1}, {1, 0}}})), (Cells{3, 4, 3, 4}));
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2, .stride = 1, .padding = {1, 0}})), (Cells{2, 4, 4}));
}

TEST(MaxPool, CeilCountsAWindowThatHangsOverUnlessItWouldStartInTheTrailingPadding) {
  const Tensor x = Tensor::from<float>({1, 1, 5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2})), (Cells{2, 4}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .ceil_mode = true})), (Cells{2, 4, 5}));
  // A second window would start in the trailing padding: PyTorch's rule drops it.
  const Tensor y = Tensor::from<float>({1, 1, 4}, {1, 2, 3, 4});
  EXPECT_EQ(cells(max_pool1d(y, {.kernel_size = 2, .stride = 5, .padding = 1, .ceil_mode = true})), (Cells{1}));
  EXPECT_EQ(cells(max_pool1d(y, {.kernel_size = 2, .stride = 5, .padding = 1, .ceil_mode = Rounding::ceil_full})), (Cells{1, -inf}));
  // A kernel larger than the input is valid if its window starts inside the input or the padding before it.
  EXPECT_EQ(cells(max_pool1d(Tensor::from<float>({1, 1, 2}, {1, 2}), {.kernel_size = 3, .stride = 2, .ceil_mode = true})), (Cells{2}));
}

TEST(MaxPool, CaffeRoundsUpByDefault) {
  const Tensor x = Tensor::from<float>({1, 1, 5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2})), (Cells{2, 4}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .preset = Preset::caffe})), (Cells{2, 4, 5}));
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .ceil_mode = false, .preset = Preset::caffe})), (Cells{2, 4}));
}

TEST(MaxPool, PresetsOtherThanTorchHaveNoPaddingLimit) {
  const Tensor x = Tensor::from<float>({1, 1, 2}, {1, 2});
  EXPECT_THROW(max_pool1d(x, {.kernel_size = 2, .stride = 1, .padding = 2}), Error);
  for (Preset preset : {Preset::onnx, Preset::tensorflow, Preset::caffe})
    EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2, .stride = 1, .padding = 2, .ceil_mode = false, .preset = preset})),
              (Cells{-inf, 1, 2, 2, -inf}));
}

TEST(MaxPool, OverlappingAndNonSquareWindows) {
  const Tensor x = plane(3, 4, {1, 2, 3, 4, 8, 7, 6, 5, 9, 0, 1, 2});
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = {2, 3}, .stride = 1})), (Cells{8, 7, 9, 7}));
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = {3, 1}, .stride = {1, 2}})), (Cells{9, 6}));
}

// Ranks and batches.

TEST(MaxPool, OneAndThreeDimensions) {
  EXPECT_EQ(cells(max_pool1d(arange({2, 3, 4}), {.kernel_size = 2})), (Cells{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}));
  const Pooled p = max_pool3d_with_indices(arange({1, 1, 2, 4, 4}), {.kernel_size = 2});
  EXPECT_EQ(p.values.shape(), (Dims{1, 1, 1, 2, 2}));
  EXPECT_EQ(cells(p.values), (Cells{21, 23, 29, 31}));
  EXPECT_EQ(cells(p.indices), (Cells{21, 23, 29, 31}));
}

TEST(MaxPool, UnbatchedInputsGiveUnbatchedOutputs) {
  EXPECT_EQ(max_pool1d(arange({3, 4}), {.kernel_size = 2}).shape(), (Dims{3, 2}));
  EXPECT_EQ(max_pool2d(arange({3, 4, 4}), {.kernel_size = 2}).shape(), (Dims{3, 2, 2}));
  const Pooled p = max_pool3d_with_indices(arange({2, 2, 2, 2}), {.kernel_size = 2});
  EXPECT_EQ(p.values.shape(), (Dims{2, 1, 1, 1}));
  EXPECT_EQ(cells(p.values), (Cells{7, 15}));
  EXPECT_EQ(cells(p.indices), (Cells{7, 7}));
  EXPECT_EQ(max_pool3d_backward(p.values, p.indices, {2, 2, 2, 2}, {.kernel_size = 2}).shape(), (Dims{2, 2, 2, 2}));
}

TEST(MaxPool, AnEmptyBatchGivesAnEmptyResultInEveryPass) {
  const MaxPoolOptions<2> o{.kernel_size = 2};
  const Tensor x = zeros({0, 3, 4, 4});
  const Pooled p = max_pool2d_with_indices(x, o);
  EXPECT_EQ(p.values.shape(), (Dims{0, 3, 2, 2}));
  EXPECT_EQ(p.indices.shape(), (Dims{0, 3, 2, 2}));
  EXPECT_EQ(max_pool2d_backward(p.values, p.indices, {0, 3, 4, 4}, o).shape(), (Dims{0, 3, 4, 4}));
  EXPECT_EQ(max_pool2d_double_backward(x, p.indices, o).shape(), (Dims{0, 3, 2, 2}));
}

TEST(MaxPool, ChannelsAndBatchesDoNotMix) {
  const Tensor x = Tensor::from<float>({2, 2, 2}, {1, 2, -3, -4, 50, 60, 0, 0});
  EXPECT_EQ(cells(max_pool1d(x, {.kernel_size = 2})), (Cells{2, -3, 60, 0}));
  EXPECT_EQ(cells(min_pool1d(x, {.kernel_size = 2})), (Cells{1, -4, 50, 0}));
}

// Indices.

TEST(MaxPool, IndexBases) {
  const Tensor x = Tensor::from<float>({2, 2, 1, 4}, {1, 2, 4, 3, 2, 1, 3, 4, 1, 2, 3, 4, 4, 3, 2, 1});
  const auto indices = [&](IndexBase base) { return max_pool2d_with_indices(x, {.kernel_size = {1, 2}, .index_base = base}).indices; };
  EXPECT_EQ(cells(indices(IndexBase::plane)), (Cells{1, 2, 0, 3, 1, 3, 0, 2}));
  EXPECT_EQ(cells(indices(IndexBase::tensor)), (Cells{1, 2, 4, 7, 9, 11, 12, 14}));
  EXPECT_EQ(cells(indices(IndexBase::window)), (Cells{1, 0, 0, 1, 1, 1, 0, 0}));
  EXPECT_EQ(indices(IndexBase::plane).dtype(), DType::i64);
  EXPECT_EQ(indices(IndexBase::tensor).dtype(), DType::i64);
  EXPECT_EQ(indices(IndexBase::window).dtype(), DType::u8);
}

TEST(MaxPool, PlaneIndicesDoNotCountPadding) {
  const Pooled p = max_pool2d_with_indices(plane(2, 2, {1, 2, 3, 4}), {.kernel_size = 2, .stride = 1, .padding = 1});
  EXPECT_EQ(cells(p.indices), (Cells{0, 1, 1, 2, 3, 3, 2, 3, 3}));
}

TEST(MaxPool, WindowIndicesCountTheTapsThatPaddingHides) {
  const Pooled p = max_pool1d_with_indices(Tensor::from<float>({1, 1, 2}, {1, 2}),
                                           {.kernel_size = 3, .stride = 1, .padding = 1, .index_base = IndexBase::window});
  EXPECT_EQ(cells(p.indices), (Cells{2, 1}));
}

TEST(MaxPool, TheDefaultIndexBaseIsThatOfThePreset) {
  const Tensor x = arange({2, 1, 2, 2});
  EXPECT_EQ(cells(max_pool2d_with_indices(x, {.kernel_size = 2}).indices), (Cells{3, 3}));
  EXPECT_EQ(cells(max_pool2d_with_indices(x, {.kernel_size = 2, .preset = Preset::onnx}).indices), (Cells{3, 7}));
  EXPECT_EQ(cells(max_pool2d_with_indices(x, {.kernel_size = 2, .index_base = IndexBase::plane, .preset = Preset::onnx}).indices),
            (Cells{3, 3}));
}

}  // namespace
}  // namespace tidepool
