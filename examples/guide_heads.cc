// The parameters of three classifier heads, for feature maps of three sizes.
#include <tidepool/analyze.h>
#include <tidepool/tidepool.h>

#include <iomanip>
#include <iostream>
namespace tp = tidepool;

int main() {
  std::cout << "head                                            7×7         10×10         14×14\n";
  for (const char* head :
       {"flatten, linear 4096", "adaptive_avg 7, flatten, linear 4096", "flatten, linear 1000", "gap, flatten, linear 1000"}) {
    std::cout << std::left << std::setw(38) << head << std::right;
    for (const int64_t side : {7, 10, 14}) {
      const tp::analyze::Network net = tp::analyze::parse_network({512, side, side}, head);
      std::cout << std::setw(14) << tp::analyze::analyze(net).parameters;
    }
    std::cout << "\n";
  }

  // Global pooling is a window as large as the plane.
  auto x = tp::randn({1, 512, 7, 7}, /*seed=*/1);
  std::cout << std::boolalpha << "a window of 7×7 gives the same: " << tp::equal(tp::adaptive_avg_pool2d(x, 1), tp::avg_pool2d(x, 7))
            << "\n";
  // Bins overlap where the sizes do not divide.
  std::cout << "0 1 2 3 4 5 6 to 3 averages: " << tp::adaptive_avg_pool1d(tp::arange({1, 1, 7}), 3)[0] << "\n";
}
