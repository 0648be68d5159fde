// How many windows read each of nine cells.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  for (auto [kernel, stride] : {std::pair{3, 3}, std::pair{3, 2}, std::pair{3, 1}, std::pair{1, 2}}) {
    // The gradient of a sum of windows is 1 for each window that reads the cell.
    auto x = tp::ones({1, 1, 9}).set_requires_grad();
    auto y = tp::sum_pool1d(x, kernel, stride);
    tp::sum(y).backward();
    std::cout << "kernel " << kernel << ", stride " << stride << ": " << y.size(2) << " windows, cells read " << x.grad()[0][0] << "\n";
  }

  auto x = tp::randn({1, 1, 32, 32}, /*seed=*/1);
  std::cout << std::boolalpha;
  std::cout << "max 3 of max 3 is max 5: " << tp::equal(tp::max_pool2d(tp::max_pool2d(x, 3, 1), 3, 1), tp::max_pool2d(x, 5, 1)) << "\n";
  std::cout << "avg 3 of avg 3 is avg 5: " << tp::allclose(tp::avg_pool2d(tp::avg_pool2d(x, 3, 1), 3, 1), tp::avg_pool2d(x, 5, 1)) << "\n";
}
