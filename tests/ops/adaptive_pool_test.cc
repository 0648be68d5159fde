// Adaptive and global pooling in small cases, worked out by hand.
#include "tidepool/ops/adaptive_pool.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::message_of;

Tensor count(int64_t length) { return arange({1, 1, length}); }

TEST(AdaptivePool, BinsOverlapWhenTheyDoNotDivide) {
  // 7 cells into 3 bins: 0..2, 2..4, 4..6.
  EXPECT_EQ(cells(adaptive_avg_pool1d(count(7), 3)), (Cells{1, 3, 5}));
  EXPECT_EQ(cells(adaptive_max_pool1d(count(7), 3)), (Cells{2, 4, 6}));
  const Pooled p = adaptive_max_pool1d_with_indices(count(7), 3);
  EXPECT_EQ(cells(p.indices), (Cells{2, 4, 6}));
  EXPECT_EQ(cells(adaptive_max_pool1d_backward(full({1, 1, 3}, 1), p.indices, {1, 1, 7})), (Cells{0, 0, 1, 0, 1, 0, 1}));
}

TEST(AdaptivePool, MoreOutputsThanCellsRepeat) {
  EXPECT_EQ(cells(adaptive_avg_pool1d(count(2), 5)), (Cells{0, 0, 0.5, 1, 1}));
  EXPECT_EQ(cells(adaptive_max_pool1d(count(3), 6)), (Cells{0, 0, 1, 1, 2, 2}));
}

TEST(AdaptivePool, DividingSizesAreRegularPooling) {
  const Tensor x = randn({2, 3, 12, 8}, 3);
  EXPECT_EQ(cells(adaptive_avg_pool2d(x, {4, 2})), cells(avg_pool2d(x, {.kernel_size = {3, 4}})));
  EXPECT_EQ(cells(adaptive_max_pool2d(x, {4, 2})), cells(max_pool2d(x, {.kernel_size = {3, 4}})));
}

TEST(AdaptivePool, KeepSizeLeavesAnAxis) {
  const Tensor x = randn({1, 2, 6, 5}, 4);
  const Tensor y = adaptive_avg_pool2d(x, {3, keep_size});
  EXPECT_EQ(y.shape(), Dims({1, 2, 3, 5}));
  EXPECT_EQ(cells(y), cells(avg_pool2d(x, {.kernel_size = {2, 1}})));
}

TEST(AdaptivePool, GradientsSpreadOverTheirBins) {
  // 3 cells into 2 bins of two cells each: 0..1 and 1..2.
  EXPECT_EQ(cells(adaptive_avg_pool1d_backward(Tensor::from<float>({1, 1, 2}, {2, 4}), {1, 1, 3})), (Cells{1, 3, 2}));
  EXPECT_EQ(cells(adaptive_avg_pool1d_double_backward(count(3), 2)), cells(adaptive_avg_pool1d(count(3), 2)));
}

TEST(AdaptivePool, CompactIndicesFindTheirCellsInBinsOfAnySize) {
  const Tensor x = randn({2, 3, 11, 7}, 6);
  const AdaptiveMaxPoolOptions<2> compact{.index_base = IndexBase::window};
  const Pooled by_plane = adaptive_max_pool2d_with_indices(x, {4, 3}), by_window = adaptive_max_pool2d_with_indices(x, {4, 3}, compact);
  EXPECT_EQ(by_window.indices.dtype(), DType::u8);
  const Tensor g = randn({2, 3, 4, 3}, 7);
  EXPECT_EQ(cells(adaptive_max_pool2d_backward(g, by_plane.indices, x.shape())),
            cells(adaptive_max_pool2d_backward(g, by_window.indices, x.shape(), compact)));
  EXPECT_EQ(cells(adaptive_max_pool2d_double_backward(x, by_window.indices, compact)), cells(by_plane.values));
}

