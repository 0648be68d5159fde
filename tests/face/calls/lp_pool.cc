// Every form of Lp pooling, in every rank, against plain loops: the exponent stands first.
#include <tidepool/tidepool.h>

#include <limits>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

void lp_pool() {
  const Tensor x1 = numbers({2, 3, 11}), x2 = numbers({2, 3, 6, 9}), x3 = numbers({1, 2, 5, 6, 7});

  check_same(lp_pool1d(x1, 2, 3), pool(x1, {{3}}, norm(2)));
  check_same(lp_pool1d(x1, 1, 3, 2), pool(x1, {{3}, {2}}, norm(1)));
  check_same(lp_pool1d(x1, 3, 2), pool(x1, {{2}}, norm(3)));
  check_same(lp_pool1d(x1, 1.5, {2}), pool(x1, {{2}}, norm(1.5)));
  check_same(lp_pool1d(x1, 2, 3, {.stride = 2}), pool(x1, {{3}, {2}}, norm(2)));
  check_same(lp_pool1d(x1, {.norm_type = 3, .kernel_size = 2}), pool(x1, {{2}}, norm(3)));

  check_same(lp_pool2d(x2, 2, 3), pool(x2, {{3, 3}}, norm(2)));
  check_same(lp_pool2d(x2, 3, {3, 2}), pool(x2, {{3, 2}}, norm(3)));
  check_same(lp_pool2d(x2, 1, {3, 2}, {2, 1}), pool(x2, {{3, 2}, {2, 1}}, norm(1)));
  check_same(lp_pool2d(x2, 2, 3, 1), lp_pool2d(x2, {.norm_type = 2, .kernel_size = 3, .stride = 1}));
  check(lp_pool2d(x2, 2, 4, 2, true).shape() == Dims{2, 3, 2, 4}, "ceil_mode is the last argument");
  check(lp_pool2d(x2, 2, 4, 2, false).shape() == Dims{2, 3, 2, 3}, "ceil_mode is the last argument");
  check_same(lp_pool2d(x2, 2, {3, 2}, {.stride = 1}), pool(x2, {{3, 2}, {1, 1}}, norm(2)));
  check_same(lp_pool2d(x2, {.kernel_size = 3}), pool(x2, {{3, 3}}, norm(2)));
  check_same(lp_pool2d(x2, std::numeric_limits<double>::infinity(), 2), max_pool2d(pool(x2, {{1, 1}}, norm(1)), 2));
  const LpPoolOptions<2> options{.norm_type = 3, .kernel_size = 2};
  check_same(lp_pool2d(x2, options), pool(x2, {{2, 2}}, norm(3)));
  check_throws([&] { lp_pool2d(x2, 2, 3, options); }, "kernel_size");

  check_same(lp_pool3d(x3, 2, 2), pool(x3, {{2, 2, 2}}, norm(2)));
  check_same(lp_pool3d(x3, 1, {3, 2, 1}), pool(x3, {{3, 2, 1}}, norm(1)));
  check_same(lp_pool3d(x3, 2, 3, {1, 2, 3}), pool(x3, {{3, 3, 3}, {1, 2, 3}}, norm(2)));
  check_same(lp_pool3d(x3, 2, 3, {.stride = 2}), pool(x3, {{3, 3, 3}, {2, 2, 2}}, norm(2)));
  check_same(lp_pool3d(x3, {.norm_type = 1, .kernel_size = {1, 2, 3}}), pool(x3, {{1, 2, 3}}, norm(1)));

  std::vector<float> result(2);
  const std::vector<float> memory = {3, 4, -5, 12};
  lp_pool1d_into(span(result.data(), {1, 2}), view(memory.data(), {1, 4}), {.norm_type = 2, .kernel_size = 2});
  check(result == std::vector<float>{5, 13}, "lp_pool1d_into");
}

}  // namespace face
