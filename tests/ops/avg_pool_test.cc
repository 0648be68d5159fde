// Average and sum pooling in small cases with results worked out by hand.
#include "tidepool/ops/avg_pool.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::digits;
using test::message_of;
using test::plane;

Tensor row(std::initializer_list<float> values) { return Tensor::from<float>({1, 1, static_cast<int64_t>(values.size())}, values); }

TEST(AvgPoolExamples, FourByFour) {
  const Tensor x = plane(4, 4, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  EXPECT_EQ(cells(avg_pool2d(x, {.kernel_size = 2})), (Cells{2.5, 1, 6.5, 2.5}));
  EXPECT_EQ(cells(avg_pool2d_backward(full({1, 1, 2, 2}, 1), x.shape(), {.kernel_size = 2})), Cells(16, 0.25));
}

TEST(AvgPoolExamples, SixBySix) {
  const Tensor x = digits({"132468", "561237", "427810", "359421", "876352", "104789"});
  EXPECT_EQ(cells(avg_pool2d(x, {.kernel_size = 2})), (Cells{3.75, 2.25, 6, 3.5, 7, 1, 4, 5, 6}));
}

// ones(4x4), k3 s2 p1, ceil: the last window hangs over the padding, and the part beyond it does not count.
TEST(AvgPool, CeilOverhangIsNotCounted) {
  const AvgPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1, .ceil_mode = true};
  const Cells y = cells(avg_pool2d(full({1, 1, 4, 4}, 1), o));
  ASSERT_EQ(y.size(), 9u);
  EXPECT_FLOAT_EQ(static_cast<float>(y[0]), 4.0f / 9);
  EXPECT_FLOAT_EQ(static_cast<float>(y[4]), 1.0f);
  EXPECT_EQ(y[8], 0.25);
}

TEST(AvgPool, EveryDivisorOfOneWindow) {
  // Cells 1 2 3, padding 1 on both sides, kernel 3, stride 3, ceil_full: the second window holds cell 3, one padded cell and one beyond.
  const Tensor x = row({1, 2, 3});
  const auto last = [&](CountPad pad, std::optional<int64_t> override) {
    return cells(avg_pool1d(x, {.kernel_size = 3,
                                .stride = 3,
                                .padding = 1,
                                .ceil_mode = Rounding::ceil_full,
                                .count_include_pad = pad,
                                .divisor_override = override}))
        .at(1);
  };
  EXPECT_EQ(last(true, std::nullopt), 1.5);
  EXPECT_EQ(last(false, std::nullopt), 3);
  EXPECT_EQ(last(Divisor::full_kernel, std::nullopt), 1);
  EXPECT_EQ(last(false, 6), 0.5);  // the override wins
  EXPECT_EQ(last(true, -3), -1);
}

TEST(AvgPool, PresetsDifferInWhatTheyCount) {
  const auto first = [](Preset preset) {
    return cells(avg_pool1d(row({4, 4}), {.kernel_size = 2, .stride = 1, .padding = 1, .preset = preset})).at(0);
  };
  EXPECT_EQ(first(Preset::torch), 2);
  EXPECT_EQ(first(Preset::onnx), 4);
  EXPECT_EQ(first(Preset::tensorflow), 4);
  EXPECT_EQ(first(Preset::caffe), 2);
}

TEST(AvgPool, IntegersRoundAsAsked) {
  const Tensor x = Tensor::from<int32_t>({1, 1, 8}, {-3, -4, 1, 2, 3, 4, -1, -2});
  const auto rounded = [&](IntegerRounding r) { return cells(avg_pool1d(x, {.kernel_size = 2, .rounding = r})); };
  EXPECT_EQ(rounded(IntegerRounding::truncate), (Cells{-3, 1, 3, -1}));
  EXPECT_EQ(rounded(IntegerRounding::floor), (Cells{-4, 1, 3, -2}));
  EXPECT_EQ(rounded(IntegerRounding::nearest_even), (Cells{-4, 2, 4, -2}));
}

TEST(AvgPool, EveryPairOfBytesAtEveryRounding) {
  Tensor x({256, 256, 2}, DType::u8);
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      x.data<uint8_t>()[(a * 256 + b) * 2] = static_cast<uint8_t>(a);
      x.data<uint8_t>()[(a * 256 + b) * 2 + 1] = static_cast<uint8_t>(b);
    }
  const Tensor down = avg_pool1d(x, {.kernel_size = 2});
  const Tensor even = avg_pool1d(x, {.kernel_size = 2, .rounding = IntegerRounding::nearest_even});
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const int sum = a + b, half = sum / 2;
      ASSERT_EQ(down.data<uint8_t>()[a * 256 + b], half);
      ASSERT_EQ(even.data<uint8_t>()[a * 256 + b], sum % 2 == 0 || half % 2 == 0 ? half : half + 1);
    }
}

