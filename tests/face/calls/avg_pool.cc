// Every form of average and sum pooling, in every rank, against plain loops.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

Reduce divided_by(double divisor) {
  return [divisor](const std::vector<double>& elements, int64_t padded) { return total(elements, padded) / divisor; };
}

void rank1() {
  const Tensor x = numbers({2, 3, 11});
  check_same(avg_pool1d(x, 2), pool(x, {{2}}, average));
  check_same(avg_pool1d(x, {3}), pool(x, {{3}}, average));
  check_same(avg_pool1d(x, 3, 2), pool(x, {{3}, {2}}, average));
  check_same(avg_pool1d(x, 3, 2, 1), pool(x, {{3}, {2}, {1}}, average));
  check_same(avg_pool1d(x, 3, 2, 1, true), pool(x, {{3}, {2}, {1}, {1}, true}, average));
  check_same(avg_pool1d(x, 3, 2, 1, false, false), pool(x, {{3}, {2}, {1}}, average_of_elements));
  check_same(avg_pool1d(x, 3, {.stride = 2}), pool(x, {{3}, {2}}, average));
  check_same(avg_pool1d(x, {.kernel_size = 3, .padding = 1, .count_include_pad = false}), pool(x, {{3}, {3}, {1}}, average_of_elements));
  check(avg_pool1d_shape(x.shape(), {.kernel_size = 2}) == Dims{2, 3, 5}, "avg_pool1d_shape");
}

void rank2() {
  const Tensor x = numbers({2, 3, 6, 9});
  check_same(avg_pool2d(x, 2), pool(x, {{2, 2}}, average));
  check_same(avg_pool2d(x, {3, 2}), pool(x, {{3, 2}}, average));
  check_same(avg_pool2d(x, {3, 2}, {2, 1}), pool(x, {{3, 2}, {2, 1}}, average));
  check_same(avg_pool2d(x, 7, 1, 3), pool(x, {{7, 7}, {1, 1}, {3, 3}}, average));
  check_same(avg_pool2d(x, 7, 1, 3), avg_pool2d(x, {.kernel_size = 7, .stride = 1, .padding = 3}));
  check_same(avg_pool2d(x, 3, {}, 1), pool(x, {{3, 3}, {3, 3}, {1, 1}}, average));
  // PyTorch's order: ceil_mode, count_include_pad, divisor_override.
  check_same(avg_pool2d(x, 3, 2, {1, 0}, true), pool(x, {{3, 3}, {2, 2}, {1, 0}, {1, 1}, true}, average));
  check_same(avg_pool2d(x, 3, 2, 1, true, false), pool(x, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, true}, average_of_elements));
  check_same(avg_pool2d(x, 3, 2, 1, false, true), pool(x, {{3, 3}, {2, 2}, {1, 1}}, average));
  check_same(avg_pool2d(x, 3, 2, 1, false, true, 5), pool(x, {{3, 3}, {2, 2}, {1, 1}}, divided_by(5)));
  check_same(avg_pool2d(x, 3, 2, 1, Rounding::floor, Divisor::valid_only), pool(x, {{3, 3}, {2, 2}, {1, 1}}, average_of_elements));
  check_same(avg_pool2d(x, 3, {.stride = 2, .divisor_override = 1}), pool(x, {{3, 3}, {2, 2}}, total));
  check_same(avg_pool2d(x, {3, 2}, {.stride = 1}), pool(x, {{3, 2}, {1, 1}}, average));
  check_same(avg_pool2d(x, {.kernel_size = {3, 2}}), pool(x, {{3, 2}}, average));
  const AvgPoolOptions<2> options{.kernel_size = 3, .stride = 2};
  check_same(avg_pool2d(x, options), pool(x, {{3, 3}, {2, 2}}, average));
  check_same(AvgPoolFunctions<2>::forward(x, options), avg_pool2d(x, options));
  check_throws([&] { avg_pool2d(x, 3, options); }, "kernel_size");

  const std::vector<float> memory = {1, 5, 2, 0, 3, 4};
  check_values(avg_pool2d(view(memory.data(), {1, 2, 3}), {2, 1}), {1, 1, 3}, {0.5, 4, 3});
  std::vector<float> result(3);
  avg_pool2d_into(span(result.data(), {1, 1, 3}), view(memory.data(), {1, 2, 3}), {.kernel_size = {2, 1}});
  check(result == std::vector<float>{0.5, 4, 3}, "avg_pool2d_into");
  check_values(avg_pool2d_backward(ones({1, 1, 2}), {1, 2, 4}, {.kernel_size = 2}), {1, 2, 4}, std::vector<double>(8, 0.25));
}

void rank3() {
  const Tensor x = numbers({1, 2, 5, 6, 7});
  check_same(avg_pool3d(x, 2), pool(x, {{2, 2, 2}}, average));
  check_same(avg_pool3d(x, {3, 2, 1}), pool(x, {{3, 2, 1}}, average));
  check_same(avg_pool3d(x, 3, 2, 1), pool(x, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, average));
  check_same(avg_pool3d(x, 3, 2, {1, 0, 1}, true, false), pool(x, {{3, 3, 3}, {2, 2, 2}, {1, 0, 1}, {1, 1, 1}, true}, average_of_elements));
  check_same(avg_pool3d(x, 2, 2, 0, false, true, 3), pool(x, {{2, 2, 2}}, divided_by(3)));
  check_same(avg_pool3d(x, 3, {.stride = {1, 2, 3}}), pool(x, {{3, 3, 3}, {1, 2, 3}}, average));
  check_same(avg_pool3d(x, {.kernel_size = {1, 2, 3}}), pool(x, {{1, 2, 3}}, average));
}

}  // namespace

void avg_pool() {
  rank1();
  rank2();
  rank3();
}

void sum_pool() {
  const Tensor x1 = numbers({2, 3, 11}), x2 = numbers({2, 3, 6, 9}), x3 = numbers({1, 2, 5, 6, 7});
  check_same(sum_pool1d(x1, 2), pool(x1, {{2}}, total));
  check_same(sum_pool1d(x1, 3, 2, 1), pool(x1, {{3}, {2}, {1}}, total));
  check_same(sum_pool1d(x1, 3, {.stride = 2}), pool(x1, {{3}, {2}}, total));
  check_same(sum_pool1d(x1, {.kernel_size = 3}), pool(x1, {{3}}, total));
  check_same(sum_pool2d(x2, {3, 2}), pool(x2, {{3, 2}}, total));
  check_same(sum_pool2d(x2, 7, 1, 3), pool(x2, {{7, 7}, {1, 1}, {3, 3}}, total));
  check_same(sum_pool2d(x2, 3, 2, 0, true), pool(x2, {{3, 3}, {2, 2}, {0, 0}, {1, 1}, true}, total));
  check_same(sum_pool2d(x2, 3, {.stride = 2}), pool(x2, {{3, 3}, {2, 2}}, total));
  check_same(sum_pool2d(x2, {.kernel_size = 3, .stride = 2}), pool(x2, {{3, 3}, {2, 2}}, total));
  check_same(sum_pool3d(x3, {3, 2, 1}), pool(x3, {{3, 2, 1}}, total));
  check_same(sum_pool3d(x3, 3, 2, 1), pool(x3, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, total));
  check_same(sum_pool3d(x3, 3, {.stride = 2}), pool(x3, {{3, 3, 3}, {2, 2, 2}}, total));
  check_same(sum_pool3d(x3, {.kernel_size = 2}), pool(x3, {{2, 2, 2}}, total));
}

}  // namespace face
