// The autograd graph: what is recorded, kept and freed, and the errors of backward().
#include <gtest/gtest.h>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

Tensor leaf(std::initializer_list<float> values) {
  return Tensor::from<float>({static_cast<int64_t>(values.size())}, values).set_requires_grad();
}

TEST(AutogradGraph, AddsUpGradientsOfAllPathsAndCalls) {
  Tensor x = leaf({1, 2});
  sum(x * x + x).backward();
  EXPECT_EQ(to_string(x.grad()), "[3. 5.]");
  sum(x).backward();
  EXPECT_EQ(to_string(x.grad()), "[4. 6.]");
  x.zero_grad();
  EXPECT_FALSE(x.grad().defined());
}

TEST(AutogradGraph, CopiesOfATensorShareTheirGradient) {
  Tensor x = leaf({1, 2});
  const Tensor copy = x;
  sum(copy * 3).backward();
  EXPECT_EQ(to_string(x.grad()), "[3. 3.]");
}

TEST(AutogradGraph, LeavesNeverShareAGradient) {
  Tensor x = leaf({1, 2}), y = leaf({3, 4});
  sum(x + y).backward();
  Tensor g = x.grad();
  mul_(g, 10);
  EXPECT_EQ(to_string(x.grad()), "[10. 10.]");
  EXPECT_EQ(to_string(y.grad()), "[1. 1.]");
}

TEST(AutogradGraph, RecordsNothingUnderNoGradOrAfterDetach) {
  Tensor x = leaf({1, 2});
  {
    const NoGrad no_grad;
    EXPECT_FALSE((x * x).requires_grad());
    EXPECT_FALSE(max_pool1d(x.reshape({1, 2}), {.kernel_size = 2}).requires_grad());
    const EnableGrad enable;
    EXPECT_TRUE((x * x).requires_grad());
  }
  EXPECT_TRUE((x * x).requires_grad());
  EXPECT_FALSE((x.detach() * x.detach()).requires_grad());
}

TEST(AutogradGraph, GradReturnsWithoutAddingUp) {
  Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  const Tensor unused = leaf({7});
  const std::vector<Tensor> g = grad(sum(y * y), {x, y, unused});
  EXPECT_EQ(to_string(g[0]), "[ 4. 32.]");
  EXPECT_EQ(to_string(g[1]), "[2. 8.]");
  EXPECT_FALSE(g[2].defined());
  EXPECT_FALSE(x.grad().defined());
}

TEST(AutogradGraph, BackwardWithCreateGraphDifferentiatesTheGradient) {
  Tensor x = leaf({2});
  const Tensor y = x * x * x;
  y.backward(full({1}, 1), true, true);
  const Tensor g = x.grad();
  EXPECT_TRUE(g.requires_grad());
  EXPECT_EQ(grad(sum(g), {x})[0].item(), 12);
  x.zero_grad();  // x's gradient depends on x: a circle, which only this opens
}

TEST(AutogradGraph, ALongGraphIsFreedWithoutRecursion) {
  Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < 200000; ++i) y = y + 1.0;
  y = Tensor();
  SUCCEED();
}

TEST(AutogradGraph, RefusesASecondBackwardThroughAFreedGraph) {
  Tensor x = leaf({1, 2});
  const Tensor y = sum(x * x);
  y.backward();
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument,
                      "backward: a graph must be kept to be used again, got one that an earlier backward freed (at reshape; retain_graph = "
                      "true keeps it)",
                      [&] { y.backward(); }));
  const Tensor z = sum(x * x);
  z.backward(full({}, 1), true);
  z.backward();
  EXPECT_EQ(to_string(x.grad()), "[ 6. 12.]");
}

TEST(AutogradGraph, RefusesWhatWasChangedInPlace) {
  Tensor x = leaf({1, 2});
  Tensor w = Tensor::from<float>({2}, {3, 4});
  const Tensor y = sum(x * w);
  add_(w, w);
  EXPECT_TRUE(refuses(ErrorCode::aliasing,
                      "mul backward: a tensor it kept must not be changed in place, got version 1 for version 0 (shape 2)",
                      [&] { y.backward(); }));
  Tensor e = exp(x);
  {
    const NoGrad no_grad;
    fill_(e, 0);
  }
  EXPECT_TRUE(refuses(ErrorCode::aliasing, "exp backward: its result must not be changed in place, got version 1 for version 0 (shape 2)",
                      [&] { sum(e).backward(); }));
  EXPECT_TRUE(
      refuses(ErrorCode::aliasing,
              "add_: a tensor that requires gradients must not be changed in place, got shape 2 (use NoGrad, or a function that makes "
              "a new tensor)",
              [&] { add_(x, w); }));
}

