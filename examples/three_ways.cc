#include <tidepool/tidepool.h>

#include <algorithm>
#include <iostream>
namespace tp = tidepool;

// Plain loops.
tp::Tensor by_loops(const tp::Tensor& x) {
  auto y = tp::zeros({x.shape()[0] / 2, x.shape()[1] / 2});
  auto out = y.flat<float>().begin();
  for (int64_t i = 0; i < x.shape()[0]; i += 2)
    for (int64_t j = 0; j < x.shape()[1]; j += 2) {
      auto window = x.slice(0, i, i + 2).slice(1, j, j + 2).clone();
      *out++ = std::ranges::max(window.flat<float>());
    }
  return y;
}

// The reshape trick: the four cells of a 2×2 window become one axis, whose maximum is taken.
tp::Tensor by_reshape(const tp::Tensor& x) {
  const int64_t h = x.shape()[0] / 2, w = x.shape()[1] / 2;
  auto windows = tp::reshape(x.reshape({h, 2, w, 2}).transpose(1, 2), {h, w, 4});
  return tp::reshape(tp::global_max_pool1d(windows), {h, w});
}

// The library call. The first axis of a picture is its channels.
tp::Tensor by_call(const tp::Tensor& x) { return tp::max_pool2d(x.reshape({1, 4, 4}), 2)[0]; }

int main() {
  auto x = tp::tensor({{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}});
  std::cout << by_call(x) << "\n";
  const bool equal = tp::equal(by_loops(x), by_call(x)) && tp::equal(by_reshape(x), by_call(x));
  std::cout << (equal ? "three ways, one result\n" : "the ways differ\n");
}
