#include <tidepool/tidepool.h>

#include <algorithm>
#include <iostream>
namespace tp = tidepool;

// Plain loops.
tp::Tensor by_loops(const tp::Tensor& x) {
  tp::Tensor y({x.size(0) / 2, x.size(1) / 2});
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j) {
      double largest = x.item({2 * i, 2 * j});
      for (int64_t k = 1; k < 4; ++k) largest = std::max(largest, x.item({2 * i + k / 2, 2 * j + k % 2}));
      y.data<float>()[i * y.size(1) + j] = static_cast<float>(largest);
    }
  return y;
}

// The reshape trick: the four cells of a 2×2 window become one axis, which is pooled globally.
tp::Tensor by_reshape(const tp::Tensor& x) {
  const int64_t h = x.size(0) / 2, w = x.size(1) / 2;
  auto windows = tp::reshape(x.reshape({h, 2, w, 2}).transpose(1, 2), {1, h * w, 4});
  return tp::reshape(tp::global_max_pool1d(windows), {h, w});
}

// The library call.
tp::Tensor by_call(const tp::Tensor& x) { return tp::reshape(tp::max_pool2d(x.reshape({1, 6, 6}), {.kernel_size = 2}), {3, 3}); }

int main() {
  auto x = tp::Tensor::from<float>(
      {6, 6}, {1, 3, 2, 4, 6, 8, 5, 6, 1, 2, 3, 7, 4, 2, 7, 8, 1, 0, 3, 5, 9, 4, 2, 1, 8, 7, 6, 3, 5, 2, 1, 0, 4, 7, 8, 9});
  std::cout << tp::to_string(by_call(x)) << "\n";
  const bool equal = tp::to_string(by_loops(x)) == tp::to_string(by_call(x)) && tp::to_string(by_reshape(x)) == tp::to_string(by_call(x));
  std::cout << (equal ? "three ways, one result\n" : "the ways differ\n");
  return equal ? 0 : 1;
}
