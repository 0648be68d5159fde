// Inputs like those of published vulnerabilities in the pooling of other libraries, each as a call that must end in an Error or a result.
// Those of max pooling are in max_pool_cve_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.h"
#include "support/targets.h"
#include "support/tensors.h"
#include "tidepool/tidepool.h"

namespace tidepool::test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), huge = std::numeric_limits<int64_t>::max();
const Dims in2{1, 1, 4, 4}, out2{1, 1, 2, 2}, in3{1, 1, 4, 4, 4}, out3{1, 1, 2, 2, 2};

std::string fractional(const FractionalMaxPoolOptions<2>& o, const Dims& shape = in2) {
  return message_of([&] { fractional_max_pool2d(zeros(shape), o); });
}

TEST(Cve, Cve2021_29550_And_2022_21735_RatioThatLeavesNoOutput) {
  EXPECT_THAT(fractional({.kernel_size = 1, .output_ratio = 100}), HasSubstr("output_ratio must lie between 0 and 1"));
  const Tensor none = fractional_max_pool2d(zeros(in2), {.kernel_size = 1, .output_ratio = 0.1});  // no output, and no division by it
  EXPECT_EQ(none.shape(), Dims({1, 1, 0, 0}));
}

TEST(Cve, Cve2022_41900_RatioThatWouldEnlarge) {
  for (double ratio : {-1.0, 0.0, 1.0, 1.0001, 1e308, HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_THAT(fractional({.kernel_size = 1, .output_ratio = ratio}), HasSubstr("output_ratio must lie between 0 and 1")) << ratio;
}

TEST(Cve, Cve2023_25801_RatioOnBatchOrChannels) {
  // The option cannot express such a ratio: it is one number, or one for each spatial axis.
  EXPECT_THAT(fractional({.kernel_size = 1, .output_ratio = {1, 0.5, 0.5, 1}}), HasSubstr("output_ratio must have 1 or 2 values, got 4"));
}

TEST(Cve, Cve2021_29578_And_2022_35981_SequencesOfTheWrongLength) {
  // The plan takes one start per output and axis for every plane, and refuses arrays of any other shape.
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 1x2x6x6 k2 out=3"));
  const Tensor x = zeros({1, 2, 6, 6});
  Tensor y({1, 2, 3, 3});
  for (const Dims& shape : {Dims{1, 2, 5}, Dims{1, 2, 7}, Dims{1, 1, 6}, Dims{0, 2, 6}, Dims{12}, Dims{}}) {
    const Tensor starts = zeros(shape, DType::i64);
    EXPECT_THAT(message_of([&] { plan.run({.input = x, .output = y.span(), .starts = starts}); }),
                HasSubstr("starts must have shape 1x2x6"));
  }
  EXPECT_THROW(plan.run({.input = x, .output = y.span()}), Error);
}

TEST(Cve, Cve2021_37651_And_2022_21730_And_41897_SequenceValuesOutOfRange) {
  const Plan forward = make_plan(parse("max2d fwd f32 nchw 1x1x6x6 k2 out=3"));
  const Plan backward = make_plan(parse("max2d bwd f32 nchw 1x1x6x6 k2 out=3 idx=window"));
  const Tensor x = zeros({1, 1, 6, 6}), grad = zeros({1, 1, 3, 3}), taps = zeros({1, 1, 3, 3}, DType::u8);
  Tensor y = full({1, 1, 3, 3}, -7), gx = full({1, 1, 6, 6}, -7);
  for (int64_t start : {int64_t{-1}, int64_t{5}, int64_t{-0x4000000}, int64_t{0x4000000}, lowest, huge})
    for (int at = 0; at < 6; ++at) {
      Tensor starts = zeros({1, 1, 6}, DType::i64);
      starts.data<int64_t>()[at] = start;
      EXPECT_THAT(message_of([&] { forward.run({.input = x, .output = y.span(), .starts = starts}); }),
                  HasSubstr("a window that starts at " + std::to_string(start) + " leaves the input of 6 cells"));
      EXPECT_THROW(backward.run({.input = grad, .output = gx.span(), .indices_in = taps, .starts = starts}), Error);
    }
  EXPECT_EQ(cells(y), Cells(9, -7));
  EXPECT_EQ(cells(gx), Cells(36, -7));
  // Starts inside the input are accepted in any order.
  const Tensor starts = Tensor::from<int64_t>({1, 1, 6}, {4, 0, 2, 3, 3, 0});
  forward.run({.input = x, .output = y.span(), .starts = starts});
  EXPECT_EQ(cells(y), Cells(9, 0));
}

TEST(Cve, Cve2022_35963_InputShapeThatOverflows) {
  const Tensor grad = zeros({1, 1, 2, 2}), indices = zeros({1, 1, 2, 2}, DType::i64);
  for (const Dims& shape : {Dims{1, 1, lowest, 4}, Dims{1, 1, huge, huge}, Dims{-1, 1, 4, 4}, Dims{1, huge, 4, 4}})
    EXPECT_THROW(fractional_max_pool2d_backward(grad, indices, shape, {.kernel_size = 2, .output_size = 2}), Error) << to_string(shape);
}

TEST(Cve, Cve2021_29580_EmptyOrMismatchedFractionalGradients) {
  const FractionalMaxPoolOptions<2> o{.kernel_size = 2, .output_size = 2};
  for (const Dims& shape : {Dims{0}, Dims{}, Dims{1, 1, 0, 0}, Dims{2, 2}, Dims{1, 1, 2}, Dims{1, 1, 2, 3}, Dims{0, 1, 2, 2}}) {
    EXPECT_THROW(fractional_max_pool2d_backward(zeros(shape), zeros(out2, DType::i64), in2, o), Error) << to_string(shape);
    EXPECT_THROW(fractional_max_pool2d_backward(zeros(out2), zeros(shape, DType::i64), in2, o), Error) << to_string(shape);
  }
}

TEST(Cve, Cve2021_29577_And_2022_35959_AverageGradientOfAnotherShape) {
  for (const Dims& shape :
       {Dims{2, 1, 2, 2, 2}, Dims{1, 2, 2, 2, 2}, Dims{1, 1, 2, 2, 3}, Dims{1, 1, 8, 8, 8}, Dims{0, 1, 2, 2, 2}, Dims{8}})
    EXPECT_THAT(message_of([&] { avg_pool3d_backward(zeros(shape), in3, {.kernel_size = 2}); }),
                HasSubstr("grad must have shape 1x1x2x2x2"));
  EXPECT_THROW(avg_pool3d_backward(zeros(out3), {1, 1, huge, huge, huge}, {.kernel_size = 2}), Error);
}

TEST(Cve, Cve2022_35968_And_2023_25664_And_25669_AverageGradientShapesAndWindows) {
  const Tensor grad = zeros(out2);
  for (const Dims& shape : {Dims{1, 1, -4, 4}, Dims{-1, 1, 4, 4}, Dims{1, 1, huge, 4}, Dims{1, 1, 0, 4}, Dims{1, 1, 9, 9}, Dims{4, 4}})
    EXPECT_THROW(avg_pool2d_backward(grad, shape, {.kernel_size = 2}), Error) << to_string(shape);
  EXPECT_EQ(message_of([&] { avg_pool2d_backward(grad, in2, {.kernel_size = 0, .stride = 1}); }),
            "avg_pool2d_backward: kernel_size must be at least 1, got 0 (axis h)");
  EXPECT_EQ(message_of([&] { avg_pool2d_backward(grad, in2, {.kernel_size = 2, .stride = {2, 0}}); }),
            "avg_pool2d_backward: stride must be at least 1, got 0 (axis w)");
}

TEST(Cve, Cve2022_35941_NegativeKernelOfAnAverage) {
  EXPECT_EQ(message_of([] { avg_pool2d(zeros(in2), {.kernel_size = {2, -1}}); }),
            "avg_pool2d: kernel_size must be at least 1, got -1 (axis w)");
}

TEST(Cve, Cve2022_21739_And_35966_QuantisedInputsHaveNoSeparateRanges) {
  // Bytes are pooled as numbers. The vulnerable functions took their range as extra tensors, which could be empty or of the wrong rank.
  const Tensor bytes = Tensor::from<uint8_t>({1, 1, 4}, {7, 250, 3, 4});
  EXPECT_EQ(cells(max_pool1d(bytes, {.kernel_size = 2})), (Cells{250, 4}));
  EXPECT_EQ(cells(avg_pool1d(bytes, {.kernel_size = 2})), (Cells{128, 3}));
  EXPECT_THROW(max_pool1d(Tensor({1, 1, 0}, DType::u8), {.kernel_size = 2}), Error);
  EXPECT_THROW(avg_pool1d(Tensor({0}, DType::u8), {.kernel_size = 2}), Error);
}

TEST(Cve, Pysec2025_200_OneSeedOneAnswerOnEveryTargetAndThread) {
  const Tensor x = randn({3, 5, 33, 31}, 9);
  const FractionalMaxPoolOptions<2> o{.kernel_size = 3, .output_ratio = {0.4, 0.7}, .seed = 12};
  const Pooled first = fractional_max_pool2d_with_indices(x, o);
  for (const std::string& target : supported_targets()) {
    const ForcedTarget forced(target);
    for (const Tensor& input : {x, x.clone(MemoryFormat::channels_last)}) {
      const Pooled again = fractional_max_pool2d_with_indices(input, o);
      EXPECT_TRUE(same_bits(first.values, again.values)) << target;
      EXPECT_TRUE(same_bits(first.indices, again.indices)) << target;
    }
  }
}

}  // namespace
}  // namespace tidepool::test
