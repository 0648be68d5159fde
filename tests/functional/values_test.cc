// Values of the functions of networks at the places where a wrong formula still gives right gradients: large, NaN and ignored elements,
// ties, and memory in another order. Expected values are computed here from the definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/tensors.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using test::Cells;
using test::cells;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// exp(v - largest) / sum, by the definition with the largest value taken out.
Cells softmax_of(const Cells& x) {
  long double total = 0, largest = x[0];
  for (double v : x) largest = std::max<long double>(largest, v);
  Cells y;
  for (double v : x) total += std::exp(static_cast<long double>(v) - largest);
  for (double v : x) y.push_back(static_cast<double>(std::exp(static_cast<long double>(v) - largest) / total));
  return y;
}

TEST(FunctionValues, SoftmaxOfLargeLogits) {
  // exp of each of these overflows f32, and of the first two f64 as well. The largest stands first, in the middle and last.
  for (const Cells& logits : std::vector<Cells>{{2000, 1998, 1990}, {1000, 1001, 999}, {88, 89, 90}, {-2000, -1999, -1998}}) {
    const Cells expected = softmax_of(logits);
    for (DType dtype : {DType::f32, DType::f64}) {
      Tensor x = Tensor::from<double>({3}, logits).to(dtype).set_requires_grad();
      const Tensor y = softmax(x, 0), z = log_softmax(x, 0);
      for (size_t i = 0; i < 3; ++i) {
        const Size at = static_cast<int64_t>(i);
        EXPECT_NEAR(y.item({at}), expected[i], 1e-6) << i;
        EXPECT_NEAR(z.item({at}), std::log(expected[i]), 1e-5) << i;
      }
      sum(y * Tensor::from<double>({3}, {1, 0, 0}).to(dtype)).backward();
      for (size_t i = 0; i < 3; ++i)  // dy0/dxi = y0 ([i = 0] - yi)
        EXPECT_NEAR(x.grad().item({static_cast<int64_t>(i)}), expected[0] * ((i == 0 ? 1 : 0) - expected[i]), 1e-6);
    }
  }
}

TEST(FunctionValues, SoftmaxAlongAnInnerAndAnOuterDim) {
  const Tensor x = Tensor::from<float>({2, 3}, {1, 500, 3, 4, 505, 6});
  for (int64_t column = 0; column < 3; ++column) {
    const Cells expected = softmax_of({x.item({0, column}), x.item({1, column})});
    for (int64_t row = 0; row < 2; ++row) EXPECT_NEAR(softmax(x, 0).item({row, column}), expected[static_cast<size_t>(row)], 1e-6);
  }
  for (int64_t row = 0; row < 2; ++row) {
    const Cells expected = softmax_of({x.item({row, 0}), x.item({row, 1}), x.item({row, 2})});
    for (int64_t column = 0; column < 3; ++column)
      EXPECT_NEAR(softmax(x, 1).item({row, column}), expected[static_cast<size_t>(column)], 1e-6);
  }
}

TEST(FunctionValues, SoftmaxOfNothing) {
  for (const Dims& shape : {Dims{0}, Dims{0, 3}, Dims{3, 0}, Dims{2, 0, 3}})
    for (int dim = 0; dim < shape.rank; ++dim) {
      EXPECT_EQ(softmax(zeros(shape), dim).shape(), shape);
      EXPECT_EQ(log_softmax(zeros(shape), dim).shape(), shape);
    }
}

TEST(FunctionValues, ReluKeepsNaN) {
  Tensor x = Tensor::from<float>({5}, {-1, nan, 2, 0, -0.5F}).set_requires_grad();
  const Tensor y = relu(x);
  EXPECT_TRUE(std::isnan(y.item({1})));
  for (int64_t i : {0, 3, 4}) EXPECT_EQ(y.item({i}), 0);
  EXPECT_EQ(y.item({2}), 2);
  y.backward(full({5}, 3));
  EXPECT_EQ(cells(x.grad()), (Cells{0, 3, 3, 0, 0}));  // as in PyTorch, the gradient is stopped where y <= 0, which NaN is not
}

