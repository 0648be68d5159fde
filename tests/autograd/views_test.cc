// Views of a tensor that requires gradients are recorded, once and twice differentiable.
#include <gtest/gtest.h>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;
using View = Tensor (*)(const Tensor& x);

struct Case {
  std::string name;
  View view;
  Dims shape;
};

// The elements that NumPy's or PyTorch's function of the same meaning would read, by their number in arange of the shape.
struct Expected {
  Dims shape;
  std::vector<double> values;
};

const std::vector<std::pair<Case, Expected>>& cases() {
  static const std::vector<std::pair<Case, Expected>> all = {
      {{"transpose", [](const Tensor& x) { return x.transpose(0, 1); }, {2, 3}}, {{3, 2}, {0, 3, 1, 4, 2, 5}}},
      {{"transpose_negative", [](const Tensor& x) { return x.transpose(-1, -2); }, {2, 3}}, {{3, 2}, {0, 3, 1, 4, 2, 5}}},
      {{"slice", [](const Tensor& x) { return x.slice(1, 1, 3); }, {2, 3}}, {{2, 2}, {1, 2, 4, 5}}},
      {{"slice_step", [](const Tensor& x) { return x.slice(-1, 0, 5, 3); }, {5}}, {{2}, {0, 3}}},
      {{"slice_backwards", [](const Tensor& x) { return x.slice(0, 4, -1, -2); }, {5}}, {{3}, {4, 2, 0}}},
      {{"slice_of_slice", [](const Tensor& x) { return x.slice(0, 4, 0, -1).slice(0, 1, 4, 2); }, {5}}, {{2}, {3, 1}}},
      {{"slice_of_transpose", [](const Tensor& x) { return x.transpose(0, 1).slice(0, 2, -1, -1); }, {2, 3}}, {{3, 2}, {2, 5, 1, 4, 0, 3}}},
      {{"select", [](const Tensor& x) { return x.select(1, 2); }, {2, 3}}, {{2}, {2, 5}}},
      {{"select_negative_dim", [](const Tensor& x) { return x.select(-2, 1); }, {2, 3}}, {{3}, {3, 4, 5}}},
      {{"select_negative_index", [](const Tensor& x) { return x.select(1, -1); }, {2, 3}}, {{2}, {2, 5}}},
      {{"select_both_negative", [](const Tensor& x) { return x.select(-1, -3); }, {2, 3}}, {{2}, {0, 3}}},
      {{"brackets", [](const Tensor& x) { return x[1]; }, {2, 3}}, {{3}, {3, 4, 5}}},
      {{"brackets_twice", [](const Tensor& x) { return x[-1][0]; }, {2, 3}}, {{}, {3}}},
      {{"index", [](const Tensor& x) { return x.index({1, -1}); }, {2, 3}}, {{}, {5}}},
      {{"index_leading", [](const Tensor& x) { return x.index({1}); }, {2, 2, 2}}, {{2, 2}, {4, 5, 6, 7}}},
      {{"reshape", [](const Tensor& x) { return x.reshape({3, 2}); }, {2, 3}}, {{3, 2}, {0, 1, 2, 3, 4, 5}}},
      {{"reshape_copies", [](const Tensor& x) { return reshape(x.transpose(0, 1), {6}); }, {2, 3}}, {{6}, {0, 3, 1, 4, 2, 5}}},
      {{"clone", [](const Tensor& x) { return x.clone(); }, {2, 2}}, {{2, 2}, {0, 1, 2, 3}}},
      {{"clone_of_a_view", [](const Tensor& x) { return x.slice(0, 1, -1, -1).clone(); }, {2, 2}}, {{2, 2}, {2, 3, 0, 1}}},
      {{"clone_channels_last", [](const Tensor& x) { return x.clone(MemoryFormat::channels_last); }, {1, 2, 1, 2}},
       {{1, 2, 1, 2}, {0, 1, 2, 3}}},
      {{"to_the_same", [](const Tensor& x) { return x.to(DType::f64); }, {3}}, {{3}, {0, 1, 2}}},
      {{"flatten", [](const Tensor& x) { return flatten(x.transpose(0, 1), 0); }, {2, 3}}, {{6}, {0, 3, 1, 4, 2, 5}}},
      {{"broadcast_to", [](const Tensor& x) { return broadcast_to(x, {2, 2, 3}); }, {2, 1}},
       {{2, 2, 3}, {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}}},
      {{"as_strided_transposes", [](const Tensor& x) { return x.as_strided({3, 2}, {1, 3}); }, {2, 3}}, {{3, 2}, {0, 3, 1, 4, 2, 5}}},
      {{"as_strided_windows", [](const Tensor& x) { return x.as_strided({3, 3}, {1, 1}); }, {5}}, {{3, 3}, {0, 1, 2, 1, 2, 3, 2, 3, 4}}},
      {{"as_strided_repeats", [](const Tensor& x) { return x.as_strided({2, 3}, {0, 1}); }, {3}}, {{2, 3}, {0, 1, 2, 0, 1, 2}}},
      {{"as_strided_leaves_gaps", [](const Tensor& x) { return x.as_strided({3}, {2}); }, {6}}, {{3}, {0, 2, 4}}},
      {{"as_strided_of_reversed", [](const Tensor& x) { return x.slice(0, 4, -1, -1).as_strided({3}, {-2}); }, {5}}, {{3}, {4, 2, 0}}},
      {{"as_strided_of_reversed_windows", [](const Tensor& x) { return x.slice(0, 4, -1, -1).as_strided({2, 2}, {-2, -1}); }, {5}},
       {{2, 2}, {4, 3, 2, 1}}},
      {{"as_strided_of_transposed", [](const Tensor& x) { return x.transpose(0, 1).as_strided({2, 2}, {1, 3}); }, {2, 3}},
       {{2, 2}, {0, 3, 1, 4}}},
      {{"as_strided_of_slice", [](const Tensor& x) { return x.slice(0, 2, 6).as_strided({3, 2}, {1, 1}); }, {7}},
       {{3, 2}, {2, 3, 3, 4, 4, 5}}},
      {{"as_strided_twice", [](const Tensor& x) { return x.as_strided({2, 3}, {3, 1}).as_strided({2, 2, 2}, {2, 1, 1}); }, {6}},
       {{2, 2, 2}, {0, 1, 1, 2, 2, 3, 3, 4}}},
      {{"as_strided_of_nothing", [](const Tensor& x) { return x.as_strided({0, 3}, {3, 1}); }, {3}}, {{0, 3}, {}}},
  };
  return all;
}

