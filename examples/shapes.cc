// Pooling keeps the channels; kernel, stride and padding decide the sides.
#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

void show(const tp::Tensor& x, const char* how, const tp::Tensor& y) { std::cout << x.shape() << ", " << how << ": " << y.shape() << "\n"; }

int main() {
  auto x = tp::randn({8, 64, 32, 32});
  show(x, "kernel 2", tp::max_pool2d(x, 2));
  x = tp::randn({1, 3, 224, 224});
  show(x, "kernel 7, stride 1, padding 3", tp::max_pool2d(x, 7, 1, 3));

  x = tp::randn({1, 1, 6, 9});
  show(x, "kernel 3, stride 1", nn::MaxPool2d(3, 1)(x));
  show(x, "kernel (2, 3), stride (2, 3)", nn::MaxPool2d({2, 3}, {2, 3})(x));
  x = tp::randn({1, 1, 4, 4});
  show(x, "kernel 3, stride 1, padding 1", nn::MaxPool2d(3, 1, 1)(x));

  x = tp::randn({1, 32, 16, 16});
  show(x, "kernel 2", nn::MaxPool2d(2)(x));
  auto pooled = nn::AdaptiveAvgPool2d(1)(x);
  show(x, "adaptive to 1", pooled);
  show(pooled, "flattened", tp::flatten(pooled));

  // Three windows cover 6 of 7 rows and columns; the seventh is dropped unless ceil_mode adds a fourth window.
  x = tp::randn({1, 1, 7, 7});
  show(x, "kernel 2", tp::max_pool2d(x, 2));
  show(x, "kernel 2, ceil_mode", tp::max_pool2d(x, 2, {.ceil_mode = true}));

  // The shape can also be computed without data.
  std::cout << "1x1x7x7, kernel 2, no data: " << tp::max_pool2d_shape({1, 1, 7, 7}, {.kernel_size = 2}) << "\n";
}
