#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::arange({1, 1, 7, 7});

  // 7x7 to 4x4 with windows of 2x2. The seed determines their positions, which are the same on every machine.
  for (uint64_t seed : {1, 2})
    std::cout << "seed " << seed << "\n" << tp::fractional_max_pool2d(x, 2, {.output_size = 4, .seed = seed}) << "\n";

  // Random samples can also be given, one per axis and plane: width first, then height. The same samples give the same windows as in
  // PyTorch.
  auto samples = tp::tensor({{{0.5, 0}}});
  auto [y, where] = tp::fractional_max_pool2d_with_indices(x, 2, {.output_size = 4, .samples = samples});
  std::cout << "samples 0.5 and 0\n" << y << "\n";

  // The backward pass only needs the indices, not the positions of the windows.
  auto gradient = tp::fractional_max_pool2d_backward(tp::ones({1, 1, 4, 4}), where, x.shape(), {.kernel_size = 2, .output_size = 4});
  std::cout << "gradient\n" << gradient << "\n";

  // The output size as a ratio of the input size, rounded down.
  std::cout << "ratio 0.7 of 32x21: " << tp::fractional_max_pool2d_shape({8, 64, 32, 21}, {.kernel_size = 2, .output_ratio = 0.7}) << "\n";

  try {
    tp::fractional_max_pool2d(x, 3, {4, 6});
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
