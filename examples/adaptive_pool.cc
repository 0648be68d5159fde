#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // 7 cells to 3 bins: bins overlap where 3 does not divide 7.
  auto line = tp::arange({1, 1, 7});
  std::cout << "averages   " << tp::adaptive_avg_pool1d(line, 3) << "\n";
  auto [y, where] = tp::adaptive_max_pool1d_with_indices(line, 3);
  std::cout << "maxima     " << y << " at " << where << "\n";

  // A cell in two bins receives gradient from both.
  std::cout << "gradient   " << tp::adaptive_avg_pool1d_backward(tp::full({1, 1, 3}, 3), {1, 1, 7}) << "\n";

  // With more bins than cells, cells are used more than once.
  std::cout << "2 to 3     " << tp::adaptive_avg_pool1d(tp::arange({1, 1, 2}), 3) << "\n";

  // One output size per axis; keep_size leaves an axis unchanged.
  auto photo = tp::rand({8, 512, 14, 10});
  std::cout << "7 by 7     " << tp::adaptive_avg_pool2d(photo, 7).shape() << "\n";
  std::cout << "7 by width " << tp::adaptive_avg_pool2d(photo, {7, tp::keep_size}).shape() << "\n";
  std::cout << "one        " << tp::global_avg_pool2d(photo).shape() << "\n";
}
