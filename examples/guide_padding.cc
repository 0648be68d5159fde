// The first row of the output when a 4×4 plane, in which every cell is -36, is padded.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::full({1, 1, 4, 4}, -36);
  auto largest = tp::max_pool2d(x, 3, {.stride = 1, .padding = 1});
  auto counted = tp::avg_pool2d(x, 3, {.stride = 1, .padding = 1});
  auto real = tp::avg_pool2d(x, 3, {.stride = 1, .padding = 1, .count_include_pad = false});
  std::cout << "maximum                          " << largest[0][0][0] << "\n";
  std::cout << "average, padding counts          " << counted[0][0][0] << "\n";
  std::cout << "average, padding does not count  " << real[0][0][0] << "\n";
  try {
    tp::max_pool2d(x, 2, {.padding = 2});
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
