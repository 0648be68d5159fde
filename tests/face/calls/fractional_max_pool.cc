// Fractional max pooling, in every form and rank.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

void fractional_max_pool() {
  const Tensor x2 = numbers({2, 3, 9, 12}), x3 = numbers({1, 2, 6, 7, 8});
  check(fractional_max_pool2d(x2, 2, 5).shape() == Dims{2, 3, 5, 5}, "one output size");
  check(fractional_max_pool2d(x2, 2, {4, 7}).shape() == Dims{2, 3, 4, 7}, "an output size per axis");
  check(fractional_max_pool2d(x2, {2, 3}, {4, 7}).shape() == Dims{2, 3, 4, 7}, "a kernel per axis");
  check(fractional_max_pool2d(x2, 2, {.output_ratio = 0.5}).shape() == Dims{2, 3, 4, 6}, "one ratio");
  check(fractional_max_pool2d(x2, 2, {.output_ratio = {0.5, 0.25}}).shape() == Dims{2, 3, 4, 3}, "a ratio per axis");
  check_same(fractional_max_pool2d(x2, 2, {4, 7}), fractional_max_pool2d(x2, {.kernel_size = 2, .output_size = {4, 7}}));
  check_same(fractional_max_pool2d(x2, 2, {.output_size = 5, .seed = 3}),
             fractional_max_pool2d(x2, {.kernel_size = 2, .output_size = 5, .seed = 3}));
  // As many outputs as positions leave no choice: the windows of a pooling with stride 1.
  check_same(fractional_max_pool2d(x2, {2, 3}, {8, 10}), pool(x2, {{2, 3}, {1, 1}}, largest));
  const auto [values, indices] = fractional_max_pool2d_with_indices(x2, {2, 3}, {8, 10});
  check_same(values, pool(x2, {{2, 3}, {1, 1}}, largest));
  check_same(indices, max_pool2d_with_indices(x2, {2, 3}, 1).indices);
  check_same(fractional_max_pool2d_with_indices(x2, 2, {.output_size = 8}).values, fractional_max_pool2d(x2, 2, 8));
  check_same(fractional_max_pool2d(x2, 2, {.output_size = 5, .samples = fractional_max_pool2d_samples(x2.shape(), DType::f32, 3)}),
             fractional_max_pool2d(x2, 2, {.output_size = 5, .seed = 3}));

  check(fractional_max_pool3d(x3, 2, {.output_ratio = 0.5}).shape() == Dims{1, 2, 3, 3, 4}, "one ratio in 3-D");
  check_same(fractional_max_pool3d(x3, {2, 3, 4}, {5, 5, 5}), pool(x3, {{2, 3, 4}, {1, 1, 1}}, largest));
  check_same(fractional_max_pool3d(x3, 2, 3), fractional_max_pool3d(x3, {.kernel_size = 2, .output_size = 3}));
  check_same(fractional_max_pool3d_with_indices(x3, {2, 3, 4}, 5).indices, max_pool3d_with_indices(x3, {2, 3, 4}, 1).indices);
  check_throws([&] { fractional_max_pool2d(x2, 2, {.kernel_size = 2, .output_size = 5}); }, "kernel_size");
}

}  // namespace face