TEST(FunctionValues, LeakyReluScalesWhatIsNotPositive) {
  Tensor x = Tensor::from<float>({4}, {-2, 4, 0, nan}).set_requires_grad();
  const Tensor y = leaky_relu(x, 0.25);
  EXPECT_EQ(y.item({0}), -0.5);
  EXPECT_EQ(y.item({1}), 4);
  EXPECT_EQ(y.item({2}), 0);
  EXPECT_TRUE(std::isnan(y.item({3})));
  y.backward(full({4}, 8));
  EXPECT_EQ(cells(x.grad()), (Cells{2, 8, 2, 2}));
}

// With all logits equal, each counted target costs log(number of classes).
TEST(FunctionValues, MeanLossCountsTargetsThatAreNotIgnored) {
  const double cost = std::log(4.0);
  for (const std::vector<int64_t>& targets : std::vector<std::vector<int64_t>>{{0, -100, 2}, {-100, -100, 3}, {1, 2, 3}}) {
    Tensor x = zeros({3, 4}).set_requires_grad();
    const Tensor t = Tensor::from<int64_t>({3}, targets);
    double counted = 0;
    for (int64_t target : targets) counted += target == -100 ? 0 : 1;
    const Tensor loss = cross_entropy(x, t);
    EXPECT_NEAR(loss.item(), cost, 1e-6);
    EXPECT_NEAR(cross_entropy(x, t, {.reduction = LossReduction::sum}).item(), counted * cost, 1e-6);
    const Tensor each = cross_entropy(x, t, {.reduction = LossReduction::none});
    loss.backward();
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t target = targets[static_cast<size_t>(i)];
      EXPECT_NEAR(each.item({i}), target == -100 ? 0 : cost, 1e-6);
      for (int64_t k = 0; k < 4; ++k)  // (softmax - [k is the target]) / counted
        EXPECT_NEAR(x.grad().item({i, k}), target == -100 ? 0 : (0.25 - (k == target ? 1 : 0)) / counted, 1e-6) << i << " " << k;
    }
  }
}

TEST(FunctionValues, MeanLossOfIgnoredTargetsAloneIsNaN) {
  const Tensor ignored = Tensor::from<int64_t>({2}, {7, 7});
  EXPECT_TRUE(std::isnan(cross_entropy(zeros({2, 4}), ignored, {.ignore_index = 7}).item()));
  EXPECT_EQ(cross_entropy(zeros({2, 4}), ignored, {.reduction = LossReduction::sum, .ignore_index = 7}).item(), 0);
}

// A target per position of a picture: N, classes, H, W.
TEST(FunctionValues, MeanLossOfPositions) {
  const Tensor p = randn({2, 3, 2, 2}, 1);
  const Tensor t = Tensor::from<int64_t>({2, 2, 2}, {0, 1, -100, 2, 2, -100, 1, 0});
  double total = 0;
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t w = 0; w < 2; ++w)
        if (t.item({n, h, w}) >= 0) total -= p.item({n, static_cast<int64_t>(t.item({n, h, w})), h, w});
  EXPECT_NEAR(nll_loss(p, t).item(), total / 6, 1e-6);
  EXPECT_NEAR(nll_loss(p, t, {.reduction = LossReduction::sum}).item(), total, 1e-5);
}

TEST(FunctionValues, ArgmaxTakesTheFirstOfEqualElementsAndOfNaNs) {
  const float small = -std::numeric_limits<float>::infinity();
  const Tensor x = Tensor::from<float>({6, 4}, {1, 3, 3,   3,   5,     5,     5,     5,  //
                                                4, 1, 4,   1,   nan,   9,     nan,   9,  //
                                                9, 1, nan, nan, small, small, small, small});
  EXPECT_EQ(cells(argmax(x)), (Cells{1, 0, 0, 0, 2, 0}));
}

// ---- changes in place of memory in another order -------------------------------------------------------------------------------------

