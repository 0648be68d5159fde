// tensor() of nested lists.
#include <gtest/gtest.h>

#include <limits>

#include "tidepool/creation.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

TEST(TensorOfLists, HasTheShapeOfTheLists) {
  EXPECT_EQ(tensor(5).shape(), Dims{});
  EXPECT_EQ(tensor({5}).shape(), (Dims{1}));
  EXPECT_EQ(tensor({1, 2, 3}).shape(), (Dims{3}));
  EXPECT_EQ(tensor({{1, 2, 3}, {4, 5, 6}}).shape(), (Dims{2, 3}));
  EXPECT_EQ(tensor({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape(), (Dims{3, 1, 2}));
  EXPECT_EQ(to_string(tensor({{1, 2, 3}, {4, 5, 6}})), "[[1. 2. 3.]\n [4. 5. 6.]]");
  EXPECT_EQ(tensor({{1}, {2}}).strides(), (Dims{1, 1}));
}

TEST(TensorOfLists, MayBeEmpty) {
  EXPECT_EQ(tensor({}).shape(), (Dims{0}));
  EXPECT_EQ(tensor({{}, {}}).shape(), (Dims{2, 0}));
}

TEST(TensorOfLists, ConvertsToTheDtype) {
  EXPECT_EQ(tensor({1}).dtype(), DType::f32);
  for (DType dtype : all_dtypes) {
    const Tensor x = tensor({0, 1}, dtype);
    EXPECT_EQ(x.dtype(), dtype);
    EXPECT_EQ(x.item({0}), 0);
    EXPECT_EQ(x.item({1}), 1);
  }
  EXPECT_EQ(to_string(tensor({1.5, -2.5}, DType::f16)), "[ 1.5 -2.5]");
  EXPECT_EQ(to_string(tensor({true, false}, DType::boolean)), "[ True False]");
  EXPECT_EQ(to_string(tensor({1, 2.5F, 3.5, int8_t{4}, 5U})), "[ 1. 2.5 3.5  4.  5.]");
}

TEST(TensorOfLists, RefusesRaggedLists) {
  const std::string text = "tensor: lists must have equal shapes, got ";
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, text + "2 and 1", [] { tensor({{1, 2}, {3}}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, text + "scalar and 1", [] { tensor({1, {2}}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, text + "1 and scalar", [] { tensor({{1}, 2}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, text + "2x1 and 1x2", [] { tensor({{{1}, {2}}, {{1, 2}}}); }));
}

TEST(TensorOfLists, RefusesMoreThanEightDims) {
  NestedValues deep = 1;
  for (int i = 0; i < 8; ++i) deep = NestedValues(std::initializer_list<NestedValues>{deep});
  EXPECT_EQ(tensor(deep).rank(), 8);
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "tensor: rank must be at most 8, got 9",
                      [&] { NestedValues(std::initializer_list<NestedValues>{deep}); }));
}

TEST(Ones, OfEveryDtype) {
  for (DType dtype : all_dtypes) {
    const Tensor x = ones({2, 2}, dtype);
    EXPECT_EQ(x.dtype(), dtype);
    EXPECT_EQ(x.shape(), (Dims{2, 2}));
    for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(x.item({i / 2, i % 2}), 1);
  }
  EXPECT_EQ(ones({}).item(), 1);
}

}  // namespace
}  // namespace tidepool
