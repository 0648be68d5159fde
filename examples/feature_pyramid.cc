#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// A convolution that keeps the sides, and a pooling layer that halves them.
nn::Sequential block(int64_t in, int64_t out) { return {nn::Conv2d(in, out, 3, 1, 1), nn::ReLU(), nn::MaxPool2d(2)}; }

// Prints the shape after every block.
void show(const char* name, const nn::Sequential& net) {
  std::cout << name << "\n";
  auto x = tp::randn({1, 3, 64, 64});
  for (const auto& [number, block] : net.children()) {
    x = (*block)(x);
    std::cout << "  block " << number << ": " << x.shape() << ", " << block->num_parameters() << " parameters\n";
  }
}

int main() {
  std::cout << block(3, 32).to_string() << "\n";
  nn::Sequential pooled{block(3, 32), block(32, 64), block(64, 128), block(128, 256)};
  show("max pooling", pooled);

  // The library has this network too. Here a 3×3 convolution of stride 2 stands in place of each pool.
  nn::Sequential strided = nn::feature_pyramid(nn::Downsampling::strided_conv);
  show("strided convolution", strided);
  std::cout << pooled.num_parameters() << " against " << strided.num_parameters()
            << " parameters: " << strided.num_parameters() - pooled.num_parameters() << " more for the same shapes\n";
}
