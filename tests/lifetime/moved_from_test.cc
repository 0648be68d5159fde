// A tensor that was moved from is undefined, like Tensor(): it keeps no pointer to memory that another tensor owns, and every function
// refuses it by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument) << e.what();
    return e.what();
  }
  return "no error";
}

// A tensor whose memory now belongs to *owner.
Tensor moved_from(Tensor* owner) {
  Tensor x = ones({1, 1, 4, 4});
  *owner = std::move(x);
  return x;  // NOLINT(bugprone-use-after-move): this is the test
}

void expect_undefined(const Tensor& x) {
  EXPECT_FALSE(x.defined());
  EXPECT_EQ(x.shape(), Dims{0});
  EXPECT_EQ(x.numel(), 0);
  EXPECT_EQ(x.view().data, nullptr);
  EXPECT_FALSE(x.requires_grad());
}

TEST(MovedFrom, ATensorIsUndefined) {
  Tensor x = ones({2, 3}).set_requires_grad();
  const float* memory = x.data<float>();
  Tensor y = std::move(x);
  expect_undefined(x);  // NOLINT(bugprone-use-after-move): this is the test
  EXPECT_EQ(std::as_const(y).data<float>(), memory);
  EXPECT_TRUE(y.requires_grad());

  Tensor z = zeros({5});
  z = std::move(y);
  expect_undefined(y);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(z.shape(), (Dims{2, 3}));
  EXPECT_TRUE(z.requires_grad());
}

TEST(MovedFrom, ATensorCanBeAssignedAgain) {
  Tensor x = ones({2});
  const Tensor y = std::move(x);
  x = zeros({3});  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(x.shape(), Dims{3});
  EXPECT_EQ(y.shape(), Dims{2});
}

TEST(MovedFrom, SelfMoveAndSwapKeepTheTensor) {
  Tensor x = ones({2});
  Tensor& same = x;
  x = std::move(same);
  ASSERT_TRUE(x.defined());
  EXPECT_EQ(x.item({1}), 1);
  Tensor y = zeros({3});
  std::swap(x, y);
  EXPECT_EQ(x.shape(), Dims{3});
  EXPECT_EQ(y.shape(), Dims{2});
}

