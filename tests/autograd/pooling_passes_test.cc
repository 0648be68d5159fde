// A tensor that requires gradients is recorded by every pooling function, whichever pass it computes.
#include <gtest/gtest.h>

#include "autograd/pooling_cases.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::as_tensors;
using test::as_views;
using test::pooling_cases;
using test::PoolingCase;
using test::refuses;

class PoolingPasses : public ::testing::TestWithParam<size_t> {
 protected:
  const PoolingCase& tested = pooling_cases()[GetParam()];
};

// Squared, so that a second derivative of a linear function is not zero everywhere.
TensorFunction squared(const PoolingCase& c) {
  return [&c](const std::vector<Tensor>& in) {
    const Tensor y = c.call(as_tensors(in));
    return y * y;
  };
}

TEST_P(PoolingPasses, AgreeWithDifferencesAsOftenAsTheyCanBeDifferentiated) {
  ASSERT_TRUE(tested.once || tested.second_rule.empty());
  const Tensor y = tested.call(as_tensors(test::leaves(tested)));
  ASSERT_TRUE(y.requires_grad());
  if (!tested.once) {
    EXPECT_TRUE(refuses(ErrorCode::unsupported, tested.function + " backward: derivatives must be at most the second, got the third",
                        [&] { sum(y).backward(); }));
    return;
  }
  EXPECT_EQ(gradcheck(squared(tested), test::leaves(tested)), "");
  if (tested.second_rule.empty()) {
    EXPECT_THROW(gradgradcheck(squared(tested), test::leaves(tested)), Error);
    return;
  }
  EXPECT_EQ(gradgradcheck(squared(tested), test::leaves(tested)), "");
}

TEST_P(PoolingPasses, RecordWhicheverArgumentRequiresGradients) {
  for (size_t k = 0; k < tested.shapes.size(); ++k) {
    std::vector<Tensor> inputs = test::leaves(tested);
    for (size_t i = 0; i < inputs.size(); ++i)
      if (i != k) inputs[i] = inputs[i].detach();
    EXPECT_TRUE(tested.call(as_tensors(inputs)).requires_grad()) << "argument " << k;
    // The others borrowed: the result still depends on the recorded one.
    test::Arguments mixed = as_views(inputs);
    mixed[k] = inputs[k];
    EXPECT_TRUE(tested.call(mixed).requires_grad()) << "argument " << k;
  }
}

TEST_P(PoolingPasses, ComputeTheSameWithoutRecording) {
  const std::vector<Tensor> inputs = test::leaves(tested);
  const Tensor recorded = tested.call(as_tensors(inputs));
  const Tensor borrowed = tested.call(as_views(inputs));
  EXPECT_TRUE(recorded.requires_grad());
  EXPECT_FALSE(borrowed.requires_grad());
  EXPECT_TRUE(equal(recorded, borrowed));
  const NoGrad no_grad;
  const Tensor unrecorded = tested.call(as_tensors(inputs));
  EXPECT_FALSE(unrecorded.requires_grad());
  EXPECT_TRUE(equal(recorded, unrecorded));
}

// Passes x on; its backward pass sends a gradient of integers.
Tensor integer_gradient(const Tensor& x) {
  return record("integers", {x}, x.detach(), [shape = x.shape()](const Tensor&) { return Gradients{zeros(shape, DType::i32)}; });
}

TEST_P(PoolingPasses, NameTheFunctionInErrorsOfTheBackwardPasses) {
  const std::vector<Tensor> inputs = test::leaves(tested);
  const Tensor y = tested.call(as_tensors(inputs));
  const std::string text = ": gradients need a floating dtype, got i32";
  if (!tested.once) {
    EXPECT_TRUE(refuses(ErrorCode::unsupported, tested.function + " backward: derivatives must be at most the second, got the third",
                        [&] { sum(integer_gradient(y)).backward(); }));
    return;
  }
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, tested.rule + text, [&] { sum(integer_gradient(y)).backward({}, true); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, tested.rule + text, [&] { y.backward(zeros(y.shape(), DType::i32), true); }));

  const Tensor seed = randn(y.shape(), 9, DType::f64).set_requires_grad();
  const Tensor g = grad(y, {inputs[0]}, {.gradient = seed, .create_graph = true})[0];
  ASSERT_TRUE(g.requires_grad());
  if (tested.second_rule.empty()) {
    const std::string family = tested.function.substr(0, tested.function.find("d_backward") + 1);
    EXPECT_TRUE(refuses(ErrorCode::unsupported, family + " backward: derivatives must be at most the second, got the third",
                        [&] { sum(g).backward(); }));
    return;
  }
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, tested.second_rule + text, [&] { sum(integer_gradient(g)).backward(); }));
}

INSTANTIATE_TEST_SUITE_P(All, PoolingPasses, ::testing::Range(size_t{0}, pooling_cases().size()),
                         [](const auto& one) { return pooling_cases()[one.param].function; });

// 12 families; fractional has ranks 2 and 3. Functions with indices have four passes, averages and unpooling three, norms four.
TEST(PoolingCases, CoverEveryFunction) { EXPECT_EQ(pooling_cases().size(), 3u * (4 + 4 + 3 + 3 + 4 + 3 + 4 + 3 + 3 + 4 + 4 + 3) + 2u * 4); }

}  // namespace
}  // namespace tidepool