class Views : public ::testing::TestWithParam<size_t> {
 protected:
  const Case& tested = cases()[GetParam()].first;
  const Expected& expected = cases()[GetParam()].second;
};

TEST_P(Views, ReadTheRightElementsAndRecord) {
  const Tensor x = arange(tested.shape, DType::f64).set_requires_grad();
  const Tensor y = tested.view(x);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_TRUE(equal(y, Tensor::from<double>(expected.shape, std::span<const double>(expected.values)))) << y;
  EXPECT_FALSE(tested.view(x.detach()).requires_grad());
  const NoGrad no_grad;
  EXPECT_FALSE(tested.view(x).requires_grad());
}

// An element receives the sum of the gradients of all places that show it.
TEST_P(Views, SendEveryGradientBack) {
  Tensor x = arange(tested.shape, DType::f64).set_requires_grad();
  const Tensor g = randn(expected.shape, 5, DType::f64);
  tested.view(x).backward(g);
  Tensor want = zeros(tested.shape, DType::f64);
  for (size_t i = 0; i < expected.values.size(); ++i) want.flat<double>()[static_cast<size_t>(expected.values[i])] += g.data<double>()[i];
  EXPECT_TRUE(allclose(x.grad(), want, {.atol = 1e-14})) << x.grad() << "\nwanted\n" << want;
}

TEST_P(Views, AgreeWithDifferencesTwice) {
  const auto cube = [this](const std::vector<Tensor>& in) {
    const Tensor y = tested.view(in[0]);
    return y * y * y;
  };
  const Tensor x = randn(tested.shape, 3, DType::f64).set_requires_grad();
  EXPECT_EQ(gradcheck(cube, {x}), "");
  EXPECT_EQ(gradgradcheck(cube, {x}), "");
}

