#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

// Shows why pooling can drop the last row. An Axis lists the windows without any data.
int main() {
  tp::Axis axis = tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2}).value();
  std::cout << "7 cells, kernel 2, stride 2: " << axis.output() << " windows\n";
  for (int64_t o = 0; o < axis.output(); ++o) {
    tp::Window w = axis.window(o);
    std::cout << "  window " << o << ": cells " << w.begin << " to " << w.begin + w.count - 1 << "\n";
  }
  std::cout << "  cells at the end that no window reads: " << axis.dropped() << "\n";
  axis = tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2, .rounding = tp::Rounding::ceil}).value();
  std::cout << "with ceil_mode: " << axis.output() << " windows, " << axis.dropped() << " dropped\n";
}
