// A recorded function copies what it was lent: the caller's memory may be gone when the backward pass runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

template <class Rank>
class BorrowedArguments : public ::testing::Test {
 protected:
  static constexpr int N = Rank::value;

  static Dims shape() {
    Dims result{1, 2};
    for (int i = 0; i < N; ++i) result.push_back(4);
    return result;
  }
};

using Ranks = ::testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BorrowedArguments, Ranks);

// Memory of the caller that holds a copy of a tensor for as long as one call.
template <class T>
class Lent {
 public:
  explicit Lent(const Tensor& t) : shape_(t.shape()), count_(t.numel()), memory_(std::make_unique<T[]>(static_cast<size_t>(count_))) {
    std::copy_n(t.data<T>(), count_, memory_.get());
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    // Other numbers of the same kind: a backward pass that still read them would compute another gradient. New memory of the same size is
    // likely to be the old block.
    std::fill_n(memory_.get(), count_, T{1});
    memory_.reset();
    reused() = std::vector<T>(static_cast<size_t>(count_), T{1});
  }
  TensorView view() const { return tidepool::view(memory_.get(), shape_); }

 private:
  static std::vector<T>& reused() {
    static std::vector<T> block;
    return block;
  }

  Dims shape_;
  int64_t count_;
  std::unique_ptr<T[]> memory_;
};

// The gradient of f(x, constant), once with a constant that lives on and once with one that is gone.
template <class T, class F>
void expect_same_gradient(const Tensor& x, const Tensor& constant, const F& f) {
  Tensor kept = x.clone().set_requires_grad(), lent = x.clone().set_requires_grad();
  const Tensor y = f(kept, TensorArg(constant));
  const Tensor weights = randn(y.shape(), 31, y.dtype());
  y.backward(weights);
  Tensor z;
  {
    const Lent<T> memory(constant);
    z = f(lent, TensorArg(memory.view()));
  }
  ASSERT_TRUE(z.requires_grad());
  EXPECT_TRUE(equal(y, z));
  z.backward(weights);
  ASSERT_TRUE(kept.grad().defined());
  EXPECT_TRUE(equal(kept.grad(), lent.grad()));
  EXPECT_FALSE(equal(kept.grad(), zeros(x.shape())));
}

TYPED_TEST(BorrowedArguments, IndicesOfMaxPooling) {
  using F = MaxPoolFunctions<TestFixture::N>;
  const typename F::Options o{.kernel_size = 2};
  const Dims shape = this->shape();
  const auto [values, indices] = F::with_indices(randn(shape, 1), o);
  expect_same_gradient<int64_t>(values, indices, [&](const Tensor& g, const TensorArg& at) { return F::backward(g, at, shape, o); });
  expect_same_gradient<int64_t>(randn(shape, 2), indices,
                                [&](const Tensor& gg, const TensorArg& at) { return F::double_backward(gg, at, o); });
}

TYPED_TEST(BorrowedArguments, IndicesOfAdaptiveAndGlobalMaxPooling) {
  using Adaptive = AdaptiveMaxPoolFunctions<TestFixture::N>;
  using Global = GlobalMaxPoolFunctions<TestFixture::N>;
  const Dims shape = this->shape();
  const Pooled adaptive = Adaptive::with_indices(randn(shape, 1), {.output_size = 3});
  expect_same_gradient<int64_t>(adaptive.values, adaptive.indices,
                                [&](const Tensor& g, const TensorArg& at) { return Adaptive::backward(g, at, shape); });
  const Pooled global = Global::with_indices(randn(shape, 1));
  expect_same_gradient<int64_t>(randn(shape, 2), global.indices,
                                [&](const Tensor& gg, const TensorArg& at) { return Global::double_backward(gg, at); });
}

template <int N>
void check_fractional(const Dims& shape) {
  using F = FractionalMaxPoolFunctions<N>;
  const typename F::Options o{.kernel_size = 2, .output_size = 2, .seed = 3};
  const auto [values, indices] = F::with_indices(randn(shape, 1), o);
  expect_same_gradient<int64_t>(values, indices, [&](const Tensor& g, const TensorArg& at) { return F::backward(g, at, shape, o); });
  expect_same_gradient<int64_t>(randn(shape, 2), indices,
                                [&](const Tensor& gg, const TensorArg& at) { return F::double_backward(gg, at, o); });
}

TEST(BorrowedFractionalArguments, Indices) {
  check_fractional<2>({1, 2, 4, 4});
  check_fractional<3>({1, 2, 4, 4, 4});
}

TYPED_TEST(BorrowedArguments, IndicesOfUnpooling) {
  using F = MaxUnpoolFunctions<TestFixture::N>;
  const typename F::Options o{.kernel_size = 2};
  const auto [values, indices] = MaxPoolFunctions<TestFixture::N>::with_indices(randn(this->shape(), 1), {.kernel_size = 2});
  expect_same_gradient<int64_t>(values, indices, [&](const Tensor& x, const TensorArg& at) { return F::forward(x, at, o); });
  expect_same_gradient<int64_t>(randn(this->shape(), 2), indices,
                                [&](const Tensor& g, const TensorArg& at) { return F::backward(g, at, o); });
  expect_same_gradient<int64_t>(values, indices, [&](const Tensor& gg, const TensorArg& at) { return F::double_backward(gg, at, o); });
}

TYPED_TEST(BorrowedArguments, InputAndGradientOfANorm) {
  using F = LpPoolFunctions<TestFixture::N>;
  using Global = GlobalLpPoolFunctions<TestFixture::N>;
  const typename F::Options o{.norm_type = 3, .kernel_size = 2};
  const Tensor x = randn(this->shape(), 1), g = randn(F::shape(x.shape(), o), 2);
  expect_same_gradient<float>(g, x, [&](const Tensor& grad, const TensorArg& input) { return F::backward(grad, input, o); });
  expect_same_gradient<float>(x, g, [&](const Tensor& input, const TensorArg& grad) { return F::backward(grad, input, o); });
  const Tensor one = randn(Global::forward(x).shape(), 2);
  expect_same_gradient<float>(x, one, [&](const Tensor& input, const TensorArg& grad) { return Global::backward(grad, input, 3); });
}

// Indices given as a tensor are shared instead: changing them is noticed.
TYPED_TEST(BorrowedArguments, ChangedIndicesOfATensorAreRefused) {
  using F = MaxPoolFunctions<TestFixture::N>;
  const typename F::Options o{.kernel_size = 2};
  Tensor x = randn(this->shape(), 1).set_requires_grad();
  Pooled pooled = F::with_indices(x, o);
  const std::span<int64_t> indices = pooled.indices.flat<int64_t>();
  indices[0] = 1;
  pooled.indices.mark_changed();
  try {
    sum(pooled.values).backward();
    FAIL() << "the changed indices were used";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::aliasing);
    EXPECT_EQ(error.message(), std::string(F::name()) +
                                   "_with_indices backward: a tensor it kept must not be changed in place, got version 1 for version 0 "
                                   "(shape " +
                                   to_string(pooled.indices.shape()) + ")");
  }
}

}  // namespace
}  // namespace tidepool
