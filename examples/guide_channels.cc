// Pooling works on every channel by itself, and has nothing to learn.
#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::randn({8, 64, 32, 32}, /*seed=*/1);
  tp::nn::MaxPool2d pool(2);
  auto y = pool(x);
  std::cout << x.shape() << " becomes " << y.shape() << "\n";

  // Channel 5 alone gives channel 5 of the result.
  auto fifth = pool(x.slice(1, 5, 6));
  std::cout << "channel by channel: " << (tp::equal(fifth, y.slice(1, 5, 6)) ? "the same" : "different") << "\n";

  std::cout << pool.to_string() << ": " << pool.num_parameters() << " parameters\n";
  tp::nn::Conv2d conv(64, 64, 2, 2);
  std::cout << conv.to_string() << ": " << conv.num_parameters() << " parameters\n";
}
