// The whole message of every function of tensors that refuses its arguments.
#include <gtest/gtest.h>

#include "tidepool/gradcheck.h"
#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

constexpr ErrorCode argument = ErrorCode::invalid_argument, shape = ErrorCode::shape_mismatch, dtype = ErrorCode::dtype_mismatch;

// The dim is counted from the front, as the caller may have written one dim in two ways.
TEST(FunctionErrors, DimsOfASumDiffer) {
  const Tensor x = zeros({2, 3, 4});
  EXPECT_TRUE(refuses(argument, "sum: dims must differ, got 1 twice", [&] { sum(x, {1, 1}); }));
  EXPECT_TRUE(refuses(argument, "sum: dims must differ, got 2 twice", [&] { sum(x, {-1, 0, 2}); }));
  EXPECT_TRUE(refuses(argument, "mean: dims must differ, got 0 twice", [&] { mean(x, {0, 1, -3}, true); }));
}

TEST(FunctionErrors, ShapesOfTargets) {
  const auto both = [](ErrorCode code, const std::string& rule, const Tensor& x, const Tensor& targets) {
    EXPECT_TRUE(refuses(code, "nll_loss: " + rule, [&] { nll_loss(x, targets); }));
    EXPECT_TRUE(refuses(code, "cross_entropy: " + rule, [&] { cross_entropy(x, targets); }));
  };
  const auto whole = [](const Dims& dims) { return zeros(dims, DType::i64); };
  both(shape, "input must have 2 dimensions or more, got 0", zeros({}), whole({}));
  both(shape, "input must have 2 dimensions or more, got 1", zeros({3}), whole({3}));
  both(shape, "targets must have shape 2, got 3", zeros({2, 3}), whole({3}));
  both(shape, "targets must have shape 2x4x5, got 2x3x5", zeros({2, 3, 4, 5}), whole({2, 3, 5}));
  both(dtype, "targets must be i64, got i32", zeros({2, 3}), zeros({2}, DType::i32));
  both(dtype, "targets must be i64, got f32", zeros({2, 3}), zeros({2}));
}

// Every position counts, and both ends of the range are refused.
TEST(FunctionErrors, ValuesOfTargets) {
  const auto both = [](const std::string& rule, const Dims& dims, const Tensor& targets) {
    EXPECT_TRUE(refuses(ErrorCode::out_of_range, "nll_loss: " + rule, [&] { nll_loss(zeros(dims), targets); }));
    EXPECT_TRUE(refuses(ErrorCode::out_of_range, "cross_entropy: " + rule, [&] { cross_entropy(zeros(dims), targets); }));
  };
  both("target must be in [0, 3), got -1 (at 0)", {2, 3}, Tensor::from<int64_t>({2}, {-1, 3}));
  both("target must be in [0, 3), got 3 (at 1)", {2, 3}, Tensor::from<int64_t>({2}, {2, 3}));
  both("target must be in [0, 0), got 0 (at 0)", {1, 0}, Tensor::from<int64_t>({1}, {0}));
  both("target must be in [0, 2), got 9 (at 3)", {1, 2, 2, 2}, Tensor::from<int64_t>({1, 2, 2}, {0, 1, -100, 9}));
}

TEST(FunctionErrors, ShapesOfLossesAndArgmax) {
  EXPECT_TRUE(refuses(shape, "mse_loss: shapes must be equal, got 2x3 and 3", [&] { mse_loss(zeros({2, 3}), zeros({3})); }));
  EXPECT_TRUE(refuses(shape, "argmax: input must have 2 dimensions, got 1", [&] { argmax(zeros({3})); }));
  EXPECT_TRUE(refuses(shape, "argmax: input must have 2 dimensions, got 3", [&] { argmax(zeros({1, 2, 3})); }));
  EXPECT_TRUE(refuses(shape, "argmax: classes must be at least 1, got 0", [&] { argmax(zeros({2, 0})); }));
  EXPECT_EQ(argmax(zeros({0, 2})).shape(), Dims{0});
}

