#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // The corner of a padded, overhanging window: 4 real cells. Who divides by what?
  auto x = tp::full({1, 1, 4, 4}, 1);
  tp::AvgPoolOptions<2> o{.kernel_size = 3, .stride = 2, .padding = 1, .ceil_mode = true};
  std::cout << "cells and padding  " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";
  o.count_include_pad = false;
  std::cout << "real cells         " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";
  o.count_include_pad = tp::Divisor::full_kernel;
  std::cout << "the whole kernel   " << tp::to_string(tp::avg_pool2d(x, o)) << "\n";

  // Integers average to integers; the rounding is yours.
  auto pixels = tp::Tensor::from<uint8_t>({1, 1, 4}, {11, 12, 13, 14});
  std::cout << "truncate           " << tp::to_string(tp::avg_pool1d(pixels, {.kernel_size = 2})) << "\n";
  std::cout << "nearest even       "
            << tp::to_string(tp::avg_pool1d(pixels, {.kernel_size = 2, .rounding = tp::IntegerRounding::nearest_even})) << "\n";

  // Any size to 3 bins, to one, and the classifier's head.
  auto line = tp::arange({1, 1, 7});
  std::cout << "7 cells to 3 bins  " << tp::to_string(tp::adaptive_avg_pool1d(line, 3)) << "\n";
  std::cout << "head               " << tp::to_string(tp::global_avg_pool2d(tp::zeros({8, 512, 7, 7})).shape()) << "\n";

  // The gradient of an average is shared evenly.
  std::cout << "gradient           " << tp::to_string(tp::avg_pool1d_backward(tp::full({1, 1, 2}, 1), {1, 1, 4}, {.kernel_size = 2}))
            << "\n";
}
