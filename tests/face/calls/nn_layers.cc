// Networks as users write them: layers in every form, Sequential, a class of their own, a training step.
#include <tidepool/nn.h>

#include <memory>
#include <utility>
#include <vector>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

void layers() {
  const Tensor x = numbers({1, 3, 8, 10}) * 0.001;
  check(nn::Conv2d(3, 5, 3)(x).shape() == Dims{1, 5, 6, 8}, "kernel");
  check(nn::Conv2d(3, 5, 3, 1, 1)(x).shape() == Dims{1, 5, 8, 10}, "kernel, stride, padding");
  check(nn::Conv2d(3, 5, {3, 1})(x).shape() == Dims{1, 5, 6, 10}, "kernel 3 high and 1 wide");
  check(nn::Conv2d(3, 5, {3, 1}, {1, 2})(x).shape() == Dims{1, 5, 6, 5}, "kernel and stride per axis");
  check(nn::Conv2d(3, 5, 3, {.padding = 1})(x).shape() == Dims{1, 5, 8, 10}, "kernel first");
  check(nn::Conv2d(3, 5, {.kernel_size = 3, .stride = 2})(x).shape() == Dims{1, 5, 3, 4}, "all by name");
  check(nn::Conv2d(3, 6, 3, 1, 0, 2, 3)(x).shape() == Dims{1, 6, 4, 6}, "dilation and groups");
  check(!nn::Conv2d(3, 5, 3, 1, 0, 1, 1, false).bias.defined() && nn::Conv2d(3, 5, 3).bias.defined(), "bias");
  check(nn::Conv2d(x.size(1), size_t{5}, 3u)(x).shape() == Dims{1, 5, 6, 8}, "channels of several integer types");
  check(nn::Conv1d(3, 5, 3, 1, 1)(numbers({1, 3, 8})).shape() == Dims{1, 5, 8}, "Conv1d");
  check(nn::Conv3d(3, 2, {1, 2, 3})(numbers({1, 3, 4, 4, 4})).shape() == Dims{1, 2, 4, 3, 2}, "Conv3d");
  check(nn::ConvTranspose2d(3, 5, 2, 2)(x).shape() == Dims{1, 5, 16, 20}, "ConvTranspose2d");
  check(nn::ConvTranspose2d(3, 5, {.kernel_size = 2, .stride = 2})(x).shape() == Dims{1, 5, 16, 20}, "ConvTranspose2d by name");
  check(nn::BatchNorm2d(3)(x).shape() == x.shape() && !nn::BatchNorm2d(3, {.affine = false}).weight.defined(), "BatchNorm2d");
  check(nn::Linear(10, 4)(x).shape() == Dims{1, 3, 8, 4} && !nn::Linear(10, 4, false).bias.defined(), "Linear");
  check(nn::Flatten()(x).shape() == Dims{1, 240} && nn::Dropout(0.2).to_string() == "Dropout(p=0.2, inplace=False)", "Flatten, Dropout");
}

struct Net : nn::Module {
  nn::Conv2d& conv = add("conv", nn::Conv2d(1, 4, 3, 1, 1));
  nn::MaxPool2d& pool = add("pool", nn::MaxPool2d(2));
  nn::Linear& fc = add("fc", nn::Linear(4 * 3 * 3, 2));
  Tensor forward(const Tensor& x) override { return fc(flatten(pool(relu(conv(x))))); }
};

void networks() {
  manual_seed(1);
  const Tensor x = randn({8, 1, 6, 6}, 3), targets = tensor({0, 1, 0, 1, 1, 0, 1, 0}, DType::i64);
  Net net;
  check(net.num_parameters() == 4 * 9 + 4 + 2 * 36 + 2, "parameters are registered");
  nn::SGD optimizer(net.parameters(), {.lr = 0.1, .momentum = 0.9});
  double first = 0, last = 0;
  for (int step = 0; step < 30; ++step) {
    const Tensor loss = cross_entropy(net(x), targets);
    (step == 0 ? first : last) = loss.item();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  check(last < first / 2, "training makes the loss smaller");

  nn::Sequential layers{nn::Conv2d(1, 4, 3, 1, 1), nn::ReLU(), nn::MaxPool2d({3, 2}), nn::Flatten(), nn::Linear(4 * 2 * 3, 2)};
  check(layers(x).shape() == Dims{8, 2}, "Sequential");
  layers.append(nn::Sigmoid());
  nn::Sequential moved = std::move(layers);
  check(moved(x).shape() == Dims{8, 2}, "a network that was moved");
  check(moved.to_string().find("MaxPool2d(kernel_size=(3, 2), stride=(3, 2)") != std::string::npos, "what Sequential prints");
  std::vector<nn::Linear> list;
  list.push_back(nn::Linear(3, 2));
  list.emplace_back(3, 4);
  check(list[1](ones({3})).shape() == Dims{4}, "modules in a vector");
  std::vector<nn::MaxPool2d> pools;
  pools.emplace_back(2);
  pools.push_back(nn::MaxPool2d({3, 2}));
  check(pools[1](x).shape() == Dims{8, 1, 2, 3} && pools[0](x).shape() == Dims{8, 1, 3, 3}, "pooling modules in a vector");
  nn::MaxPool2d replaced(2);
  replaced = nn::MaxPool2d({3, 2});
  check(replaced(x).shape() == Dims{8, 1, 2, 3}, "a module that was replaced");
  const auto shared = std::make_shared<nn::MaxPool2d>(2);
  check((*shared)(x).shape() == Dims{8, 1, 3, 3}, "a shared module");
  nn::AdamW adam(net.parameters(), {.lr = 1e-3});
  adam.step();
}

}  // namespace

void nn_layers() {
  layers();
  networks();
}

}  // namespace face
