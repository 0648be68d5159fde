// Max pooling over other layouts, into memory of the caller, and of every element type, with results worked out by hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "support/compare.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/min_pool.h"

namespace tidepool {
namespace {

using test::cells;
using test::Cells;

constexpr float inf = std::numeric_limits<float>::infinity();

TEST(MaxPoolMemory, ChannelsLastInChannelsLastOut) {
  const Tensor x = rand({2, 5, 6, 7}, 3).clone(MemoryFormat::channels_last);
  const Pooled p = max_pool2d_with_indices(x, {.kernel_size = 2});
  EXPECT_EQ(p.values.strides(), channels_last_strides({2, 5, 3, 3}));
  EXPECT_EQ(p.indices.strides(), channels_last_strides({2, 5, 3, 3}));
  const Pooled q = max_pool2d_with_indices(x.clone(), {.kernel_size = 2});
  EXPECT_TRUE(q.values.is_contiguous());
  EXPECT_TRUE(test::same_bits(q.values, p.values));
  EXPECT_TRUE(test::same_bits(q.indices, p.indices));
}

TEST(MaxPoolMemory, SlicesTransposesAndMirrors) {
  const Tensor x = arange({1, 1, 4, 6});
  EXPECT_EQ(cells(max_pool2d(x.slice(3, 0, 6, 2), {.kernel_size = {2, 3}})), (Cells{10, 22}));         // columns 0, 2, 4
  EXPECT_EQ(cells(max_pool2d(x.transpose(2, 3), {.kernel_size = 2})), (Cells{7, 19, 9, 21, 11, 23}));  // columns become rows
  const Tensor mirrored = x.slice(3, 5, -1, -1);
  EXPECT_EQ(cells(mirrored), cells(x.slice(3, 5, -1, -1).clone()));
  const Pooled p = max_pool2d_with_indices(mirrored, {.kernel_size = 2});
  EXPECT_EQ(cells(p.values), (Cells{11, 9, 7, 23, 21, 19}));
  EXPECT_EQ(cells(p.indices), (Cells{6, 8, 10, 18, 20, 22}));  // offsets in the mirrored plane
}

TEST(MaxPoolMemory, BroadcastInput) {
  const float one[] = {3};
  const TensorView x = view(one, {2, 2, 4, 4}, {0, 0, 0, 0});
  EXPECT_EQ(cells(max_pool2d(x, {.kernel_size = 2})), Cells(16, 3));
}

TEST(MaxPoolMemory, IntoMemoryOfTheCaller) {
  const Tensor example = test::plane(4, 4, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  float out[16];
  std::fill_n(out, 16, -7.0f);
  max_pool2d_into(span(out + 1, {1, 1, 2, 2}, {16, 16, 6, 2}), example, {.kernel_size = 2});
  EXPECT_EQ((Cells(out, out + 16)), (Cells{-7, 4, -7, 2, -7, -7, -7, 8, -7, 4, -7, -7, -7, -7, -7, -7}));
  Tensor values({1, 1, 2, 2}), indices({1, 1, 2, 2}, DType::i64);
  max_pool2d_with_indices_into(values.span(), indices.span(), example, {.kernel_size = 2});
  EXPECT_EQ(cells(values), (Cells{4, 2, 8, 4}));
  EXPECT_EQ(cells(indices), (Cells{4, 2, 13, 15}));
}

TEST(MaxPoolMemory, InputAndOutputMayShareABufferWithoutSharingCells) {
  float buffer[] = {1, -1, 5, -2, 3, -3, 2, -4};
  const TensorView even = view(static_cast<const float*>(buffer), {1, 1, 4}, {8, 8, 2});
  max_pool1d_into(span(buffer + 1, {1, 1, 2}, {8, 8, 2}), even, {.kernel_size = 2});
  EXPECT_EQ((Cells(buffer, buffer + 8)), (Cells{1, 5, 5, 3, 3, -3, 2, -4}));
}

TEST(MaxPoolMemory, IntegersUseTheirWholeRange) {
  const Tensor i8 = Tensor::from<int8_t>({1, 1, 4}, {-128, -128, -128, 127});
  EXPECT_EQ(cells(max_pool1d(i8, {.kernel_size = 2})), (Cells{-128, 127}));
  EXPECT_EQ(cells(min_pool1d(i8, {.kernel_size = 2})), (Cells{-128, -128}));
  const Tensor u8 = Tensor::from<uint8_t>({1, 1, 4}, {0, 255, 128, 127});
  EXPECT_EQ(cells(max_pool1d(u8, {.kernel_size = 2})), (Cells{255, 128}));
  EXPECT_EQ(cells(min_pool1d(u8, {.kernel_size = 2})), (Cells{0, 127}));
  const int64_t big = (int64_t{1} << 53) + 1;  // not representable as a double
  const Tensor i64 = Tensor::from<int64_t>({1, 1, 2}, {big, big - 1});
  EXPECT_EQ(max_pool1d(i64, {.kernel_size = 2}).data<int64_t>()[0], big);
  const Tensor i16 = Tensor::from<int16_t>({1, 1, 2}, {-32768, 32767});
  EXPECT_EQ(cells(max_pool1d(i16, {.kernel_size = 2})), (Cells{32767}));
  const Tensor i32 = Tensor::from<int32_t>({1, 1, 2}, {16777217, 16777216});  // equal as floats
  EXPECT_EQ(cells(max_pool1d_with_indices(i32, {.kernel_size = 2}).indices), (Cells{0}));
}

TEST(MaxPoolMemory, BooleanMaxIsOrAndMinIsAnd) {
  Tensor mask({1, 1, 8}, DType::boolean);
  for (int64_t i = 0; i < 8; ++i) mask.data<bool>()[i] = (0b11010010 >> i & 1) != 0;
  EXPECT_EQ(cells(max_pool1d(mask, {.kernel_size = 2})), (Cells{1, 0, 1, 1}));
  EXPECT_EQ(cells(min_pool1d(mask, {.kernel_size = 2})), (Cells{0, 0, 0, 1}));
  EXPECT_EQ(max_pool1d(mask, {.kernel_size = 2}).dtype(), DType::boolean);
}

TEST(MaxPoolMemory, HalfTypesKeepTheirBits) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    const Tensor x = Tensor::from<float>({1, 1, 6}, {1.5f, -2, -0.5f, -0.25f, inf, 3}).to(dtype);
    const Pooled p = max_pool1d_with_indices(x, {.kernel_size = 2});
    EXPECT_EQ(p.values.dtype(), dtype);
    EXPECT_EQ(cells(p.values), (Cells{1.5, -0.25, inf}));
    EXPECT_EQ(cells(p.indices), (Cells{0, 3, 4}));
    EXPECT_EQ(cells(min_pool1d(x, {.kernel_size = 2})), (Cells{-2, -0.5, 3}));
  }
}

TEST(MaxPoolMemory, DoublesAreNotRoundedToFloats) {
  const Tensor x = Tensor::from<double>({1, 1, 2}, {1.0, 1.0 + 1e-15});
  EXPECT_EQ(max_pool1d(x, {.kernel_size = 2}).data<double>()[0], 1.0 + 1e-15);
  EXPECT_EQ(min_pool1d(x, {.kernel_size = 2}).data<double>()[0], 1.0);
}

// Indices beyond 32 bits need an input of more than 2^31 cells; set TIDEPOOL_LARGE_TESTS to run it.
TEST(MaxPoolMemory, PlanesBeyondTwoToTheThirtyOne) {
  if (std::getenv("TIDEPOOL_LARGE_TESTS") == nullptr) GTEST_SKIP() << "set TIDEPOOL_LARGE_TESTS to run";
  const int64_t length = (int64_t{1} << 31) + 24;
  Tensor x = zeros({1, 1, length}, DType::u8);
  x.data<uint8_t>()[length - 2] = 7;
  const Pooled p = max_pool1d_with_indices(x, {.kernel_size = 8, .stride = 1 << 16});
  EXPECT_EQ(p.values.size(2), (length - 8) / (1 << 16) + 1);
  const Pooled last = max_pool1d_with_indices(x, {.kernel_size = 24, .stride = 1 << 30});
  EXPECT_EQ(cells(last.values), (Cells{0, 0, 7}));
  EXPECT_EQ(last.indices.data<int64_t>()[2], length - 2);
}

}  // namespace
}  // namespace tidepool