// The memory is freed, so that a sanitizer reports every read of it.
TEST(MovedFrom, MemoryMayBeFreed) {
  std::optional<Tensor> owner = Tensor();
  Tensor x = ones({1, 1, 4, 4});
  *owner = std::move(x);
  owner.reset();
  EXPECT_THROW(max_pool2d(x, 2), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(add(x, x), Error);
  EXPECT_THROW(x.clone(), Error);
}

TEST(MovedFrom, PartsOfResultsAndOptionsAreEmptiedToo) {
  Pooled pooled = max_pool2d_with_indices(ones({1, 1, 4, 4}), 2);
  const Pooled kept = std::move(pooled);
  expect_undefined(pooled.values);  // NOLINT(bugprone-use-after-move)
  expect_undefined(pooled.indices);
  EXPECT_TRUE(kept.indices.defined());
  GradOptions options{.gradient = ones({2})};
  const GradOptions taken = std::move(options);
  expect_undefined(options.gradient);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(taken.gradient.defined());
}

struct Call {
  const char* begin;  // what the message begins with
  std::function<void(Tensor&)> f;
};

const std::vector<Call> calls = {
    {"data: tensor", [](Tensor& x) { x.data<float>(); }},
    {"data: tensor", [](Tensor& x) { std::as_const(x).data<float>(); }},
    {"flat: tensor", [](Tensor& x) { x.flat<float>(); }},
    {"item: tensor", [](Tensor& x) { x.item(); }},
    {"item: tensor", [](Tensor& x) { x.item<float>(); }},
    {"item: tensor", [](Tensor& x) { x.item({0}); }},
    {"transpose: tensor", [](Tensor& x) { x.transpose(0, 0); }},
    {"slice: tensor", [](Tensor& x) { x.slice(0, 0, 0); }},
    {"select: tensor", [](Tensor& x) { x.select(0, 0); }},
    {"select: tensor", [](Tensor& x) { x[0]; }},
    {"reshape: tensor", [](Tensor& x) { x.reshape({0}); }},
    {"as_strided: tensor", [](Tensor& x) { x.as_strided({1}, {1}); }},
    {"clone: tensor", [](Tensor& x) { x.clone(); }},
    {"to: tensor", [](Tensor& x) { x.to(DType::f64); }},
    {"set_requires_grad: tensor", [](Tensor& x) { x.set_requires_grad(); }},
    {"copy: src", [](Tensor& x) { copy(x, span(static_cast<float*>(nullptr), {0})); }},
    {"copy: dst", [](Tensor& x) { copy(ones({0}), x.span()); }},
    {"max_pool2d: input", [](Tensor& x) { max_pool2d(x, 2); }},
    {"max_pool2d_with_indices: input", [](Tensor& x) { max_pool2d_with_indices(x, 2); }},
    {"min_pool1d: input", [](Tensor& x) { min_pool1d(x, 2); }},
    {"avg_pool3d: input", [](Tensor& x) { avg_pool3d(x, 2); }},
    {"sum_pool2d: input", [](Tensor& x) { sum_pool2d(x, 2); }},
    {"lp_pool2d: input", [](Tensor& x) { lp_pool2d(x, {.norm_type = 2, .kernel_size = 2}); }},
    {"adaptive_max_pool2d: input", [](Tensor& x) { adaptive_max_pool2d(x, 2); }},
    {"adaptive_avg_pool2d: input", [](Tensor& x) { adaptive_avg_pool2d(x, 2); }},
    {"global_avg_pool2d: input", [](Tensor& x) { global_avg_pool2d(x); }},
    {"global_max_pool2d: input", [](Tensor& x) { global_max_pool2d(x); }},
    {"global_lp_pool2d: input", [](Tensor& x) { global_lp_pool2d(x, 2); }},
    {"fractional_max_pool2d: input", [](Tensor& x) { fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 2}); }},
    {"max_unpool2d: input", [](Tensor& x) { max_unpool2d(x, zeros({1, 1, 2, 2}, DType::i64), 2); }},
    {"max_unpool2d: indices", [](Tensor& x) { max_unpool2d(zeros({1, 1, 2, 2}), x, 2); }},
    {"max_pool2d_backward: grad",
     [](Tensor& x) { max_pool2d_backward(x, zeros({1, 1, 2, 2}, DType::i64), {1, 1, 4, 4}, {.kernel_size = 2}); }},
    {"max_pool2d_backward: indices", [](Tensor& x) { max_pool2d_backward(zeros({1, 1, 2, 2}), x, {1, 1, 4, 4}, {.kernel_size = 2}); }},
    {"avg_pool2d_backward: grad", [](Tensor& x) { avg_pool2d_backward(x, {1, 1, 4, 4}, {.kernel_size = 2}); }},
    {"max_pool2d_into: out", [](Tensor& x) { max_pool2d_into(x.span(), zeros({1, 1, 4, 4}), {.kernel_size = 2}); }},
    {"add: tensor", [](Tensor& x) { add(x, x); }},
    {"add: tensor", [](Tensor& x) { add(ones({1}), x); }},
    {"mul: tensor", [](Tensor& x) { x * 2.0; }},
    {"relu: tensor", [](Tensor& x) { relu(x); }},
    {"eq: tensor", [](Tensor& x) { eq(x, x); }},
    {"lt: tensor", [](Tensor& x) { lt(x, 1.0); }},
    {"equal: tensor", [](Tensor& x) { equal(x, x); }},
    {"allclose: tensor", [](Tensor& x) { allclose(x, ones({1})); }},
    {"add_: tensor", [](Tensor& x) { x += x; }},
    {"mul_: tensor", [](Tensor& x) { x *= 2; }},
    {"fill_: tensor", [](Tensor& x) { fill_(x, 1); }},
    {"copy_: tensor", [](Tensor& x) { copy_(x, x); }},
    {"sum: tensor", [](Tensor& x) { sum(x); }},
    {"mean: tensor", [](Tensor& x) { mean(x, {0}); }},
    {"reshape: tensor", [](Tensor& x) { reshape(x, {0}); }},
    {"flatten: tensor", [](Tensor& x) { flatten(x, 0); }},
    {"contiguous: tensor", [](Tensor& x) { contiguous(x); }},
    {"broadcast_to: tensor", [](Tensor& x) { broadcast_to(x, {0}); }},
    {"concat: tensor", [](Tensor& x) { concat({x, x}, 0); }},
    {"softmax: tensor", [](Tensor& x) { softmax(x, 0); }},
    {"log_softmax: tensor", [](Tensor& x) { log_softmax(x, 0); }},
    {"cross_entropy: input", [](Tensor& x) { cross_entropy(x, x); }},
    {"nll_loss: targets", [](Tensor& x) { nll_loss(ones({1, 2}), x); }},
    {"nll_loss: input", [](Tensor& x) { nll_loss(x, ones({1}, DType::i64)); }},
    {"mse_loss: input", [](Tensor& x) { mse_loss(x, x); }},
    {"mse_loss: target", [](Tensor& x) { mse_loss(ones({1}), x); }},
    {"argmax: input", [](Tensor& x) { argmax(x); }},
    // The other operand is defined, and as empty.
    {"add_: tensor", [](Tensor& x) { x += ones({0}); }},
    {"add_: tensor",
     [](Tensor& x) {
       Tensor y = ones({0});
       y += x;
     }},
    {"copy_: tensor",
     [](Tensor& x) {
       Tensor y = ones({0});
       copy_(y, x);
     }},
    {"eq: tensor", [](Tensor& x) { eq(x, ones({0})); }},
    {"eq: tensor", [](Tensor& x) { eq(ones({0}), x); }},
    {"equal: tensor", [](Tensor& x) { equal(ones({0}), x); }},
    {"allclose: tensor", [](Tensor& x) { allclose(ones({0}), x); }},
    {"global_avg_pool2d_backward: grad", [](Tensor& x) { global_avg_pool2d_backward(x, {1, 1, 4, 4}); }},
    {"global_max_pool2d_double_backward: gg", [](Tensor& x) { global_max_pool2d_double_backward(x, zeros({1, 1, 1, 1}, DType::i64)); }},
    {"global_lp_pool2d_backward: x", [](Tensor& x) { global_lp_pool2d_backward(ones({1, 1, 1, 1}), x); }},
    {"global_lp_pool2d_double_backward: x", [](Tensor& x) { global_lp_pool2d_double_backward(ones({1, 1, 4, 4}), x); }},
    {"global_lp_pool2d_double_backward_input: x",
     [](Tensor& x) { global_lp_pool2d_double_backward_input(ones({1, 1, 4, 4}), ones({1, 1, 1, 1}), x); }},
};

