// A tensor that requires gradients is recorded by every pooling function, whichever pass it computes.
#include <gtest/gtest.h>

#include "autograd/pooling_cases.h"
#include "support/tensors.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::as_tensors;
using test::as_views;
using test::message_of;
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

// A gradient of the right shape and dtype whose strides are missing. Only the function that reads it finds that out.
Tensor without_strides(const Dims& shape) { return zeros(shape, DType::f64).as_strided(shape, {}); }

// Passes x on; its backward pass sends a gradient without strides.
Tensor broken_gradient(const Tensor& x) {
  return record("broken", {x}, x.detach(), [shape = x.shape()](const Tensor&) { return Gradients{without_strides(shape)}; });
}

template <class Call>
::testing::AssertionResult blames(const std::string& function, const Dims& shape, const Call& call) {
  const std::string text = message_of(call), rule = " must have " + std::to_string(shape.rank) + " strides, got 0";
  if (text.starts_with(function + ": ") && text.ends_with(rule)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got \"" << text << "\", wanted \"" << function << ": …" << rule << "\"";
}

TEST_P(PoolingPasses, NameTheFunctionInErrorsOfTheBackwardPasses) {
  const std::vector<Tensor> inputs = test::leaves(tested);
  const Tensor y = tested.call(as_tensors(inputs));
  if (!tested.once) {
    EXPECT_TRUE(refuses(ErrorCode::unsupported, tested.function + " backward: derivatives must be at most the second, got the third",
                        [&] { sum(broken_gradient(y)).backward(); }));
    return;
  }
  EXPECT_TRUE(blames(tested.rule, y.shape(), [&] { sum(broken_gradient(y)).backward({}, true); }));
  EXPECT_TRUE(blames(tested.rule, y.shape(), [&] { y.backward(without_strides(y.shape()), true); }));

  const Tensor seed = randn(y.shape(), 9, DType::f64).set_requires_grad();
  const Tensor g = grad(y, {inputs[0]}, {.gradient = seed, .create_graph = true})[0];
  ASSERT_TRUE(g.requires_grad());
  if (tested.second_rule.empty()) {
    const std::string family = tested.function.substr(0, tested.function.find("d_backward") + 1);
    EXPECT_TRUE(refuses(ErrorCode::unsupported, family + " backward: derivatives must be at most the second, got the third",
                        [&] { sum(g).backward(); }));
    return;
  }
  EXPECT_TRUE(blames(tested.second_rule, g.shape(), [&] { sum(broken_gradient(g)).backward(); }));
}

INSTANTIATE_TEST_SUITE_P(All, PoolingPasses, ::testing::Range(size_t{0}, pooling_cases().size()),
                         [](const auto& one) { return pooling_cases()[one.param].function; });

// 12 families; fractional has ranks 2 and 3. Functions with indices have four passes, averages and unpooling three, norms four.
TEST(PoolingCases, CoverEveryFunction) { EXPECT_EQ(pooling_cases().size(), 3u * (4 + 4 + 3 + 3 + 4 + 3 + 4 + 3 + 3 + 4 + 4 + 3) + 2u * 4); }

}  // namespace
}  // namespace tidepool
