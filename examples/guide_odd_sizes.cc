// Seven cells under windows of two: which cells each window reads.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

void show(const char* how, const tp::Result<tp::Axis>& made) {
  const tp::Axis& axis = made.value();
  std::cout << how;
  for (int64_t o = 0; o < axis.output(); ++o) {
    const tp::Window window = axis.window(o);
    std::cout << "  " << window.begin;
    if (window.count > 1) std::cout << "-" << window.begin + window.count - 1;
  }
  std::cout << (axis.dropped() > 0 ? "     cell 6 is lost\n" : "\n");
}

int main() {
  show("kernel 2           ", tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2}));
  show("ceil_mode          ", tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2, .rounding = tp::Rounding::ceil}));
  show("padding 1          ", tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2, .padding = 1}));
  show("padding 1 after    ", tp::Axis::regular({.length = 7, .kernel = 2, .stride = 2, .padding = {0, 1}}));
  show("kernel 3, stride 2 ", tp::Axis::regular({.length = 7, .kernel = 3, .stride = 2}));
  show("adaptive to 3      ", tp::Axis::adaptive(7, 3));
}