TEST(AvgPool, ExtremesStayInTheirType) {
  const Tensor low = Tensor::from<int64_t>({1, 1, 2}, {INT64_MIN, INT64_MIN});
  EXPECT_EQ(cells(avg_pool1d(low, {.kernel_size = 1})), (Cells{static_cast<double>(INT64_MIN), static_cast<double>(INT64_MIN)}));
  EXPECT_EQ(cells(sum_pool1d(Tensor::from<int8_t>({1, 1, 2}, {100, 100}), {.kernel_size = 2})), (Cells{127}));
  // 65504 is the largest f16: the sum is a float, and only the average is rounded to f16.
  EXPECT_EQ(cells(avg_pool1d(full({1, 1, 4}, 65504, DType::f16), {.kernel_size = 4})), (Cells{65504}));
  EXPECT_EQ(cells(avg_pool1d(full({1, 1, 4}, 3e38), {.kernel_size = 4}))[0], std::numeric_limits<float>::infinity());
}

TEST(AvgPool, EmptyWindowsAreZero) {
  // Taps 3 cells apart miss the only two cells, so the windows of the middle outputs have no real cell.
  const Tensor x = full({1, 1, 2, 2}, 1);
  const AvgPoolOptions<2> o{.kernel_size = 2, .stride = 1, .padding = 1, .dilation = 3, .count_include_pad = false};
  EXPECT_EQ(cells(avg_pool2d(x, o)), (Cells{0}));
  EXPECT_EQ(cells(avg_pool2d_backward(full({1, 1, 1, 1}, 1), x.shape(), o)), (Cells{0, 0, 0, 0}));
}

TEST(AvgPool, SumIsTheAverageTimesTheCount) {
  EXPECT_EQ(cells(sum_pool1d(row({1, 2, 3, 4, 5}), {.kernel_size = 2, .ceil_mode = true})), (Cells{3, 7, 5}));
  EXPECT_EQ(cells(sum_pool1d_backward(row({1, 10}), {1, 1, 3}, {.kernel_size = 2, .stride = 1})), (Cells{1, 11, 10}));
}

TEST(AvgPool, DoubleBackwardIsForward) {
  const Tensor gg = randn({2, 3, 9, 9}, 5);
  const AvgPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1, .ceil_mode = true};
  EXPECT_EQ(cells(avg_pool2d_double_backward(gg, o)), cells(avg_pool2d(gg, o)));
}

TEST(AvgPool, ErrorMessages) {
  const Tensor x = zeros({1, 1, 4, 4});
  EXPECT_EQ(message_of([&] { avg_pool2d(x, {.kernel_size = 2, .divisor_override = 0}); }), "avg_pool2d: divisor_override must not be 0");
  EXPECT_EQ(message_of([&] { avg_pool2d(x, {.kernel_size = 2, .stride = {1, 0}}); }),
            "avg_pool2d: stride must be at least 1, got 0 (axis w)");
  EXPECT_EQ(message_of([&] { avg_pool2d(x, {.kernel_size = 2, .padding = 2}); }),
            "avg_pool2d: padding must be at most half of the dilated kernel (2 / 2 = 1), got 2 (axis h)");
  EXPECT_EQ(message_of([&] { avg_pool2d(zeros({1, 1, 4, 4}, DType::boolean), {.kernel_size = 2}); }),
            "avg_pool2d: input must be numbers, got bool");
  EXPECT_EQ(message_of([&] { avg_pool2d_backward(zeros({1, 1, 3, 2}), {1, 1, 4, 4}, {.kernel_size = 2}); }),
            "avg_pool2d_backward: grad must have shape 1x1x2x2, got 1x1x3x2");
  EXPECT_EQ(message_of([&] { avg_pool2d_backward(zeros({1, 1, 2, 2}, DType::i64), {1, 1, 4, 4}, {.kernel_size = 2}); }),
            "avg_pool2d_backward: gradients need a floating dtype, got i64");
  EXPECT_EQ(message_of([&] { sum_pool2d(x, {.kernel_size = {1, 2, 3}}); }), "sum_pool2d: kernel_size must have 1 or 2 values, got 3");
  Tensor out = full({1, 1, 2, 2}, -7);
  EXPECT_EQ(message_of([&] { avg_pool2d_into(out.span(), zeros({1, 1, 6, 6}), {.kernel_size = 2}); }),
            "avg_pool2d_into: out must have shape 1x1x3x3, got 1x1x2x2");
  EXPECT_EQ(cells(out), Cells(4, -7));
}

TEST(AvgPool, EmptyBatchIsFine) {
  EXPECT_EQ(avg_pool2d(zeros({0, 3, 4, 4}), {.kernel_size = 2}).shape(), Dims({0, 3, 2, 2}));
  EXPECT_EQ(avg_pool2d_backward(zeros({0, 3, 2, 2}), {0, 3, 4, 4}, {.kernel_size = 2}).shape(), Dims({0, 3, 4, 4}));
}

}  // namespace
}  // namespace tidepool
