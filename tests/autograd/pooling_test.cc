// Every pooling function against differences, once and twice.
#include <gtest/gtest.h>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

void check_twice(const TensorFunction& f, const Dims& shape) {
  // Distinct cells, well apart: a maximum must not change its place within the step of a difference.
  Tensor x = randn(shape, 3, DType::f64);
  EXPECT_EQ(gradcheck(f, {x.set_requires_grad()}), "");
  EXPECT_EQ(gradgradcheck(f, {x}), "");
}

// Squared, so that the second derivative is not zero all over.
template <class F>
TensorFunction squared(F f) {
  return [f](const std::vector<Tensor>& in) {
    const Tensor y = f(in[0]);
    return y * y;
  };
}

template <int N>
Dims cells(int64_t size) {
  Dims shape{1, 2};
  for (int i = 0; i < N; ++i) shape.push_back(size + i);
  return shape;
}

#define TIDEPOOL_RANK(N)                                                                                                                 \
  TEST(Pooling##N##d, Max) {                                                                                                             \
    check_twice(squared([](const Tensor& x) { return max_pool##N##d(x, {.kernel_size = 3, .stride = 2, .padding = 1}); }), cells<N>(4)); \
    check_twice(squared([](const Tensor& x) { return max_pool##N##d_with_indices(x, {.kernel_size = 2}).values; }), cells<N>(4));        \
    check_twice(squared([](const Tensor& x) { return min_pool##N##d(x, {.kernel_size = 2, .stride = 1}); }), cells<N>(3));               \
  }                                                                                                                                      \
  TEST(Pooling##N##d, Average) {                                                                                                         \
    check_twice(squared([](const Tensor& x) { return avg_pool##N##d(x, {.kernel_size = 3, .stride = 2, .padding = 1}); }), cells<N>(4)); \
    check_twice(squared([](const Tensor& x) { return sum_pool##N##d(x, {.kernel_size = 2, .stride = 1}); }), cells<N>(3));               \
  }                                                                                                                                      \
  TEST(Pooling##N##d, Norm) {                                                                                                            \
    check_twice([](const auto& in) { return lp_pool##N##d(in[0], {.norm_type = 3, .kernel_size = 2, .stride = 1}); }, cells<N>(3));      \
    check_twice([](const auto& in) { return global_lp_pool##N##d(in[0], 2); }, cells<N>(3));                                             \
  }                                                                                                                                      \
  TEST(Pooling##N##d, Adaptive) {                                                                                                        \
    check_twice(squared([](const Tensor& x) { return adaptive_avg_pool##N##d(x, 3); }), cells<N>(4));                                    \
    check_twice(squared([](const Tensor& x) { return adaptive_max_pool##N##d(x, 2); }), cells<N>(4));                                    \
  }                                                                                                                                      \
  TEST(Pooling##N##d, Global) {                                                                                                          \
    check_twice(squared([](const Tensor& x) { return global_avg_pool##N##d(x); }), cells<N>(3));                                         \
    check_twice(squared([](const Tensor& x) { return global_sum_pool##N##d(x); }), cells<N>(3));                                         \
    check_twice(squared([](const Tensor& x) { return global_max_pool##N##d(x); }), cells<N>(3));                                         \
  }                                                                                                                                      \
  TEST(Pooling##N##d, Unpool) {                                                                                                          \
    const Tensor indices = max_pool##N##d_with_indices(randn(cells<N>(4), 5), {.kernel_size = 2, .stride = 2}).indices;                  \
    check_twice(squared([&](const Tensor& x) { return max_unpool##N##d(x, indices, {.kernel_size = 2, .output_size = cells<N>(4)}); }),  \
                indices.shape());                                                                                                        \
  }
TIDEPOOL_RANK(1)
TIDEPOOL_RANK(2)
TIDEPOOL_RANK(3)
#undef TIDEPOOL_RANK

TEST(Pooling2d, Fractional) {
  check_twice(squared([](const Tensor& x) { return fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 3, .seed = 4}); }),
              cells<2>(6));
  const auto with_samples = [](const Tensor& x) {
    const Tensor samples = rand({1, 2, 2}, 1, DType::f64);  // gone when the gradient is computed
    return fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 3, .samples = samples});
  };
  check_twice(squared(with_samples), cells<2>(6));
}

TEST(Pooling3d, Fractional) {
  check_twice(squared([](const Tensor& x) { return fractional_max_pool3d(x, {.kernel_size = 2, .output_ratio = 0.6, .seed = 4}); }),
              cells<3>(4));
}

TEST(Pooling2d, MissionExampleRoutesTheGradientToTheWinners) {
  Tensor x = Tensor::from<float>({1, 1, 4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4}).set_requires_grad();
  sum(max_pool2d(x, {.kernel_size = 2})).backward();
  EXPECT_EQ(to_string(x.grad().reshape({4, 4})), "[[0. 0. 1. 0.]\n [1. 0. 0. 0.]\n [0. 0. 0. 0.]\n [0. 1. 0. 1.]]");
  x.zero_grad();
  sum(avg_pool2d(x, {.kernel_size = 2})).backward();
  EXPECT_EQ(to_string(x.grad()), to_string(full({1, 1, 4, 4}, 0.25)));
}

TEST(Pooling2d, NormRefusesAThirdDerivative) {
  Tensor x = randn({1, 1, 2, 2}, 1, DType::f64).set_requires_grad();
  const Tensor y = sum(lp_pool2d(x, {.norm_type = 3, .kernel_size = 2}));
  const Tensor g = sum(grad(y, {x}, {.create_graph = true})[0]);
  const Tensor gg = sum(grad(g, {x}, {.create_graph = true})[0]);
  try {
    gg.backward();
    FAIL() << "a third derivative was computed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "lp_pool2d backward: derivatives must be at most the second, got the third");
  }
}

}  // namespace
}  // namespace tidepool
