#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

int main() {
  // A dense layer from 512 flattened maps of 7 by 7 to 4096 features. Only its size is computed here; the weights would take 400 MB.
  const int64_t features = 512 * 7 * 7;
  std::cout << "flatten and dense: " << features << " features, " << features * 4096 << " weights and 4096 biases, "
            << (features + 1) * 4096 << " parameters\n";

  // Global average pooling gives 512 features for maps of any size and has no parameters.
  nn::Sequential head{nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(512, 10)};
  std::cout << head.to_string() << "\n" << head.num_parameters() << " parameters\n";
  for (int64_t side : {7, 10}) {
    auto y = head(tp::randn({1, 512, side, side}));
    std::cout << side << "x" << side << " maps: " << y.shape() << "\n";
  }

  // A dense head only accepts the map size that it was made for.
  nn::Sequential dense{nn::Flatten(), nn::Linear(32 * 7 * 7, 10)};
  try {
    dense(tp::randn({1, 32, 10, 10}));
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
