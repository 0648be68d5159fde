// Whose memory a gradient is, which changes are counted, and gradients that are undefined.
#include <gtest/gtest.h>

#include "support/tensors.h"
#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::Cells;
using test::cells;
using test::refuses;

Tensor leaf(std::initializer_list<float> values) {
  return Tensor::from<float>({static_cast<int64_t>(values.size())}, values).set_requires_grad();
}

// The gradient of a sum is one number for all elements, which a view could show with stride 0.
TEST(GradientMemory, EveryElementOfAGradientCanBeChanged) {
  Tensor x = leaf({1, 2, 3});
  sum(x).backward();
  EXPECT_TRUE(x.grad().is_contiguous());
  Tensor g = x.grad();
  g.data<float>()[1] = 9;
  EXPECT_EQ(cells(x.grad()), (Cells{1, 9, 1}));
  Tensor y = leaf({1, 2});
  broadcast_to(y, {3, 2}).backward(broadcast_to(Tensor::from<float>({1}, {2}), {3, 2}));
  g = y.grad();
  g *= 0.5;
  EXPECT_EQ(cells(y.grad()), (Cells{3, 3}));
}

TEST(GradientMemory, TheCallersGradientIsNotTheLeafs) {
  Tensor x = leaf({1, 2}), given = Tensor::from<float>({2}, {3, 4});
  x.backward(given);  // x is its own leaf
  Tensor g = x.grad();
  g *= 10;
  EXPECT_EQ(cells(given), (Cells{3, 4}));
  Tensor z = leaf({1, 2});
  z.reshape({2, 1}).backward(given.reshape({2, 1}));  // the rule passes a view of it on
  g = z.grad();
  g *= 10;
  EXPECT_EQ(cells(given), (Cells{3, 4}));
  given *= 0;
  EXPECT_EQ(cells(x.grad()), (Cells{30, 40}));
  EXPECT_EQ(cells(z.grad()), (Cells{30, 40}));
}

TEST(GradientMemory, ARuleKeepsWhatItReturns) {
  Tensor x = leaf({1, 2});
  const Tensor kept = Tensor::from<float>({2}, {5, 6});
  const Tensor y = record("constant", {x}, zeros({2}), [kept](const Tensor&) { return Gradients{kept}; });
  y.backward(zeros({2}), /*retain_graph=*/true);
  Tensor g = x.grad();
  g *= 10;
  x.zero_grad();
  y.backward(zeros({2}));
  EXPECT_EQ(cells(x.grad()), (Cells{5, 6}));
  EXPECT_EQ(cells(kept), (Cells{5, 6}));
}

// Adding to a gradient makes a new tensor: one that the program holds stays as it is.
TEST(GradientMemory, ALaterBackwardLeavesAnEarlierGradientAlone) {
  Tensor x = leaf({1, 2});
  sum(x).backward();
  const Tensor first = x.grad();
  sum(x).backward();
  EXPECT_EQ(cells(first), (Cells{1, 1}));
  EXPECT_EQ(cells(x.grad()), (Cells{2, 2}));
}

TEST(GradientMemory, ReturnedGradientsDoNotShareMemory) {
  Tensor x = leaf({1, 2}), y = leaf({3, 4}), given = Tensor::from<float>({2}, {1, 1});
  const Tensor z = x + y;
  std::vector<Tensor> g = grad(z, {x, y, z, x}, {.gradient = given});
  g[0] *= 10;
  EXPECT_EQ(cells(g[0]), (Cells{10, 10}));
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(cells(g[i]), (Cells{1, 1})) << i;
  EXPECT_EQ(cells(given), (Cells{1, 1}));
  Tensor of_sum = grad(sum(x), {x})[0];
  of_sum.data<float>()[0] = 7;
  EXPECT_EQ(cells(of_sum), (Cells{7, 1}));
}

// ---- undefined gradients -------------------------------------------------------------------------------------------------------------

// Passes x on, and no gradient back.
Tensor without_gradient(const Tensor& x) {
  return record("without_gradient", {x}, x.detach(), [](const Tensor&) { return Gradients{Tensor()}; });
}

// `shared` is used by both sides. It is complete when the side that sends nothing has been counted too.
TEST(UndefinedGradient, IsCounted) {
  for (const bool first : {true, false}) {
    Tensor x = leaf({1, 2});
    const Tensor shared = x * 2.0;
    const Tensor nothing = sum(without_gradient(shared)), something = sum(shared * 3.0);
    (first ? nothing + something : something + nothing).backward();
    ASSERT_TRUE(x.grad().defined());
    EXPECT_EQ(cells(x.grad()), (Cells{6, 6}));
  }
}

// The node between gets no gradient at all. Its own inputs must still be counted down.
TEST(UndefinedGradient, IsCountedBehindANodeThatGotNone) {
  for (const bool first : {true, false}) {
    Tensor x = leaf({1, 2});
    const Tensor shared = x * 2.0;
    const Tensor between = exp(shared * 5.0);
    const Tensor nothing = sum(without_gradient(between)), something = sum(shared * 3.0);
    (first ? nothing + something : something + nothing).backward();
    ASSERT_TRUE(x.grad().defined());
    EXPECT_EQ(cells(x.grad()), (Cells{6, 6}));
    // The node that got none is freed like the others.
    EXPECT_THROW(sum(between).backward(), Error);
  }
}

TEST(UndefinedGradient, IsNotAddedToALeaf) {
  Tensor x = leaf({1, 2});
  sum(without_gradient(x)).backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(grad(sum(without_gradient(x)), {x})[0].defined());
}

// ---- changes that count --------------------------------------------------------------------------------------------------------------

// A product keeps `w`. After change(w) its backward pass is refused.
template <class Change>
void expect_counted(const char* name, const Change& change) {
  Tensor x = leaf({1, 2}), w = Tensor::from<float>({2}, {3, 4});
  const Tensor y = sum(x * w);
  const uint64_t before = w.version();
  change(w);
  EXPECT_EQ(w.version(), before + 1) << name;
  EXPECT_TRUE(refuses(ErrorCode::aliasing,
                      "mul backward: a tensor it kept must not be changed in place, got version 1 for version 0 (shape 2)",
                      [&] { y.backward(); }))
      << name;
}

TEST(CountedChange, IsEveryFunctionThatWrites) {
  const Tensor other = Tensor::from<float>({2}, {5, 6});
  expect_counted("copy_", [&](Tensor& w) { copy_(w, other); });
  expect_counted("add_", [&](Tensor& w) { add_(w, other, 2); });
  expect_counted("mul_", [](Tensor& w) { mul_(w, 2); });
  expect_counted("fill_", [](Tensor& w) { fill_(w, 2); });
  expect_counted("+=", [&](Tensor& w) { w += other; });
  expect_counted("-=", [&](Tensor& w) { w -= other; });
  expect_counted("a view", [&](Tensor& w) {
    Tensor part = w.slice(0, 0, 1);
    fill_(part, 1);
  });
}

}  // namespace
}  // namespace tidepool
