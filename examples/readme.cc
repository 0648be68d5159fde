#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::Tensor::from<float>({1, 1, 4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  auto [y, where] = tp::max_pool2d_with_indices(x, {.kernel_size = 2});
  auto gradient = tp::max_pool2d_backward(tp::full({1, 1, 2, 2}, 1), where, x.shape(), {.kernel_size = 2});
  std::cout << tp::to_string(y) << "\n" << tp::to_string(gradient) << "\n";
}