TEST(FunctionErrors, ShapesThatAFunctionChanges) {
  const Tensor x = zeros({2, 3, 4});
  EXPECT_TRUE(refuses(argument, "flatten: first dim must not come after the last, got 2 and 1", [&] { flatten(x, -1, 1); }));
  EXPECT_EQ(flatten(x, 1, 1).shape(), x.shape());
  EXPECT_TRUE(refuses(shape, "broadcast_to: shape must be one that 2x3x4 broadcasts to, got 3x4", [&] { broadcast_to(x, {3, 4}); }));
  EXPECT_TRUE(refuses(shape, "broadcast_to: shape must be one that 3 broadcasts to, got 1", [&] { broadcast_to(zeros({3}), {1}); }));
  EXPECT_TRUE(refuses(shape, "broadcast_to: sizes must be equal or 1, got 2x3x4 and 5 (dim 2)", [&] { broadcast_to(x, {5}); }));
}

TEST(FunctionErrors, PartsOfAConcat) {
  const auto joined = [](const std::vector<Tensor>& parts, int dim) { return concat(parts, dim); };
  EXPECT_TRUE(refuses(argument, "concat: parts must be at least 1, got 0", [&] { joined({}, 0); }));
  EXPECT_TRUE(refuses(shape, "concat: parts must agree outside dim 1, got 2x3 and 4x3 (part 1)",
                      [&] { joined({zeros({2, 3}), zeros({4, 3})}, -1); }));
  EXPECT_TRUE(refuses(shape, "concat: parts must agree outside dim 0, got 2x3 and 2x3x1 (part 2)",
                      [&] { joined({zeros({2, 3}), zeros({5, 3}), zeros({2, 3, 1})}, 0); }));
  EXPECT_TRUE(
      refuses(dtype, "concat: dtypes must be equal, got f32 and f64", [&] { joined({zeros({2, 3}), zeros({2, 3}, DType::f64)}, 0); }));
}

TEST(FunctionErrors, SamplesOfFractionalPooling) {
  const std::string rule = "input_shape must have ";
  EXPECT_TRUE(refuses(shape, "fractional_max_pool2d_samples: " + rule + "3 or 4 dimensions, got 2",
                      [&] { fractional_max_pool2d_samples({5, 5}, DType::f32, 1); }));
  EXPECT_TRUE(refuses(shape, "fractional_max_pool3d_samples: " + rule + "4 or 5 dimensions, got 6",
                      [&] { fractional_max_pool3d_samples({1, 1, 1, 5, 5, 5}, DType::f32, 1); }));
}

TEST(FunctionErrors, RatiosOfFractionalPooling) {
  const auto shape_of = [](Ratio<2> ratio) { fractional_max_pool2d_shape({1, 1, 9, 9}, {.kernel_size = 2, .output_ratio = ratio}); };
  const std::string rule = "fractional_max_pool2d_shape: output_ratio must lie between 0 and 1, got ";
  EXPECT_TRUE(refuses(argument, rule + "1.500000 (axis h)", [&] { shape_of(1.5); }));
  EXPECT_TRUE(refuses(argument, rule + "-0.250000 (axis w)", [&] { shape_of({0.5, -0.25}); }));
}

TEST(FunctionErrors, GradientsThatDoNotExist) {
  const Tensor x = zeros({2, 3});
  Tensor leaf = zeros({2}).set_requires_grad(), result = leaf * 2;
  EXPECT_TRUE(refuses(argument, "gradcheck: an input must require gradients, got none that does",
                      [&] { gradcheck([](const std::vector<Tensor>& in) { return in[0]; }, {x}); }));
  EXPECT_TRUE(
      refuses(argument, "grad: inputs must require gradients, got one that does not (shape 2x3)", [&] { grad(sum(leaf), {leaf, x}); }));
  EXPECT_TRUE(refuses(argument, "set_requires_grad: the result of a recorded function must require gradients, got false (use detach)",
                      [&] { result.set_requires_grad(false); }));
  EXPECT_TRUE(result.requires_grad());
  EXPECT_TRUE(
      refuses(argument, "set_grad: tensor must require gradients, got one that does not (shape 2x3)", [&] { Tensor(x).set_grad(x); }));
  EXPECT_TRUE(refuses(shape, "set_grad: gradient must have the tensor's shape 2, got 2x3", [&] { leaf.set_grad(x); }));
  EXPECT_FALSE(leaf.grad().defined());
}

}  // namespace
}  // namespace tidepool
