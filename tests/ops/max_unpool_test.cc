// Max unpooling in small cases with results worked out by hand.
#include "tidepool/ops/max_unpool.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;
using test::message_of;
using test::plane;

Tensor indices(const Dims& shape, std::initializer_list<int64_t> values) { return Tensor::from<int64_t>(shape, values); }

TEST(MaxUnpool, PutsValuesBack) {
  const Tensor x = plane(4, 4, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
    const Pooled y = max_pool2d_with_indices(x, {.kernel_size = 2, .index_base = base});
    EXPECT_EQ(cells(max_unpool2d(y.values, y.indices, {.kernel_size = 2, .index_base = base})),
              (Cells{0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 4}));
  }
}

TEST(MaxUnpool, RoundTripInEveryRankLayoutAndType) {
  for (DType dtype : all_dtypes) {
    Tensor x({2, 3, 5, 6, 7}, dtype, MemoryFormat::channels_last);
    fill_rand(x.span(), 7);
    for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
      const Pooled y = max_pool3d_with_indices(x, {.kernel_size = {2, 3, 2}, .stride = 2, .padding = 1, .index_base = base});
      const Tensor back = max_unpool3d(y.values, y.indices,
                                       {.kernel_size = {2, 3, 2}, .stride = 2, .padding = 1, .output_size = {5, 6, 7}, .index_base = base});
      ASSERT_EQ(back.shape(), x.shape());
      const Pooled again = max_pool3d_with_indices(x, {.kernel_size = {2, 3, 2}, .stride = 2, .padding = 1});
      const Cells cells_x = cells(x), cells_back = cells(back);
      size_t kept = 0;
      for (size_t i = 0; i < cells_x.size(); ++i) {
        if (cells_back[i] == 0) continue;
        EXPECT_EQ(cells_back[i], cells_x[i]);
        ++kept;
      }
      EXPECT_GT(kept, 20u) << dtype_name(dtype);
      EXPECT_EQ(back.strides()[1], 1) << "channels stay innermost";
      EXPECT_EQ(cells(again.values), cells(y.values));
    }
  }
}

TEST(MaxUnpool, TheLastOfTwoStays) {
  const Tensor y = Tensor::from<float>({1, 1, 3}, {1, 2, 3});
  const Tensor where = indices({1, 1, 3}, {4, 0, 4});
  EXPECT_EQ(cells(max_unpool1d(y, where, {.kernel_size = 2})), (Cells{2, 0, 0, 0, 3, 0}));
  // Backward, both values get the gradient of the cell; double backward adds both at the cell.
  const Tensor grad = Tensor::from<float>({1, 1, 6}, {10, 20, 30, 40, 50, 60});
  EXPECT_EQ(cells(max_unpool1d_backward(grad, where, {.kernel_size = 2})), (Cells{50, 10, 50}));
  EXPECT_EQ(cells(max_unpool1d_double_backward(y, where, {.kernel_size = 2})), (Cells{2, 0, 0, 0, 4, 0}));
}

TEST(MaxUnpool, OutputSizes) {
  const auto shape = [](const Dims& x, const MaxUnpoolOptions<2>& o) { return max_unpool2d_shape(x, o); };
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 2}), Dims({2, 3, 8, 10}));
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 3, .stride = 2, .padding = 1}), Dims({2, 3, 7, 9}));
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 2, .stride = 1, .dilation = 3}), Dims({2, 3, 7, 8}));
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 2, .output_size = {9, 11}}), Dims({2, 3, 9, 11}));
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 2, .output_size = {7, 9}}), Dims({2, 3, 7, 9}));
  EXPECT_EQ(shape({2, 3, 4, 5}, {.kernel_size = 2, .output_size = {2, 3, 9, 11}}), Dims({2, 3, 9, 11}));
  EXPECT_EQ(shape({3, 4, 5}, {.kernel_size = 2, .output_size = {3, 9, 11}}), Dims({3, 9, 11}));  // the whole shape, unbatched
}