INSTANTIATE_TEST_SUITE_P(All, Views, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& one) { return cases()[one.param].first.name; });

TEST(ToTest, ConvertsGradientsBack) {
  for (DType narrow : {DType::f32, DType::f16, DType::bf16}) {
    Tensor x = Tensor::from<double>({2}, {1, 2}).set_requires_grad();
    const Tensor y = x.to(narrow);
    EXPECT_TRUE(y.requires_grad());
    sum(y * y).backward();
    EXPECT_EQ(x.grad().dtype(), DType::f64);
    EXPECT_EQ(to_string(x.grad()), "[2. 4.]") << dtype_name(narrow);
  }
  const auto through_f32 = [](const std::vector<Tensor>& in) {
    const Tensor y = in[0].to(DType::f32);
    return y * y;
  };
  const Tensor x = randn({4}, 1, DType::f64).set_requires_grad();
  EXPECT_EQ(gradcheck(through_f32, {x}, {.eps = 1e-2, .atol = 1e-3}), "");
  EXPECT_EQ(gradgradcheck(through_f32, {x}, {.eps = 1e-2, .atol = 1e-3}), "");
}

TEST(ToTest, IntegersHaveNoGradient) {
  const Tensor x = Tensor::from<float>({2}, {1.5, -2}).set_requires_grad();
  for (DType whole : {DType::i8, DType::u8, DType::i16, DType::i32, DType::i64, DType::boolean})
    EXPECT_FALSE(x.to(whole).requires_grad()) << dtype_name(whole);
}

TEST(AsStridedTest, RefusesElementsShownTwice) {
  const Tensor x = Tensor::from<float>({1, 3}, {1, 2, 3}).set_requires_grad();
  const std::string text = "as_strided: a tensor that requires gradients must not repeat elements, got strides ";
  EXPECT_TRUE(refuses(ErrorCode::unsupported, text + "0x1 (use clone first)", [&] { broadcast_to(x, {2, 3}).as_strided({2, 3}, {0, 1}); }));
  // Windows that overlap repeat elements without a stride of 0.
  EXPECT_TRUE(refuses(ErrorCode::unsupported, text + "1x1 (use clone first)", [&] { x.as_strided({2, 2}, {1, 1}).as_strided({3}, {1}); }));
  EXPECT_EQ(to_string(broadcast_to(x, {2, 3}).clone().as_strided({6}, {1})), "[1. 2. 3. 1. 2. 3.]");
  const NoGrad no_grad;
  EXPECT_EQ(to_string(broadcast_to(x, {2, 3}).as_strided({3}, {1})), "[1. 2. 3.]");
}

// The elements beside a view belong to the tensor it was taken of. Their gradient could not arrive there.
TEST(AsStridedTest, RefusesElementsOutsideTheTensor) {
  const Tensor x = arange({6}).set_requires_grad();
  const std::string text = "as_strided: a view of a tensor that requires gradients must show its elements only, got ";
  const std::string hint = " (use as_strided of the whole tensor, or detach)";
  EXPECT_TRUE(refuses(ErrorCode::unsupported, text + "shape 4 with strides 1 of shape 3 with strides 1" + hint,
                      [&] { x.slice(0, 0, 3).as_strided({4}, {1}); }));
  EXPECT_TRUE(refuses(ErrorCode::unsupported, text + "shape 2 with strides -1 of shape 3 with strides 1" + hint,
                      [&] { x.slice(0, 2, 5).as_strided({2}, {-1}); }));
  EXPECT_TRUE(refuses(ErrorCode::unsupported, text + "shape 3 with strides 1 of shape 3 with strides 2" + hint,
                      [&] { x.slice(0, 0, 6, 2).as_strided({3}, {1}); }));
  EXPECT_EQ(to_string(x.detach().slice(0, 0, 3).as_strided({4}, {1})), "[0. 1. 2. 3.]");
  EXPECT_FALSE(x.slice(0, 0, 3).detach().as_strided({4}, {1}).requires_grad());
}

}  // namespace
}  // namespace tidepool
