#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::tensor({{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}});  // 1 channel, 4 rows, 4 columns
  std::cout << tp::max_pool2d(x, 2) << "\n";
}
