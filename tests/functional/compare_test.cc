#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text(const Tensor& flags) {
  EXPECT_EQ(flags.dtype(), DType::boolean);
  std::string result;
  for (bool flag : flags.flat<bool>()) result += flag ? '1' : '0';
  return result;
}

TEST(Compare, ElementByElementOfEveryDtype) {
  for (DType dtype : all_dtypes) {
    if (dtype == DType::boolean) continue;
    const Tensor a = tensor({1, 2, 3}, dtype), b = tensor({2, 2, 2}, dtype);
    EXPECT_EQ(text(a == b), "010") << dtype_name(dtype);
    EXPECT_EQ(text(a != b), "101") << dtype_name(dtype);
    EXPECT_EQ(text(a < b), "100") << dtype_name(dtype);
    EXPECT_EQ(text(a <= b), "110") << dtype_name(dtype);
    EXPECT_EQ(text(a > b), "001") << dtype_name(dtype);
    EXPECT_EQ(text(a >= b), "011") << dtype_name(dtype);
    EXPECT_EQ(text(a == 2), "010") << dtype_name(dtype);
    EXPECT_EQ(text(a != 2), "101") << dtype_name(dtype);
    EXPECT_EQ(text(a < 2), "100") << dtype_name(dtype);
    EXPECT_EQ(text(a <= 2), "110") << dtype_name(dtype);
    EXPECT_EQ(text(a > 2), "001") << dtype_name(dtype);
    EXPECT_EQ(text(a >= 2), "011") << dtype_name(dtype);
  }
  const Tensor flags = tensor({0, 1}, DType::boolean);
  EXPECT_EQ(text(flags == tensor({1, 1}, DType::boolean)), "01");
  EXPECT_EQ(text(flags < tensor({1, 1}, DType::boolean)), "10");
}

TEST(Compare, Broadcasts) {
  const Tensor column = tensor({{1}, {2}}), row = tensor({1, 2, 3});
  const Tensor flags = column < row;
  EXPECT_EQ(flags.shape(), (Dims{2, 3}));
  EXPECT_EQ(text(flags), "011001");
  EXPECT_EQ(text(tensor(2) == row), "010");
  EXPECT_EQ(text(row.slice(0, 2, -1, -1) == row), "010");
  EXPECT_EQ(text(arange({2, 2}).transpose(0, 1) == arange({2, 2})), "1001");
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "lt: sizes must be equal or 1, got 2 and 3 (dim 0)", [&] { lt(zeros({2}), row); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "eq: dtypes must be equal, got f32 and i32", [&] { eq(row, zeros({3}, DType::i32)); }));
}

TEST(Compare, NanIsUnequalToEverything) {
  const Tensor x = tensor({nan, 1}), y = tensor({nan, 1});
  EXPECT_EQ(text(x == y), "01");
  EXPECT_EQ(text(x != y), "10");
  EXPECT_EQ(text(x < y), "00");
  EXPECT_EQ(text(x <= y), "01");
  EXPECT_EQ(text(x >= y), "01");
  EXPECT_EQ(text(y == nan), "00");
  EXPECT_EQ(text(y != nan), "11");
  EXPECT_EQ(text(tensor({0, 1}, DType::i32) == nan), "00");
  EXPECT_EQ(text(tensor({0, 1}, DType::i32) != nan), "11");
  EXPECT_EQ(text(tensor({0, 1}, DType::i32) >= nan), "00");
}

// The number is not rounded to the integer type first.
TEST(Compare, IntegersWithAnyNumber) {
  const Tensor x = tensor({1, 2}, DType::i32);
  EXPECT_EQ(text(x == 1.5), "00");
  EXPECT_EQ(text(x != 1.5), "11");
  EXPECT_EQ(text(x < 1.5), "10");
  EXPECT_EQ(text(x > 1.5), "01");
  EXPECT_EQ(text(x >= -1.5), "11");
  const Tensor bytes = tensor({0, 255}, DType::u8);
  EXPECT_EQ(text(bytes < 300), "11");
  EXPECT_EQ(text(bytes == 256), "00");
  EXPECT_EQ(text(bytes > -1), "11");
  EXPECT_EQ(text(bytes <= infinity), "11");
  EXPECT_EQ(text(bytes <= -infinity), "00");
  EXPECT_EQ(text(tensor({0, 1}, DType::boolean) == 2), "00");
  const Tensor large = Tensor::from<int64_t>({2}, {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(text(large < 0x1p63), "11");
  EXPECT_EQ(text(large == 0x1p63), "00");
  EXPECT_EQ(text(large == -0x1p63), "01");
  EXPECT_EQ(text(large > -0x1p63), "10");
  const Tensor near = Tensor::from<int64_t>({2}, {(int64_t{1} << 53) + 1, int64_t{1} << 53});
  EXPECT_EQ(text(near == 0x1p53), "01");
}

// A floating number is rounded to the tensor's dtype: 0.1F == 0.1, as in PyTorch and NumPy.
TEST(Compare, FloatsWithRoundedNumbers) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) EXPECT_EQ(text(full({1}, 0.1, dtype) == 0.1), "1");
}

