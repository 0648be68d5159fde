// The ways to call a pooling function, and the functions that are called the same way.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  std::cout << std::boolalpha;
  auto x = tp::randn({1, 3, 32, 32});

  // By position, as in PyTorch: kernel, stride, padding, dilation, ceil_mode. The stride is the kernel if it is left out.
  std::cout << "kernel 2               " << tp::max_pool2d(x, 2).shape() << "\n";
  auto y = tp::max_pool2d(x, 3, 2, 1);
  std::cout << "3, 2, 1                " << y.shape() << "\n";

  // The kernel first and the rest by name, or everything by name.
  std::cout << "the same by name       " << tp::equal(y, tp::max_pool2d(x, 3, {.stride = 2, .padding = 1})) << "\n";
  std::cout << "everything by name     " << tp::equal(y, tp::max_pool2d(x, {.kernel_size = 3, .stride = 2, .padding = 1})) << "\n";

  // Each size is one number, or one for the height and one for the width.
  std::cout << "kernel {3, 2}          " << tp::max_pool2d(x, {3, 2}).shape() << "\n";
  std::cout << "a pair for each        " << tp::max_pool2d(x, {3, 2}, {2, 1}, {1, 0}, {2, 1}).shape() << "\n";
  std::cout << "ceil_mode              " << tp::max_pool2d(x, 3, 2, 0, 1, true).shape() << "\n";

  // The other kinds of pooling, and one or three dimensions, are called the same way.
  std::cout << "avg_pool2d             " << tp::avg_pool2d(x, 2).shape() << "\n";
  std::cout << "min_pool2d             " << tp::min_pool2d(x, 3, 2, 1).shape() << "\n";
  std::cout << "sum_pool2d             " << tp::sum_pool2d(x, {3, 2}).shape() << "\n";
  std::cout << "lp_pool2d, norm 2      " << tp::lp_pool2d(x, 2, 3).shape() << "\n";
  std::cout << "adaptive_max_pool2d    " << tp::adaptive_max_pool2d(x, {5, 7}).shape() << "\n";
  std::cout << "fractional_max_pool2d  " << tp::fractional_max_pool2d(x, 2, 20).shape() << "\n";
  std::cout << "max_pool1d             " << tp::max_pool1d(tp::randn({1, 3, 32}), 2).shape() << "\n";
  std::cout << "max_pool3d             " << tp::max_pool3d(tp::randn({1, 3, 8, 32, 32}), 2).shape() << "\n";
}
