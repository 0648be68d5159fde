#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // Padding and ceil_mode make windows with fewer cells than the kernel. Three ways to choose the divisor.
  auto x = tp::full({1, 1, 4, 4}, 1);
  tp::AvgPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1, .ceil_mode = true};
  std::cout << "cells and padding  " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";
  o.count_include_pad = false;
  std::cout << "real cells         " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";
  o.count_include_pad = tp::Divisor::full_kernel;
  std::cout << "the whole kernel   " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";

  // Averages of integers are integers. The rounding is an option.
  auto pixels = tp::Tensor::from<uint8_t>({1, 1, 4}, {11, 12, 13, 14});
  std::cout << "truncate           " << tp::to_string(tp::avg_pool1d(pixels, {.kernel_size = 2})) << "\n";
  std::cout << "nearest even       "
            << tp::to_string(tp::avg_pool1d(pixels, {.kernel_size = 2, .rounding = tp::IntegerRounding::nearest_even})) << "\n";

  // Adaptive pooling to 3 bins, and global pooling as in the head of a classifier.
  auto line = tp::arange({1, 1, 7});
  std::cout << "7 cells to 3 bins  " << tp::to_string(tp::adaptive_avg_pool1d(line, 3)) << "\n";
  std::cout << "head               " << tp::to_string(tp::global_avg_pool2d(tp::zeros({8, 512, 7, 7})).shape()) << "\n";

  // An average splits its gradient evenly.
  std::cout << "gradient           " << tp::to_string(tp::avg_pool1d_backward(tp::full({1, 1, 2}, 1), {1, 1, 4}, {.kernel_size = 2}))
            << "\n";
}