TEST(MovedFrom, EveryFunctionRefusesItByName) {
  for (const Call& call : calls) {
    Tensor owner;
    Tensor x = moved_from(&owner);
    const std::string message = message_of([&] { call.f(x); });
    EXPECT_THAT(message, StartsWith(std::string(call.begin) + " must be defined, got one without memory"));
  }
}

TEST(MovedFrom, BackwardSaysThatTheTensorIsUndefined) {
  Tensor owner;
  const Tensor x = moved_from(&owner);
  EXPECT_THAT(message_of([&] { x.backward(); }), HasSubstr("must be defined"));
}

TEST(MovedFrom, PrintsAsUndefined) { EXPECT_EQ(to_string(Tensor()), "undefined"); }

// An array without elements may have no memory either, and is not undefined.
TEST(MovedFrom, EmptyArraysAreStillValid) {
  const Tensor x = zeros({0});
  EXPECT_TRUE(x.defined());
  EXPECT_EQ(add(x, x).numel(), 0);
  EXPECT_EQ(to_string(x), "[]");
  copy(view(static_cast<const float*>(nullptr), {0}), span(static_cast<float*>(nullptr), {0}));
  EXPECT_EQ(max_pool2d(view(static_cast<const float*>(nullptr), {0, 1, 4, 4}), 2).shape(), (Dims{0, 1, 2, 2}));
}

// A plan is an immutable value: moving it copies the pointer, so that the source stays usable.
TEST(MovedFrom, APlanStaysUsable) {
  Plan plan = make_plan(parse("max2d fwd f32 nchw 1x1x4x4 k2"));
  const Plan taken = std::move(plan);
  EXPECT_EQ(plan.kernel(), taken.kernel());  // NOLINT(bugprone-use-after-move)
  const Tensor x = ones({1, 1, 4, 4});
  Tensor y({1, 1, 2, 2});
  plan.run(x, y.span());
  EXPECT_EQ(y.item({0, 0, 1, 1}), 1);
  Plan other = make_plan(parse("avg2d fwd f32 nchw 1x1x4x4 k2"));
  other = std::move(plan);
  EXPECT_EQ(plan.problem(), other.problem());  // NOLINT(bugprone-use-after-move)
}

// Geometry, Problem and views own nothing: they are the same after a move.
TEST(MovedFrom, DescriptionsStayUsable) {
  Problem problem = parse("max2d fwd f32 nchw 1x1x4x4 k2");
  const Problem taken = std::move(problem);
  EXPECT_EQ(to_string(problem), to_string(taken));  // NOLINT(bugprone-use-after-move)
  static_assert(std::is_trivially_copyable_v<Geometry> && std::is_trivially_copyable_v<TensorArg>);
}

}  // namespace
}  // namespace tidepool