TEST(AutogradGraph, SeesChangesThroughViewsAndOnes_Own) {
  Tensor x = leaf({1, 2, 3});
  Tensor w = Tensor::from<float>({3}, {3, 4, 5});
  const Tensor y = sum(x * w);
  Tensor part = w.slice(0, 0, 1);
  part.data<float>()[0] = 9;
  part.mark_changed();
  EXPECT_THROW(y.backward(), Error);
}

TEST(AutogradGraph, RefusesShapesThatDoNotFit) {
  Tensor x = leaf({1, 2});
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "backward: tensor must have 1 element when no gradient is given, got 2 (shape 2)",
                      [&] { (x * x).backward(); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "backward: gradient must have the tensor's shape 2, got 3",
                      [&] { (x * x).backward(zeros({3})); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "add: sizes must be equal or 1, got 2 and 3 (dim 0)", [&] { x + zeros({3}); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "add: dtypes must be equal, got f32 and f64", [&] { x + zeros({2}, DType::f64); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "backward: tensor must require gradients, got one that does not (shape 1)",
                      [&] { zeros({1}).backward(); }));
  const Tensor bad = record("bad", {x}, zeros({2}), [](const Tensor&) { return Gradients{zeros({5})}; });
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "bad backward: a gradient must have its input's shape 2, got 5 (input 0)",
                      [&] { sum(bad).backward(); }));
  const Tensor short_rule = record("short", {x}, zeros({2}), [](const Tensor&) { return Gradients{}; });
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "short backward: its rule must give 1 gradients, got 0", [&] { sum(short_rule).backward(); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "cross_entropy: target must be in [0, 3), got 3 (at 1)",
                      [&] { cross_entropy(zeros({2, 3}), Tensor::from<int64_t>({2}, {0, 3})); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "set_requires_grad: dtype must be floating, got i64",
                      [&] { zeros({2}, DType::i64).set_requires_grad(); }));
}

// A gradient of another dtype would be stored as it is, or fail far away.
TEST(AutogradGraph, RefusesGradientsOfAnotherDtype) {
  Tensor x = leaf({1, 2});
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "backward: gradient must have the tensor's dtype f32, got f64",
                      [&] { x.backward(zeros({2}, DType::f64)); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "backward: gradient must have the tensor's dtype f32, got i32",
                      [&] { grad(x * x, {x}, {.gradient = zeros({2}, DType::i32)}); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "set_grad: gradient must have the tensor's dtype f32, got f16",
                      [&] { x.set_grad(zeros({2}, DType::f16)); }));
  const Tensor bad = record("bad", {x}, zeros({2}), [](const Tensor&) { return Gradients{zeros({2}, DType::f64)}; });
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "bad backward: a gradient must have its input's dtype f32, got f64 (input 0)",
                      [&] { sum(bad).backward(); }));
  EXPECT_FALSE(x.grad().defined());
}

// The rules of b and a run before that of the changed tensor, whose error must not leave half of the gradients behind.
TEST(AutogradGraph, AnErrorChangesNoGradient) {
  Tensor a = leaf({1, 2}), b = leaf({3, 4});
  Tensor w = Tensor::from<float>({2}, {5, 6});
  const Tensor y = sum((a * w) * b);
  add_(w, w);
  EXPECT_THROW(y.backward(), Error);
  EXPECT_FALSE(a.grad().defined());
  EXPECT_FALSE(b.grad().defined());
}

// A rule that fails is not used up: the next call fails for the same reason.
TEST(AutogradGraph, ARuleThatFailsCanBeCalledAgain) {
  Tensor x = leaf({1, 2});
  int calls = 0;
  const Tensor y = record("moody", {x}, zeros({2}), [&calls](const Tensor& g) {
    if (++calls == 1) throw Error(ErrorCode::unsupported, "moody: not today");
    return Gradients{g};
  });
  EXPECT_TRUE(refuses(ErrorCode::unsupported, "moody: not today", [&] { y.backward(full({2}, 1)); }));
  y.backward(full({2}, 1));
  EXPECT_EQ(to_string(x.grad()), "[1. 1.]");
}

}  // namespace
}  // namespace tidepool
