#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// A module registers its layers with add and overrides forward.
struct SimpleCNN : nn::Module {
  nn::Conv2d& conv1 = add("conv1", nn::Conv2d(3, 32, 3, 1, 1));
  nn::Conv2d& conv2 = add("conv2", nn::Conv2d(32, 64, 3, 1, 1));
  nn::MaxPool2d& pool = add("pool", nn::MaxPool2d(2, 2));
  tp::Tensor forward(const tp::Tensor& x) override {
    auto y = pool(tp::relu(conv1(x)));
    std::cout << "after block 1: " << y.shape() << "\n";
    return pool(tp::relu(conv2(y)));
  }
};

int main() {
  SimpleCNN net;
  std::cout << net.to_string() << "\n";
  auto y = net(tp::randn({1, 3, 32, 32}));
  std::cout << "after block 2: " << y.shape() << "\n";
  for (const auto& [name, p] : net.named_parameters()) std::cout << name << " " << p.shape() << "\n";
  std::cout << net.num_parameters() << " parameters, none of them in pool\n";

  tp::mean(y).backward();
  std::cout << "gradient of conv1.weight: " << net.conv1.weight.grad().shape() << "\n";
}