// Indices count in the plane of the result, so its width decides where they point.
TEST(MaxUnpool, AWiderPlaneMovesTheCells) {
  const Tensor y = plane(1, 1, {9});
  const Tensor where = indices({1, 1, 1, 1}, {3});
  EXPECT_EQ(cells(max_unpool2d(y, where, {.kernel_size = 2})), (Cells{0, 0, 0, 9}));
  EXPECT_EQ(cells(max_unpool2d(y, where, {.kernel_size = 2, .output_size = {3, 3}})), (Cells{0, 0, 0, 9, 0, 0, 0, 0, 0}));
  // Under ONNX indices count in the plane of default size, and zeros are added after it.
  const MaxUnpoolOptions<2> onnx{.kernel_size = 2, .output_size = {3, 4}, .preset = Preset::onnx};
  EXPECT_EQ(cells(max_unpool2d(y, where, onnx)), (Cells{0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cells(max_unpool2d_backward(arange({1, 1, 3, 4}), where, onnx)), (Cells{5}));
}

TEST(MaxUnpool, RefusesBeforeItWrites) {
  const Tensor y = plane(1, 2, {1, 2});
  Tensor out = full({1, 1, 2, 4}, -7);
  const auto refusal = [&](std::initializer_list<int64_t> at) {
    return message_of([&] { max_unpool2d_into(out.span(), y, indices({1, 1, 1, 2}, at), {.kernel_size = 2}); });
  };
  EXPECT_EQ(refusal({0, 8}), "max_unpool2d_into: index 8 is outside the plane of 8 cells");
  EXPECT_EQ(refusal({0, -1}), "max_unpool2d_into: index -1 is outside the plane of 8 cells");
  EXPECT_EQ(refusal({0, (int64_t{1} << 32) + 3}), "max_unpool2d_into: index 4294967299 is outside the plane of 8 cells");
  EXPECT_EQ(refusal({INT64_MIN, 0}), "max_unpool2d_into: index -9223372036854775808 is outside the plane of 8 cells");
  EXPECT_EQ(cells(out), Cells(8, -7));
  const Tensor where = indices({1, 1, 1, 2}, {0, 1});
  const auto with = [&](const MaxUnpoolOptions<2>& o) { return message_of([&] { max_unpool2d(y, where, o); }); };
  EXPECT_EQ(with({.kernel_size = 2, .output_size = {4, 4}}),
            "max_unpool2d: output_size must be above 0 and below 4, got 4 for input 1, kernel 2, stride 2, padding 0, dilation 1 (axis h)");
  EXPECT_EQ(with({.kernel_size = 2, .output_size = {4}}), "max_unpool2d: output_size must have 2 or 4 values, got 1");
  EXPECT_EQ(with({.kernel_size = 2, .output_size = {1, 2, 2, 4}}),
            "max_unpool2d: output_size must begin with the batch and channels of the input 1x1x1x2, got 1x2x2x4");
  EXPECT_EQ(with({.kernel_size = 2, .padding = same}),
            "max_unpool2d: padding must be given in numbers: same does not say which size was pooled");
  EXPECT_EQ(with({.kernel_size = 2, .padding = 2}),
            "max_unpool2d: output size must be at least 1, got -2 from input 1, kernel 2, stride 2, padding 2, dilation 1 (axis h)");
  EXPECT_EQ(with({.kernel_size = 2, .output_size = {1, 4}, .preset = Preset::onnx}),
            "max_unpool2d: output_size must be at least 2, got 1 (axis h)");
  EXPECT_EQ(message_of([&] { max_unpool2d(y, where.to(DType::i32), {.kernel_size = 2}); }),
            "max_unpool2d: indices must have dtype i64, got i32");
  EXPECT_EQ(message_of([&] { max_unpool2d(y, indices({1, 1, 2, 1}, {0, 0}), {.kernel_size = 2}); }),
            "max_unpool2d: indices must have shape 1x1x1x2, got 1x1x2x1");
}

TEST(MaxUnpool, EmptyBatch) {
  EXPECT_EQ(max_unpool2d(zeros({0, 3, 2, 2}), zeros({0, 3, 2, 2}, DType::i64), {.kernel_size = 2}).shape(), Dims({0, 3, 4, 4}));
}

}  // namespace
}  // namespace tidepool
