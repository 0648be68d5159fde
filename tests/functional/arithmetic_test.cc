#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

TEST(Arithmetic, IntegersWrap) {
  const Tensor i8 = Tensor::from<int8_t>({2}, {127, -128});
  EXPECT_EQ(to_string(i8 + tensor({1, -1}, DType::i8)), "[-128  127]");
  EXPECT_EQ(to_string(i8 - tensor({-1, 1}, DType::i8)), "[-128  127]");
  EXPECT_EQ(to_string(i8 * tensor({2, 2}, DType::i8)), "[-2  0]");
  EXPECT_EQ(to_string(-i8), "[-127 -128]");
  EXPECT_EQ(to_string(i8 + 1), "[-128 -127]");
  EXPECT_EQ(to_string(Tensor::from<uint8_t>({2}, {255, 3}) + 2), "[1 5]");
  EXPECT_EQ(to_string(Tensor::from<uint8_t>({2}, {0, 3}) - 1), "[255   2]");
  EXPECT_EQ(to_string(3 - Tensor::from<uint8_t>({2}, {1, 4})), "[  2 255]");
  EXPECT_EQ(to_string(Tensor::from<int16_t>({1}, {32767}) + 1), "[-32768]");
  EXPECT_EQ(to_string(Tensor::from<int32_t>({1}, {2147483647}) * 2), "[-2]");
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  const Tensor sum = Tensor::from<int64_t>({1}, {largest}) + Tensor::from<int64_t>({1}, {1});
  EXPECT_EQ(sum.item<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ((Tensor::from<int64_t>({1}, {largest}) * 3).item<int64_t>(), largest - 2);
}

TEST(Arithmetic, IntegersKeepTheirDtypeAndBroadcast) {
  const Tensor x = tensor({{1, 2}, {3, 4}}, DType::i64), y = x * tensor({10, 100}, DType::i64);
  EXPECT_EQ(y.dtype(), DType::i64);
  EXPECT_EQ(to_string(y), "[[ 10 200]\n [ 30 400]]");
  EXPECT_EQ(to_string(x.transpose(0, 1) - tensor({{1}, {2}}, DType::i64)), "[[0 2]\n [0 2]]");
}

TEST(Arithmetic, IntegersTakeWholeNumbersOnly) {
  const Tensor x = tensor({1, 2}, DType::i32);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "add: a tensor of i32 takes whole numbers, got 1.500000 (use to(DType::f32) first)",
                      [&] { x + 1.5; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "mul: a tensor of i32 takes whole numbers, got 0.500000 (use to(DType::f32) first)",
                      [&] { x * 0.5; }));
  EXPECT_THROW(x * std::numeric_limits<double>::infinity(), Error);
  EXPECT_THROW(x + std::numeric_limits<double>::quiet_NaN(), Error);
  EXPECT_THROW(x + 0x1p63, Error);
  EXPECT_EQ(to_string(x.to(DType::f32) + 1.5), "[2.5 3.5]");
}

TEST(Arithmetic, RefusesOtherDtypes) {
  const Tensor flags = tensor({0, 1}, DType::boolean), whole = tensor({1, 2}, DType::i32);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "add: dtype must be a number, got bool", [&] { flags + flags; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "sub: dtype must be a number, got bool", [&] { flags - flags; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "mul: dtype must be a number, got bool", [&] { flags * 2; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "neg: dtype must be a number, got bool", [&] { -flags; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "div: dtype must be floating, got i32", [&] { whole / whole; }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "exp: dtype must be floating, got i32", [&] { exp(whole); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "mul: dtypes must be equal, got i32 and f32", [&] { whole* zeros({2}); }));
}

TEST(Arithmetic, ScalarsStandOnEitherSide) {
  const Tensor x = tensor({1, 2});
  EXPECT_EQ(to_string(x + 1), "[2. 3.]");
  EXPECT_EQ(to_string(1 + x), "[2. 3.]");
  EXPECT_EQ(to_string(x - 1), "[0. 1.]");
  EXPECT_EQ(to_string(1 - x), "[ 0. -1.]");
  EXPECT_EQ(to_string(x * 3), "[3. 6.]");
  EXPECT_EQ(to_string(3 * x), "[3. 6.]");
  EXPECT_EQ(to_string(x / 2), "[0.5  1.]");
  EXPECT_EQ(to_string(-x), "[-1. -2.]");
}

TEST(Arithmetic, RecordsWhicheverSideRequiresGradients) {
  const Tensor x = tensor({1, 2}), y = tensor({3, 4}).set_requires_grad();
  EXPECT_TRUE((x + y).requires_grad());
  EXPECT_TRUE((x - y).requires_grad());
  EXPECT_TRUE((y * x).requires_grad());
  EXPECT_TRUE((x / y).requires_grad());
  EXPECT_TRUE((2 - y).requires_grad());
  EXPECT_FALSE((x + x).requires_grad());
}

TEST(Arithmetic, DividesByTheNumberItself) {
  // 5 / 3 and 5 * (1 / 3) differ in the last bit of a float.
  EXPECT_EQ((tensor({5}) / 3).item<float>(), 5.0F / 3.0F);
  EXPECT_NE(5.0F / 3.0F, 5.0F * (1.0F / 3.0F));
}

TEST(Arithmetic, NamesTheFunctionThatWasCalled) {
  const Tensor whole = arange({2}, DType::i32);
  const auto message = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.message();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(message([&] { (void)(whole - 1.5); }).substr(0, 5), "sub: ");
  EXPECT_EQ(message([&] { (void)(whole / 2); }).substr(0, 5), "div: ");
  EXPECT_EQ(message([&] { mean(whole); }), "mean: dtype must be floating, got i32");
  EXPECT_EQ(message([&] { log_softmax(whole, 0); }), "log_softmax: dtype must be floating, got i32");
}

TEST(Arithmetic, TheZerothPowerHasNoSlope) {
  Tensor x = tensor({0, 2}).set_requires_grad();
  sum(pow(x, 0)).backward();
  EXPECT_EQ(to_string(x.grad()), "[0. 0.]");
}

TEST(Argmax, TheFirstNanIsTheLargest) {
  const double nan = std::nan("");
  EXPECT_EQ(to_string(argmax(tensor({{1, 3, 2}, {1, nan, 5}, {nan, 7, nan}}))), "[1 1 0]");
}

TEST(Reshape, RefusesSizesWhoseProductOverflows) { EXPECT_THROW(reshape(zeros({4}), {-1, int64_t{1} << 62, 4}), Error); }

}  // namespace
}  // namespace tidepool
