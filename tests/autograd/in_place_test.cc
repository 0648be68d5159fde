// Changes in place are refused where a graph would lose them, and noticed where it kept the old values.
#include <gtest/gtest.h>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

Tensor leaf(std::initializer_list<float> values) {
  return Tensor::from<float>({static_cast<int64_t>(values.size())}, values).set_requires_grad();
}

std::string must_not_require(const std::string& function, const std::string& name) {
  return function + ": " + name +
         " must not require gradients, got one that does (shape 2; use detach, NoGrad, or the function that returns a tensor)";
}

std::string must_not_be_changed(const std::string& function) {
  return function +
         ": a tensor that requires gradients must not be changed in place, got shape 2 (use NoGrad, or a function that makes "
         "a new tensor)";
}

TEST(InPlace, RefusesARecordedRightSide) {
  Tensor x = tensor({1, 2});
  const Tensor y = leaf({3, 4});
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("add_", "y"), [&] { add_(x, y); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("add_", "y"), [&] { x += y; }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("add_", "y"), [&] { x -= y; }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("copy_", "from"), [&] { copy_(x, y); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("copy", "src"), [&] { copy(y, x.span()); }));
  // A result of a recorded function is as much recorded as a leaf.
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, must_not_require("copy_", "from"), [&] { copy_(x, y * 2); }));
  EXPECT_EQ(to_string(x), "[1. 2.]");
  EXPECT_EQ(x.version(), 0u);
  copy_(x, y.detach());
  EXPECT_EQ(to_string(x), "[3. 4.]");
  const NoGrad no_grad;
  x += y;
  EXPECT_EQ(to_string(x), "[6. 8.]");
  copy(y, x.span());
  EXPECT_EQ(to_string(x), "[3. 4.]");
}

TEST(InPlace, RefusesARecordedLeftSide) {
  Tensor x = leaf({1, 2});
  const Tensor y = tensor({3, 4});
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("add_"), [&] { x += y; }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("add_"), [&] { x -= y; }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("mul_"), [&] { x *= 2; }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("mul_"), [&] { x /= 2; }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("fill_"), [&] { fill_(x, 2); }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, must_not_be_changed("copy_"), [&] { copy_(x, y); }));
  EXPECT_EQ(to_string(x), "[1. 2.]");
}

TEST(InPlace, CountsEveryChange) {
  Tensor x = tensor({8, 4});
  const Tensor shared = x, part = x.slice(0, 0, 1), other = x.clone();
  x += tensor({1, 1});
  EXPECT_EQ(to_string(x), "[9. 5.]");
  x -= tensor({1, 3});
  EXPECT_EQ(to_string(x), "[8. 2.]");
  x *= 3;
  EXPECT_EQ(to_string(x), "[24.  6.]");
  x /= 2;
  EXPECT_EQ(to_string(x), "[12.  3.]");
  EXPECT_EQ(to_string(add_(x, tensor({1, 1}), 0.5)), "[12.5  3.5]");
  EXPECT_EQ(to_string(fill_(x, 7)), "[7. 7.]");
  x.mark_changed();
  EXPECT_EQ(x.version(), 7u);
  EXPECT_EQ(shared.version(), 7u);
  EXPECT_EQ(part.version(), 7u);
  EXPECT_EQ(other.version(), 0u);
  EXPECT_EQ(to_string(shared), "[7. 7.]");
  EXPECT_EQ(to_string(other), "[8. 4.]");
}

TEST(InPlace, RefusesOtherShapesAndDtypes) {
  Tensor x = zeros({2, 3});
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "add_: shapes must be equal, got 2x3 and 3", [&] { x += zeros({3}); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "add_: dtypes must be equal, got f32 and f64", [&] { x += zeros({2, 3}, DType::f64); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "copy_: shapes must be equal, got 2x3 and 3x2", [&] { copy_(x, zeros({3, 2})); }));
  Tensor whole = zeros({2}, DType::i32);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "mul_: dtype must be floating, got i32", [&] { whole *= 2; }));
}

// Both sides are read before anything is written, as if the right side were a copy.
TEST(InPlace, TakesARightSideInTheSameMemory) {
  Tensor x = tensor({{1, 2}, {3, 4}});
  x += x.transpose(0, 1);
  EXPECT_EQ(to_string(x), "[[2. 5.]\n [5. 8.]]");
  Tensor y = tensor({1, 2, 3, 4});
  y += y.slice(0, 3, -1, -1);
  EXPECT_EQ(to_string(y), "[5. 5. 5. 5.]");
  Tensor z = tensor({1, 2, 3});
  Tensor end = z.slice(0, 1, 3);
  end += z.slice(0, 0, 2);
  EXPECT_EQ(to_string(z), "[1. 3. 5.]");
  z += z;
  EXPECT_EQ(to_string(z), "[ 2.  6. 10.]");
}

TEST(InPlace, RefusesALeftSideThatRepeatsElements) {
  const Tensor row = tensor({1, 2});
  Tensor x = broadcast_to(row, {3, 2});
  const std::string text = ": a tensor that is changed in place must not repeat elements, got strides 0x1 (use clone first)";
  EXPECT_TRUE(refuses(ErrorCode::aliasing, "add_" + text, [&] { x += ones({3, 2}); }));
  EXPECT_TRUE(refuses(ErrorCode::aliasing, "mul_" + text, [&] { x *= 2; }));
  EXPECT_EQ(to_string(row), "[1. 2.]");
}

TEST(InPlace, ANormNoticesThatItsInputChanged) {
  Tensor x = randn({1, 4}, 1).set_requires_grad();
  const Tensor y = sum(lp_pool1d(x, 2, 2)), z = sum(avg_pool1d(x, 2));
  {
    const NoGrad no_grad;
    x *= 2;
  }
  EXPECT_TRUE(refuses(ErrorCode::aliasing,
                      "lp_pool1d backward: a tensor it kept must not be changed in place, got version 1 for version 0 (shape 1x4)",
                      [&] { y.backward(); }));
  z.backward();  // an average keeps nothing
  EXPECT_EQ(to_string(x.grad()), "[[0.5 0.5 0.5 0.5]]");
}

TEST(InPlace, TheMaximumKeepsIndicesOfItsOwn) {
  Tensor x = tensor({{1, 2, 4, 3}}).set_requires_grad();
  const Tensor y = sum(max_pool1d(x, 2));
  {
    const NoGrad no_grad;
    fill_(x, 0);
  }
  y.backward();
  EXPECT_EQ(to_string(x.grad()), "[[0. 1. 1. 0.]]");
}

}  // namespace
}  // namespace tidepool
