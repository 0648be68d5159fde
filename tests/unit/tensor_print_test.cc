#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "tidepool/creation.h"
#include "tidepool/tensor.h"

namespace tidepool {
namespace {

TEST(PrintTest, BracketsNestAndColumnsAlign) {
  EXPECT_EQ(to_string(Tensor::from<int32_t>({2, 2}, {1, -20, 3, 4})), "[[  1 -20]\n [  3   4]]");
  EXPECT_EQ(to_string(Tensor::from<float>({3}, {1, 2.5f, -0.0f})), "[ 1. 2.5 -0.]");
  EXPECT_EQ(to_string(arange({2, 1, 2}, DType::u8)), "[[[0 1]]\n\n [[2 3]]]");
  EXPECT_EQ(to_string(Tensor::from<bool>({2}, {true, false})), "[ True False]");
  EXPECT_EQ(to_string(Tensor::from<double>({}, {0.1})), "0.1");
  EXPECT_EQ(to_string(zeros({2, 0})), "[]");
}

TEST(PrintTest, NumbersAreShortInTheirOwnType) {
  EXPECT_EQ(to_string(Tensor::from<float>({1}, {0.8765f})), "[0.8765]");
  EXPECT_EQ(to_string(full({1}, 0.1, DType::f16)), "[0.1]");
  EXPECT_EQ(to_string(full({1}, 65504, DType::f16)), "[65504.]");
  EXPECT_EQ(to_string(full({1}, 1.0 / 3, DType::f64)), "[0.33333333]");
  EXPECT_EQ(to_string(full({1}, 1e30)), "[1e+30]");
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(to_string(Tensor::from<float>({3}, {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()})), "[ inf -inf  nan]");
}

TEST(PrintTest, LongArraysShowTheirEnds) {
  EXPECT_EQ(to_string(arange({2000}, DType::i32)), "[   0    1    2 ... 1997 1998 1999]");
  const std::string text = to_string(arange({100, 100}, DType::i32));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  EXPECT_NE(text.find("\n ...\n"), std::string::npos);
  EXPECT_NE(text.find("[9900 9901 9902 ... 9997 9998 9999]]"), std::string::npos);
  EXPECT_LT(to_string(zeros({8, 8, 8, 8, 8, 8, 8, 8}, DType::i8)).size(), 4000u);
}

}  // namespace
}  // namespace tidepool
