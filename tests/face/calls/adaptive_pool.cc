// Adaptive and global pooling, in every form and rank.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

void adaptive_pool() {
  // Where the input size is a multiple of the output size, the bins are windows that touch.
  const Tensor x1 = numbers({2, 3, 12}), x2 = numbers({2, 3, 6, 8}), x3 = numbers({1, 2, 4, 6, 8});
  check_same(adaptive_avg_pool1d(x1, 4), pool(x1, {{3}}, average));
  check_same(adaptive_avg_pool1d(x1, {4}), pool(x1, {{3}}, average));
  check_same(adaptive_avg_pool1d(x1, {.output_size = 6}), pool(x1, {{2}}, average));
  check_same(adaptive_avg_pool2d(x2, 2), pool(x2, {{3, 4}}, average));
  check_same(adaptive_avg_pool2d(x2, {3, 4}), pool(x2, {{2, 2}}, average));
  check_same(adaptive_avg_pool2d(x2, {2, keep_size}), pool(x2, {{3, 1}}, average));
  check_same(adaptive_avg_pool2d(x2, {.output_size = {3, 2}}), pool(x2, {{2, 4}}, average));
  check_same(adaptive_avg_pool3d(x3, 2), pool(x3, {{2, 3, 4}}, average));
  check_same(adaptive_avg_pool3d(x3, {1, 2, 4}), pool(x3, {{4, 3, 2}}, average));
  check_same(adaptive_avg_pool3d(x3, {.output_size = {4, keep_size, 1}}), pool(x3, {{1, 1, 8}}, average));

  check_same(adaptive_max_pool1d(x1, 4), pool(x1, {{3}}, largest));
  check_same(adaptive_max_pool1d(x1, {.output_size = 6}), pool(x1, {{2}}, largest));
  check_same(adaptive_max_pool2d(x2, {3, 4}), pool(x2, {{2, 2}}, largest));
  check_same(adaptive_max_pool2d(x2, 2, {.nan = NanPolicy::ignore}), pool(x2, {{3, 4}}, largest));
  check_same(adaptive_max_pool2d(x2, {.output_size = {3, keep_size}}), pool(x2, {{2, 1}}, largest));
  check_same(adaptive_max_pool3d(x3, {1, 2, 4}), pool(x3, {{4, 3, 2}}, largest));
  check_same(adaptive_max_pool3d(x3, 2, {.nan = NanPolicy::ignore}), pool(x3, {{2, 3, 4}}, largest));
  check_same(adaptive_max_pool3d(x3, {.output_size = 2}), pool(x3, {{2, 3, 4}}, largest));

  // The same windows, so the same indices.
  check_same(adaptive_max_pool1d_with_indices(x1, 4).indices, max_pool1d_with_indices(x1, 3).indices);
  check_same(adaptive_max_pool2d_with_indices(x2, {3, 4}).indices, max_pool2d_with_indices(x2, 2).indices);
  check_same(adaptive_max_pool2d_with_indices(x2, 2, {.index_base = IndexBase::tensor}).values, pool(x2, {{3, 4}}, largest));
  check_same(adaptive_max_pool3d_with_indices(x3, {.output_size = 2}).indices, max_pool3d_with_indices(x3, {2, 3, 4}).indices);

  // Bins that overlap: elements 0 to 2, and 1 to 3 of three.
  check_values(adaptive_avg_pool1d(tensor({{1, 2, 6}}), 2), {1, 2}, {1.5, 4});
  check_values(adaptive_avg_pool2d_backward(ones({1, 1, 1}), {1, 2, 2}), {1, 2, 2}, {0.25, 0.25, 0.25, 0.25});
  check_throws([&] { adaptive_max_pool2d(x2, 2, {.output_size = 3}); }, "output_size");
}

void global_pool() {
  const Tensor x1 = numbers({2, 3, 11}), x2 = numbers({2, 3, 4, 5}), x3 = numbers({1, 2, 3, 4, 5});
  check_same(global_avg_pool1d(x1), pool(x1, {{11}}, average));
  check_same(global_avg_pool2d(x2), pool(x2, {{4, 5}}, average));
  check_same(global_avg_pool3d(x3), pool(x3, {{3, 4, 5}}, average));
  check_same(global_sum_pool1d(x1), pool(x1, {{11}}, total));
  check_same(global_sum_pool2d(x2), pool(x2, {{4, 5}}, total));
  check_same(global_sum_pool3d(x3), pool(x3, {{3, 4, 5}}, total));
  check_same(global_max_pool1d(x1), pool(x1, {{11}}, largest));
  check_same(global_max_pool2d(x2), pool(x2, {{4, 5}}, largest));
  check_same(global_max_pool3d(x3), pool(x3, {{3, 4, 5}}, largest));
  check_same(global_max_pool2d_with_indices(x2).indices, max_pool2d_with_indices(x2, {4, 5}).indices);
  check_same(global_lp_pool1d(x1), pool(x1, {{11}}, norm(2)));
  check_same(global_lp_pool2d(x2, 3), pool(x2, {{4, 5}}, norm(3)));
  check_same(global_lp_pool3d(x3, 1), pool(x3, {{3, 4, 5}}, norm(1)));
}

}  // namespace face
