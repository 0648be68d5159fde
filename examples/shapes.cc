// Output shapes without any data. Pooling keeps the channels; kernel, stride and padding decide the sides.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

void show(const tp::Dims& input, const char* text, const tp::MaxPoolOptions<2>& options) {
  std::cout << tp::to_string(input) << ", " << text << ": " << tp::to_string(tp::max_pool2d_shape(input, options)) << "\n";
}

int main() {
  show({8, 64, 32, 32}, "kernel 2", {.kernel_size = 2});
  show({1, 3, 224, 224}, "kernel 7, stride 1, padding 3", {.kernel_size = 7, .stride = 1, .padding = 3});
  show({1, 1, 6, 9}, "kernel 3, stride 1", {.kernel_size = 3, .stride = 1});
  show({1, 1, 6, 9}, "kernel (2, 3), stride (2, 3)", {.kernel_size = {2, 3}, .stride = {2, 3}});
  show({1, 1, 4, 4}, "kernel 3, stride 1, padding 1", {.kernel_size = 3, .stride = 1, .padding = 1});
  show({1, 32, 16, 16}, "kernel 2", {.kernel_size = 2});
  // Three windows cover 6 of 7 rows and columns; the seventh is dropped unless ceil_mode adds a fourth window.
  show({1, 1, 7, 7}, "kernel 2", {.kernel_size = 2});
  show({1, 1, 7, 7}, "kernel 2, ceil_mode", {.kernel_size = 2, .ceil_mode = true});

  auto maps = tp::zeros({1, 32, 16, 16});
  auto pooled = tp::adaptive_avg_pool2d(maps, 1);
  std::cout << tp::to_string(maps.shape()) << ", adaptive to 1: " << tp::to_string(pooled.shape())
            << ", flattened: " << tp::to_string(tp::flatten(pooled).shape()) << "\n";
}
