// Common textbook examples of pooling, with their correct values.
#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/min_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::digits;
using test::plane;

const Tensor& first_example() {
  static const Tensor x = plane(4, 4, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  return x;
}

TEST(MaxPoolExamples, FourByFour) { EXPECT_EQ(cells(max_pool2d(first_example(), {.kernel_size = 2, .stride = 2})), (Cells{4, 2, 8, 4})); }

TEST(MaxPoolExamples, FourByFourOfRealNumbers) {
  const Tensor x = plane(4, 4,
                         {-0.4128f, 0.2341f, -0.9876f, 0.4567f, 0.1234f, 0.8765f, -0.2345f, 0.6789f, -0.5678f, 0.3456f, 0.7890f, -0.1234f,
                          0.9012f, -0.4567f, 0.2345f, 0.5678f});
  EXPECT_TRUE(test::same_bits(plane(2, 2, {0.8765f, 0.6789f, 0.9012f, 0.7890f}), max_pool2d(x, {.kernel_size = 2})));
}

TEST(MaxPoolExamples, EightByEight) {
  const Tensor x = digits({"53000003", "58672153", "56164631", "74030029", "37232705", "01411291", "17112997", "13071216"});
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2})), (Cells{8, 7, 2, 5, 7, 6, 6, 9, 7, 4, 7, 9, 7, 7, 9, 9}));
}

TEST(MaxPoolExamples, SixBySix) {
  const Tensor x = digits({"132468", "561237", "427810", "359421", "876352", "104789"});
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2})), (Cells{6, 4, 8, 5, 9, 2, 8, 7, 9}));
}

TEST(MaxPoolExamples, Shapes) {
  EXPECT_EQ(max_pool2d_shape({5, 64, 32, 32}, {.kernel_size = 2}), (Dims{5, 64, 16, 16}));
  EXPECT_EQ(max_pool2d_shape({1, 3, 224, 224}, {.kernel_size = 7, .stride = 1, .padding = 3}), (Dims{1, 3, 224, 224}));
  EXPECT_EQ(max_pool2d_shape({1, 1, 6, 9}, {.kernel_size = 3, .stride = 1}), (Dims{1, 1, 4, 7}));
  EXPECT_EQ(max_pool2d_shape({1, 1, 6, 9}, {.kernel_size = {2, 3}, .stride = {2, 3}}), (Dims{1, 1, 3, 3}));
  EXPECT_EQ(max_pool2d_shape({1, 1, 4, 4}, {.kernel_size = 3, .stride = 1, .padding = 1}), (Dims{1, 1, 4, 4}));
  EXPECT_EQ(max_pool2d_shape({1, 32, 16, 16}, {.kernel_size = 2}), (Dims{1, 32, 8, 8}));
  EXPECT_EQ(max_pool2d_shape({1, 1, 7, 7}, {.kernel_size = 2, .stride = 2}), (Dims{1, 1, 3, 3}));
  // The shape functions agree with the shapes of the results.
  EXPECT_EQ(max_pool2d(zeros({5, 64, 32, 32}), {.kernel_size = 2}).shape(), (Dims{5, 64, 16, 16}));
  EXPECT_EQ(max_pool2d(zeros({1, 1, 6, 9}), {.kernel_size = 3, .stride = 1}).shape(), (Dims{1, 1, 4, 7}));
}

TEST(MaxPoolExamples, SevenBySevenLosesItsLastRowAndColumn) {
  Tensor x = zeros({1, 1, 7, 7});
  for (int64_t i = 0; i < 7; ++i) {
    test::put<float>(x.span(), {0, 0, 6, i}, 9);
    test::put<float>(x.span(), {0, 0, i, 6}, 9);
  }
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2, .stride = 2})), Cells(9, 0));
}

TEST(MaxPoolExamples, GradientGoesToTheWinners) {
  const Pooled pooled = max_pool2d_with_indices(first_example(), {.kernel_size = 2});
  const Tensor grad = max_pool2d_backward(full({1, 1, 2, 2}, 1), pooled.indices, {1, 1, 4, 4}, {.kernel_size = 2});
  EXPECT_EQ(cells(grad), (Cells{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(cells(pooled.indices), (Cells{4, 2, 13, 15}));
}

TEST(MinPool, FirstExample) {
  const Pooled p = min_pool2d_with_indices(first_example(), {.kernel_size = 2});
  EXPECT_EQ(cells(p.values), (Cells{1, 0, 5, 1}));
  EXPECT_EQ(cells(p.indices), (Cells{0, 7, 8, 10}));
  const Tensor grad = min_pool2d_backward(full({1, 1, 2, 2}, 2), p.indices, {1, 1, 4, 4}, {.kernel_size = 2});
  EXPECT_EQ(cells(grad), (Cells{2, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace tidepool
