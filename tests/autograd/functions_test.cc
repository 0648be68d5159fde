// Every function against differences, once and twice.
#include <gtest/gtest.h>

#include <cmath>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

struct Case {
  std::string name;
  TensorFunction f;
  std::vector<Dims> shapes;
  double shift = 0;  // away from kinks and poles
};

Tensor leaf(const Dims& shape, uint64_t seed, double shift) { return (randn(shape, seed, DType::f64) + shift).set_requires_grad(); }

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"add", [](const auto& in) { return in[0] + in[1]; }, {{2, 3}, {2, 3}}},
      {"add_broadcast", [](const auto& in) { return in[0] + in[1]; }, {{2, 1, 3}, {4, 1}}},
      {"sub", [](const auto& in) { return in[0] - in[1]; }, {{2, 3}, {3}}},
      {"mul", [](const auto& in) { return in[0] * in[1]; }, {{2, 3}, {2, 1}}},
      {"mul_self", [](const auto& in) { return in[0] * in[0]; }, {{2, 3}}},
      {"div", [](const auto& in) { return in[0] / in[1]; }, {{2, 3}, {3}}, 4},
      {"scalars", [](const auto& in) { return 3 - (2 * in[0] + 1) / 4; }, {{5}}},
      {"neg", [](const auto& in) { return -in[0] * in[0]; }, {{3}}},
      {"exp", [](const auto& in) { return exp(in[0]); }, {{2, 3}}},
      {"log", [](const auto& in) { return log(in[0]); }, {{2, 3}}, 5},
      {"sqrt", [](const auto& in) { return sqrt(in[0]); }, {{2, 3}}, 5},
      {"pow", [](const auto& in) { return pow(in[0], 2.5); }, {{2, 3}}, 5},
      {"relu", [](const auto& in) { return relu(in[0]) * in[0]; }, {{3, 4}}},
      {"leaky_relu", [](const auto& in) { return leaky_relu(in[0], 0.1) * in[0]; }, {{3, 4}}},
      {"sigmoid", [](const auto& in) { return sigmoid(in[0]); }, {{3, 4}}},
      {"tanh", [](const auto& in) { return tanh(in[0]); }, {{3, 4}}},
      {"gelu", [](const auto& in) { return gelu(in[0]); }, {{3, 4}}},
      {"sum", [](const auto& in) { return sum(in[0] * in[0]); }, {{2, 3, 4}}},
      {"sum_dims", [](const auto& in) { return sum(in[0] * in[0], {0, -1}); }, {{2, 3, 4}}},
      {"mean_keepdim", [](const auto& in) { return mean(in[0] * in[0], {1}, true); }, {{2, 3, 4}}},
      {"mean", [](const auto& in) { return mean(exp(in[0])); }, {{2, 3}}},
      {"reshape", [](const auto& in) { return reshape(in[0], {4, -1}) * reshape(in[0], {4, -1}); }, {{2, 6}}},
      {"flatten", [](const auto& in) { return exp(flatten(in[0])); }, {{2, 2, 3}}},
      {"transpose", [](const auto& in) { return exp(in[0].transpose(0, 2)) * in[1]; }, {{2, 3, 4}, {4, 3, 2}}},
      {"slice", [](const auto& in) { return exp(in[0].slice(1, 1, 6, 2)); }, {{2, 6}}},
      {"clone", [](const auto& in) { return exp(in[0].clone(MemoryFormat::channels_last)); }, {{1, 3, 2, 2}}},
      {"broadcast_to", [](const auto& in) { return exp(broadcast_to(in[0], {4, 2, 3})); }, {{2, 1}}},
      {"concat", [](const auto& in) { return exp(concat({in[0], in[1], in[0]}, 1)); }, {{2, 1}, {2, 3}}},
      {"softmax", [](const auto& in) { return softmax(in[0], 1); }, {{2, 3, 2}}},
      {"log_softmax", [](const auto& in) { return log_softmax(in[0], -1); }, {{2, 4}}},
      {"cross_entropy", [](const auto& in) { return cross_entropy(in[0], Tensor::from<int64_t>({3}, {1, -100, 0})); }, {{3, 4}}},
      {"cross_entropy_planes",
       [](const auto& in) { return cross_entropy(in[0], Tensor::from<int64_t>({1, 2}, {1, 2}), {.reduction = LossReduction::none}); },
       {{1, 3, 2}}},
      {"mse", [](const auto& in) { return mse_loss(in[0], in[1]); }, {{2, 3}, {2, 3}}},
  };
  return all;
}

class Functions : public ::testing::TestWithParam<size_t> {};

TEST_P(Functions, AgreeWithDifferencesTwice) {
  const Case& c = cases()[GetParam()];
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < c.shapes.size(); ++i) inputs.push_back(leaf(c.shapes[i], i + 1, c.shift));
  EXPECT_EQ(gradcheck(c.f, inputs), "");
  EXPECT_EQ(gradgradcheck(c.f, inputs), "");
}

INSTANTIATE_TEST_SUITE_P(All, Functions, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& one) { return cases()[one.param].name; });

TEST(Gradcheck, FindsAWrongRule) {
  const auto wrong = [](const std::vector<Tensor>& in) {
    return record("double", {in[0]}, in[0].detach() * 2, [](const Tensor& g) { return Gradients{g}; });
  };
  const std::string said = gradcheck(wrong, {leaf({3}, 1, 0)});
  EXPECT_EQ(said.substr(0, 41), "gradcheck: gradient of input 0 at 0 must ") << said;
}

TEST(Gradgradcheck, FindsARuleThatLeavesTheGraph) {
  const auto cut = [](const std::vector<Tensor>& in) {
    return record("square", {in[0]}, in[0].detach() * in[0].detach(),
                  [x = in[0].detach()](const Tensor& g) { return Gradients{2 * x * g}; });
  };
  EXPECT_EQ(gradcheck(cut, {leaf({3}, 1, 0)}), "");
  EXPECT_EQ(gradgradcheck(cut, {leaf({3}, 1, 0)}).substr(0, 13), "gradgradcheck");
}

TEST(Functions, ComputeKnownValues) {
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(to_string(x * Tensor::from<float>({2}, {10, 100})), "[[ 10. 200.]\n [ 30. 400.]]");
  EXPECT_EQ(sum(x).item(), 10);
  EXPECT_EQ(to_string(mean(x, {0})), "[2. 3.]");
  EXPECT_EQ(to_string(argmax(x)), "[1 1]");
  EXPECT_FLOAT_EQ(static_cast<float>(cross_entropy(zeros({2, 10}), Tensor::from<int64_t>({2}, {0, 9})).item()), std::log(10.0F));
}

TEST(Functions, WorkOnEveryLayoutAndNarrowTypes) {
  const Tensor x = randn({2, 5, 4, 3}, 1);
  const Tensor last = x.clone(MemoryFormat::channels_last);
  const Tensor scale = randn({1, 5, 1, 1}, 2);
  const Tensor y = relu(x * scale + x), z = relu(last * scale + last);
  EXPECT_EQ(z.strides(), last.strides());
  EXPECT_EQ(to_string(y), to_string(z));
  EXPECT_EQ(to_string(sum(x, {0, 2, 3})), to_string(sum(last, {0, 2, 3})));
  for (DType narrow : {DType::f16, DType::bf16}) EXPECT_EQ(sum(full({4}, 0.5, narrow) + full({4}, 1, narrow)).item(), 6);
}

}  // namespace
}  // namespace tidepool
