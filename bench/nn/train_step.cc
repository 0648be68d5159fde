// Measures training steps of ResNet-18 on one batch, and the share of pooling in them.
//
//   tidepool_train_step [--steps 5] [--threads 1] [--format contiguous|channels_last] [--batch 8] [--side 128]
//
// Prints the median time of a step in milliseconds and the share of pooling. bench/nn/train_step.py compares it with PyTorch.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tidepool/nn.h"

namespace tp = tidepool;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class F>
double median_ms(int times, const F& f) {
  f();  // warm-up: creates the oneDNN primitives and the pooling plans
  std::vector<double> seconds;
  for (int i = 0; i < times; ++i) {
    const double start = now();
    f();
    seconds.push_back(now() - start);
  }
  std::nth_element(seconds.begin(), seconds.begin() + times / 2, seconds.end());
  return 1e3 * seconds[static_cast<size_t>(times / 2)];
}

// Only the two pooling layers of the network, forward and backward, on arrays of the sizes that they get there.
double pooling_ms(int times, int64_t batch, int64_t side, tp::MemoryFormat format) {
  tp::Tensor stem = tp::randn({batch, 64, side / 2, side / 2}, 1).clone(format).set_requires_grad();
  tp::Tensor head = tp::randn({batch, 512, side / 32, side / 32}, 2).clone(format).set_requires_grad();
  tp::nn::MaxPool2d maxpool(3, 2, 1);
  tp::nn::AdaptiveAvgPool2d avgpool(1);
  return median_ms(times, [&] {
    for (tp::nn::Module* pool : {static_cast<tp::nn::Module*>(&maxpool), static_cast<tp::nn::Module*>(&avgpool)}) {
      const tp::Tensor& x = pool == &maxpool ? stem : head;
      const tp::Tensor y = (*pool)(x);
      tp::grad(y, {x}, {.gradient = y.detach()});
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  int steps = 5, threads = 1;
  int64_t batch = 8, side = 128;
  tp::MemoryFormat format = tp::MemoryFormat::contiguous;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--steps") steps = std::atoi(value.c_str());
    if (name == "--threads") threads = std::atoi(value.c_str());
    if (name == "--batch") batch = std::atoi(value.c_str());
    if (name == "--side") side = std::atoi(value.c_str());
    if (name == "--format" && value == "channels_last") format = tp::MemoryFormat::channels_last;
  }
  tp::set_num_threads(threads);
  tp::manual_seed(1);
  tp::nn::ResNet18 net;
  tp::nn::SGD optimizer(net.parameters(), {.lr = 0.01, .momentum = 0.9, .weight_decay = 1e-4});
  const tp::Tensor x = tp::randn({batch, 3, side, side}, 1).clone(format);
  const tp::Tensor target = tp::zeros({batch}, tp::DType::i64);
  const double step = median_ms(steps, [&] {
    optimizer.zero_grad();
    tp::cross_entropy(net(x), target).backward();
    optimizer.step();
  });
  const double pooling = pooling_ms(steps, batch, side, format);
  std::printf("step %.1f ms, pooling %.2f ms (%.2f %%)\n", step, pooling, 100 * pooling / step);
}
