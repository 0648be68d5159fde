#include <tidepool/tidepool.h>

#include <cstdio>

int main() {
  namespace tp = tidepool;
  const auto x = tp::Tensor::from<float>({1, 1, 4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  const auto y = tp::max_pool2d(x, {.kernel_size = 2});
  const auto v = tp::version();
  const float* p = y.data<float>();
  std::printf("tidepool %d.%d.%d: %g %g %g %g\n", v.major, v.minor, v.patch, p[0], p[1], p[2], p[3]);
}
