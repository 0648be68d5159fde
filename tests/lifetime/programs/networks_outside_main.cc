// Trains a network before main, in main, after it and while threads end.
#include <cstdio>
#include <vector>

#include "every_moment.h"
#include "tidepool/nn.h"

namespace tp = tidepool;
namespace nn = tidepool::nn;

namespace {

void check_functions(const char* when) {
  // Weights of 1 sum 3 by 3 neighbours. The second picture is large enough for several threads.
  check(nn::conv2d(tp::ones({1, 1, 5, 5}), tp::ones({1, 1, 3, 3})).item({0, 0, 2, 2}) == 9, "conv2d", when);
  check(nn::conv2d(tp::ones({2, 8, 96, 96}), tp::ones({8, 8, 3, 3})).item({1, 7, 93, 93}) == 72, "conv2d of a large picture", when);
  check(nn::matmul(tp::ones({2, 3}), tp::ones({3, 4})).item({1, 3}) == 3, "matmul", when);
  bool refused = false;
  try {
    (void)nn::conv2d(tp::ones({1, 1, 5, 5}), tp::ones({1, 2, 3, 3}));
  } catch (const tp::Error&) {
    refused = true;
  }
  check(refused, "an error", when);
}

// Three steps lower the loss. The modules are made here, because those of the program may be destroyed already.
void check_training(const char* when) {
  nn::Sequential net{nn::Conv2d(1, 4, 3), nn::BatchNorm2d(4), nn::ReLU(),       nn::MaxPool2d(2),
                     nn::Dropout(0),      nn::Flatten(),      nn::Linear(36, 2)};
  nn::SGD optimizer(net.parameters(), {.lr = 0.01});
  const tp::Tensor x = tp::randn({4, 1, 8, 8}, 1), kinds = tp::Tensor::from<int64_t>({4}, {0, 1, 0, 1});
  std::vector<double> losses;
  for (int i = 0; i < 4; ++i) {
    optimizer.zero_grad();
    const tp::Tensor loss = tp::cross_entropy(net(x), kinds);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item());
  }
  check(losses.back() < losses.front(), "training", when);
  check(!net.to_string().empty(), "a text", when);
}

void check_all(const char* when) {
  check_functions(when);
  check_training(when);
  std::fprintf(stderr, "right %s\n", when);
}

}  // namespace

int main() { return run_at_every_moment(); }