TEST(AdaptivePool, GlobalIsOneBin) {
  const Tensor x = arange({1, 2, 2, 2});
  EXPECT_EQ(cells(global_avg_pool2d(x)), (Cells{1.5, 5.5}));
  EXPECT_EQ(cells(global_sum_pool2d(x)), (Cells{6, 22}));
  EXPECT_EQ(cells(global_max_pool2d(x)), (Cells{3, 7}));
  EXPECT_EQ(global_avg_pool2d(zeros({1, 32, 16, 16})).shape(), Dims({1, 32, 1, 1}));
}

TEST(AdaptivePool, GlobalGradients) {
  const Tensor x = randn({2, 3, 4, 5}, 8), g = randn({2, 3, 1, 1}, 9);
  EXPECT_EQ(cells(global_avg_pool2d_backward(g, x.shape())), cells(adaptive_avg_pool2d_backward(g, x.shape())));
  EXPECT_EQ(cells(global_avg_pool2d_double_backward(x)), cells(global_avg_pool2d(x)));
  EXPECT_EQ(cells(global_sum_pool1d_backward(Tensor::from<float>({1, 2, 1}, {3, 5}), {1, 2, 2})), (Cells{3, 3, 5, 5}));
  EXPECT_EQ(cells(global_sum_pool2d_double_backward(x)), cells(global_sum_pool2d(x)));
  const Pooled y = global_max_pool2d_with_indices(x);
  EXPECT_EQ(cells(global_max_pool2d_backward(g, y.indices, x.shape())), cells(adaptive_max_pool2d_backward(g, y.indices, x.shape())));
  EXPECT_EQ(cells(global_max_pool2d_double_backward(x, y.indices)), cells(y.values));
  EXPECT_EQ(message_of([&] { global_avg_pool2d_backward(zeros({2, 3, 2, 2}), x.shape()); }),
            "global_avg_pool2d_backward: grad must have shape 2x3x1x1, got 2x3x2x2");
  EXPECT_EQ(message_of([&] { global_max_pool2d_backward(zeros({2, 3, 2, 2}), y.indices, x.shape()); }),
            "global_max_pool2d_backward: grad must have shape 2x3x1x1, got 2x3x2x2");
}

TEST(AdaptivePool, ZeroOutputsAreEmpty) {
  EXPECT_EQ(adaptive_avg_pool2d(zeros({1, 2, 4, 4}), {0, 3}).shape(), Dims({1, 2, 0, 3}));
  EXPECT_EQ(adaptive_max_pool2d(zeros({0, 2, 4, 4}), 3).shape(), Dims({0, 2, 3, 3}));
}

TEST(AdaptivePool, ErrorMessages) {
  EXPECT_EQ(message_of([] { adaptive_avg_pool2d(zeros({1, 1, 4, 4}), {2, -1}); }),
            "adaptive_avg_pool2d: output_size must not be negative, got -1 (axis w)");
  EXPECT_EQ(message_of([] { adaptive_avg_pool2d(zeros({1, 1, 4, 0}), 1); }),
            "adaptive_avg_pool2d: input size must be at least 1, got 0 (axis w)");
  EXPECT_EQ(message_of([] { adaptive_max_pool1d(zeros({4}), 1); }),
            "adaptive_max_pool1d: input must have 2 or 3 dimensions (C, L or N, C, L), got 1");
  EXPECT_EQ(message_of([] { adaptive_avg_pool2d(zeros({1, 1, 4, 4}), {1, 2, 3}); }),
            "adaptive_avg_pool2d: output_size must have 1 or 2 values, got 3");
  EXPECT_NE(message_of([] { adaptive_avg_pool1d(zeros({1, 1, 4}), int64_t{1} << 62); }), "nothing thrown");
  Tensor indices = full({1, 1, 2}, 9, DType::i64);
  EXPECT_EQ(message_of([&] { adaptive_max_pool1d_backward(zeros({1, 1, 2}), indices, {1, 1, 4}); }),
            "adaptive_max_pool1d_backward: index 9 is outside the plane of 4 cells");
}

}  // namespace
}  // namespace tidepool
