// A 2×2 window visits four places of a 4×4 plane and leaves one number at each.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // A batch of one picture with one channel, 4 rows and 4 columns. [0][0] is the plane without batch and channel.
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}});
  std::cout << "max\n" << tp::max_pool2d(x, 2)[0][0] << "\n";
  std::cout << "average\n" << tp::avg_pool2d(x, 2)[0][0] << "\n";
}
