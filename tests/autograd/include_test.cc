// What is recorded does not depend on what is included: this file knows the pooling functions only, and neither autograd.h nor
// functional.h.
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"
#include "tidepool/ops/min_pool.h"
#include "tidepool/ops/sum_pool.h"
// After the others, so that they must include what they need.
#include <gtest/gtest.h>

namespace tidepool {
namespace {

Tensor leaf() { return Tensor::from<float>({1, 1, 2, 2}, {1, 4, 3, 2}).set_requires_grad(); }

// The gradient of a pooled tensor of one element.
std::string gradient(Tensor (*pool)(const Tensor&)) {
  const Tensor x = leaf(), y = pool(x);
  if (!y.requires_grad()) return "not recorded";
  y.backward();
  return to_string(x.grad().reshape({4}));
}

TEST(Recording, NeedsNoHeaderButTheFunctions) {
  EXPECT_EQ(gradient([](const Tensor& x) { return max_pool2d(x, 2); }), "[0. 1. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return max_pool2d_with_indices(x, 2).values; }), "[0. 1. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return min_pool2d(x, 2); }), "[1. 0. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return avg_pool2d(x, 2); }), "[0.25 0.25 0.25 0.25]");
  EXPECT_EQ(gradient([](const Tensor& x) { return sum_pool2d(x, 2); }), "[1. 1. 1. 1.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return lp_pool2d(x, 1, 2); }), "[1. 1. 1. 1.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return adaptive_avg_pool2d(x, 1); }), "[0.25 0.25 0.25 0.25]");
  EXPECT_EQ(gradient([](const Tensor& x) { return adaptive_max_pool2d(x, 1); }), "[0. 1. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return global_max_pool2d(x); }), "[0. 1. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return global_lp_pool2d(x, 1); }), "[1. 1. 1. 1.]");
  EXPECT_EQ(gradient([](const Tensor& x) { return fractional_max_pool2d(x, 2, 1); }), "[0. 1. 0. 0.]");
  EXPECT_EQ(gradient([](const Tensor& x) {
              const Tensor at = Tensor::from<int64_t>({1, 1, 2, 2}, {0, 3, 12, 15});
              return max_pool2d(max_unpool2d(x, at, 2), 4);
            }),
            "[0. 1. 0. 0.]");
}

}  // namespace
}  // namespace tidepool
