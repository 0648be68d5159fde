#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // Padding and ceil_mode make windows with fewer cells than the kernel. There are three ways to choose the divisor. The arguments are
  // kernel, stride, padding, ceil_mode and count_include_pad.
  auto x = tp::ones({1, 1, 4, 4});
  std::cout << "cells and padding  " << tp::avg_pool2d(x, 3, 2, 1, true) << "\n";
  std::cout << "real cells         " << tp::avg_pool2d(x, 3, 2, 1, true, false) << "\n";
  std::cout << "the whole kernel   " << tp::avg_pool2d(x, 3, 2, 1, true, tp::Divisor::full_kernel) << "\n";

  // Averages of integers are integers. The rounding is an option.
  auto pixels = tp::tensor({{{11, 12, 13, 14}}}, tp::DType::u8);
  std::cout << "truncate           " << tp::avg_pool1d(pixels, 2) << "\n";
  std::cout << "nearest even       " << tp::avg_pool1d(pixels, 2, {.rounding = tp::IntegerRounding::nearest_even}) << "\n";

  // Adaptive pooling to 3 bins, and global pooling as in the head of a classifier.
  auto line = tp::arange({1, 1, 7});
  std::cout << "7 cells to 3 bins  " << tp::adaptive_avg_pool1d(line, 3) << "\n";
  std::cout << "head               " << tp::global_avg_pool2d(tp::zeros({8, 512, 7, 7})).shape() << "\n";

  // An average splits its gradient evenly.
  std::cout << "gradient           " << tp::avg_pool1d_backward(tp::ones({1, 1, 2}), {1, 1, 4}, {.kernel_size = 2}) << "\n";
}
