#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// Two convolutions that keep the size and a pooling layer that halves it.
struct VGGBlock : nn::Module {
  VGGBlock(int64_t in, int64_t out)
      : conv1(add("conv1", nn::Conv2d(in, out, 3, 1, 1))), conv2(add("conv2", nn::Conv2d(out, out, 3, 1, 1))) {}
  tp::Tensor forward(const tp::Tensor& x) override { return tp::max_pool2d(tp::relu(conv2(tp::relu(conv1(x)))), 2); }

  nn::Conv2d& conv1;
  nn::Conv2d& conv2;
};

int main() {
  nn::Sequential net{VGGBlock(3, 64), VGGBlock(64, 128)};
  std::cout << net.to_string() << "\n";
  auto x = tp::randn({1, 3, 32, 32});
  for (const auto& [name, block] : net.children()) {
    x = (*block)(x);
    std::cout << "block " << name << ": " << x.shape() << "\n";
  }
}
