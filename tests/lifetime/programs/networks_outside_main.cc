// Trains a network before main, in main, in an atexit handler, in static destructors and in destructors of thread-local objects, on the
// main thread and on others. Ends with 1 if a result is wrong.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tidepool/nn.h"

namespace tp = tidepool;
namespace nn = tidepool::nn;

namespace {

void check(bool right, const char* what, const char* when) {
  if (right) return;
  std::fprintf(stderr, "%s is wrong %s\n", what, when);
  std::_Exit(1);
}

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

struct Static {
  Static() {
    check_all("in a static constructor");
    std::atexit([] { check_all("in an atexit handler registered before main"); });
  }
  ~Static() { check_all("in a static destructor"); }
};
const Static before_others;

// Made before the library's thread-local objects, so that it is destroyed after them.
struct ThreadLocal {
  const char* when = nullptr;
  ~ThreadLocal() {
    if (when != nullptr) check_all(when);
  }
};
thread_local ThreadLocal first, last;

void use_thread(const char* when_first, const char* when_last) {
  first.when = when_first;
  check_all("on a thread");
  last.when = when_last;
}

}  // namespace

int main() {
  first.when = "in a thread-local destructor of the main thread";
  check_all("in main");
  std::atexit([] { check_all("in an atexit handler"); });
  for (int i = 0; i < 4; ++i)
    std::thread(use_thread, "in a thread-local destructor", "in the thread-local destructor that runs first").join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(use_thread, "in a thread-local destructor of several", nullptr);
  for (std::thread& t : threads) t.join();
  // Uses the library for the first time while the thread ends.
  std::thread([] { first.when = "in a thread-local destructor of a thread that did nothing else"; }).join();
}