// x += factor * y for every pair of layouts, against element by element sums.
class InPlaceStrides : public ::testing::Test {
 protected:
  static constexpr int64_t n = 2, c = 3, h = 4, w = 5;

  // Numbers of their own at every position, in memory of that layout. Whole memory is in `memory`.
  static std::vector<Tensor> layouts(uint64_t seed, std::vector<Tensor>& memory) {
    const Dims shape{n, c, h, w};
    memory = {randn(shape, seed), randn(shape, seed + 1).clone(MemoryFormat::channels_last), randn({n, c, h, 2 * w}, seed + 2),
              randn({w, h, c, n}, seed + 3), randn(shape, seed + 4)};
    return {memory[0], memory[1], memory[2].slice(3, 1, 2 * w, 2), memory[3].transpose(0, 3).transpose(1, 2),
            memory[4].slice(2, h - 1, -1, -1)};
  }
};

TEST_F(InPlaceStrides, AddsElementByElement) {
  for (size_t i = 0; i < 5; ++i) {
    for (size_t j = 0; j < 5; ++j) {
      std::vector<Tensor> left, right;
      Tensor x = layouts(10, left)[i];
      const Tensor y = layouts(20, right)[j];
      const Tensor before = x.clone(), untouched = left[2].slice(3, 0, 2 * w, 2).clone();
      add_(x, y, 0.5);
      for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < c; ++b)
          for (int64_t k = 0; k < h; ++k)
            for (int64_t l = 0; l < w; ++l)
              ASSERT_FLOAT_EQ(static_cast<float>(x.item({a, b, k, l})),
                              static_cast<float>(before.item({a, b, k, l})) + 0.5F * static_cast<float>(y.item({a, b, k, l})))
                  << "layouts " << i << " and " << j << " at " << a << b << k << l;
      EXPECT_TRUE(equal(left[2].slice(3, 0, 2 * w, 2), untouched)) << "layouts " << i << " and " << j;
    }
  }
}

TEST_F(InPlaceStrides, CopiesScalesAndFillsInItsOwnOrder) {
  for (size_t i = 0; i < 5; ++i) {
    for (size_t j = 0; j < 5; ++j) {
      std::vector<Tensor> left, right;
      Tensor x = layouts(10, left)[i];
      const Tensor y = layouts(20, right)[j];
      const Tensor untouched = left[2].slice(3, 0, 2 * w, 2).clone();
      copy_(x, y);
      EXPECT_EQ(cells(x), cells(y)) << i << " " << j;
      mul_(x, 2);
      Cells twice = cells(y);
      for (double& v : twice) v *= 2;
      EXPECT_EQ(cells(x), twice) << i << " " << j;
      fill_(x, 7);
      EXPECT_EQ(cells(x), Cells(static_cast<size_t>(n * c * h * w), 7)) << i << " " << j;
      EXPECT_TRUE(equal(left[2].slice(3, 0, 2 * w, 2), untouched)) << i << " " << j;
    }
  }
}

// Both sides have the same strides, with gaps that belong to other elements.
TEST_F(InPlaceStrides, LeavesTheGapsOfEqualStrides) {
  Tensor left = zeros({3, 4}), right = full({3, 4}, 5);
  Tensor x = left.slice(1, 1, 3);
  x += right.slice(1, 1, 3);
  EXPECT_EQ(cells(left), (Cells{0, 5, 5, 0, 0, 5, 5, 0, 0, 5, 5, 0}));
}

// Enough elements for several tasks of the executor.
TEST_F(InPlaceStrides, AddsManyElements) {
  constexpr int64_t rows = 300, columns = 400;
  Tensor x = arange({rows, columns});
  const Tensor y = arange({columns, rows}).transpose(0, 1), same = arange({rows, columns});
  x += y;
  x += same;
  for (int64_t i = 0; i < rows; i += 7)
    for (int64_t j = 0; j < columns; j += 11)
      ASSERT_EQ(x.item({i, j}), static_cast<double>(2 * (i * columns + j) + j * rows + i)) << i << " " << j;
}

}  // namespace
}  // namespace tidepool
