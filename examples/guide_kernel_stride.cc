// The size of the output: from the library, and from the formula of this page.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int64_t formula(int64_t length, int64_t kernel, int64_t stride, int64_t padding) {
  return (length + 2 * padding - kernel) / stride + 1;  // a division of whole numbers drops the rest
}

int main() {
  auto x = tp::randn({1, 1, 6, 9});
  std::cout << "kernel 3, stride 1    " << tp::max_pool2d(x, 3, 1).shape() << "\n";
  std::cout << "kernel 3, stride 2    " << tp::max_pool2d(x, 3, 2).shape() << "\n";
  std::cout << "kernel 3              " << tp::max_pool2d(x, 3).shape() << "\n";
  std::cout << "kernel 2x3            " << tp::max_pool2d(x, {2, 3}).shape() << "\n";

  int64_t tried = 0, equal = 0;
  for (int64_t length = 7; length <= 224; ++length)
    for (int64_t kernel = 1; kernel <= 7; ++kernel)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t padding = 0; padding <= kernel / 2; ++padding, ++tried) {
          const tp::Dims y = tp::max_pool1d_shape({1, 1, length}, {.kernel_size = kernel, .stride = stride, .padding = padding});
          equal += y[2] == formula(length, kernel, stride, padding);
        }
  std::cout << "the formula is right in " << equal << " of " << tried << " cases\n";
}