TEST(Equal, ComparesShapeDtypeAndElements) {
  EXPECT_TRUE(equal(tensor({1, 2}), tensor({1, 2})));
  EXPECT_FALSE(equal(tensor({1, 2}), tensor({1, 3})));
  EXPECT_FALSE(equal(tensor({1, 2}), tensor({{1, 2}})));
  EXPECT_FALSE(equal(tensor({1, 1}), tensor(1)));
  EXPECT_FALSE(equal(tensor({1, 2}), tensor({1, 2}, DType::f64)));
  EXPECT_FALSE(equal(tensor({nan}), tensor({nan})));
  EXPECT_TRUE(equal(tensor({0.0}), tensor({-0.0})));
  EXPECT_TRUE(equal(zeros({0, 3}), zeros({0, 3})));
  EXPECT_TRUE(equal(arange({2, 3}).transpose(0, 1), tensor({{0, 3}, {1, 4}, {2, 5}})));
}

TEST(Allclose, TakesToleranceRelativeToTheSecond) {
  const Tensor x = tensor({100, 200}, DType::f64);
  EXPECT_TRUE(allclose(x, x + 1e-9));
  EXPECT_FALSE(allclose(x, x + 0.01));
  EXPECT_TRUE(allclose(x, x + 0.01, {.rtol = 1e-3}));
  EXPECT_TRUE(allclose(x, x + 0.01, {.rtol = 0, .atol = 0.0101}));
  EXPECT_FALSE(allclose(x, x + 0.01, {.rtol = 0, .atol = 0.0099}));
  // |0 - 1| <= 1 * |1|, and not the other way round.
  EXPECT_TRUE(allclose(tensor(0), tensor(1), {.rtol = 1}));
  EXPECT_FALSE(allclose(tensor(1), tensor(0), {.rtol = 1}));
  EXPECT_TRUE(allclose(tensor({1, 1, 1}), tensor(1)));
  EXPECT_TRUE(allclose(tensor({1, 2}, DType::i32), tensor({1, 2}, DType::i32)));
  EXPECT_FALSE(allclose(tensor({1, 2}, DType::i32), tensor({1, 3}, DType::i32)));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "allclose: dtypes must be equal, got f64 and f32", [&] { allclose(x, zeros({2})); }));
}

TEST(Allclose, InfinityIsCloseToItselfOnly) {
  EXPECT_TRUE(allclose(tensor({infinity, -infinity}), tensor({infinity, -infinity})));
  EXPECT_FALSE(allclose(tensor(infinity), tensor(-infinity)));
  EXPECT_FALSE(allclose(tensor(1), tensor(infinity)));
  EXPECT_FALSE(allclose(tensor(infinity), tensor(1)));
}

TEST(Allclose, NanIsCloseToNanOnRequest) {
  EXPECT_FALSE(allclose(tensor({nan}), tensor({nan})));
  EXPECT_TRUE(allclose(tensor({nan}), tensor({nan}), {.equal_nan = true}));
  EXPECT_FALSE(allclose(tensor({nan}), tensor({1}), {.equal_nan = true}));
  EXPECT_FALSE(allclose(tensor({1}), tensor({nan}), {.equal_nan = true}));
}

TEST(Compare, ResultsHaveNoGradient) {
  const Tensor x = tensor({1, 2}).set_requires_grad();
  EXPECT_FALSE((x == x).requires_grad());
  EXPECT_FALSE((x < 2).requires_grad());
  EXPECT_TRUE(allclose(x, x));
  EXPECT_TRUE(equal(x, x.detach()));
}

TEST(Compare, TakesTheNumberFirst) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_EQ(to_string(2 == x), "[False  True False]");
  EXPECT_EQ(to_string(2 != x), "[ True False  True]");
  EXPECT_EQ(to_string(2 < x), "[False False  True]");
  EXPECT_EQ(to_string(2 <= x), "[False  True  True]");
  EXPECT_EQ(to_string(2 > x), "[ True False False]");
  EXPECT_EQ(to_string(2 >= x), "[ True  True False]");
}

}  // namespace
}  // namespace tidepool
