#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// Four blocks, 3→32→64→128→256 channels, each halving the sides: by a pool, or by a convolution of stride 2 in its place.
nn::Sequential pyramid(bool pooled) {
  nn::Sequential net;
  int64_t in = 3;
  for (int64_t out : {32, 64, 128, 256}) {
    nn::Sequential block(nn::Conv2d(in, out, {.kernel_size = 3, .padding = 1}), nn::ReLU());
    if (pooled)
      block.append(nn::MaxPool2d(2, 2));
    else
      block.append(nn::Conv2d(out, out, {.kernel_size = 3, .stride = 2, .padding = 1}));
    net.append(std::move(block));
    in = out;
  }
  return net;
}

int64_t show(const char* name, const nn::Sequential& net) {
  std::cout << name << "\n";
  auto x = tp::randn({1, 3, 64, 64}, /*seed=*/1);
  for (const auto& [number, block] : net.children()) {
    x = (*block)(x);
    std::cout << "  block " << number << ": " << tp::to_string(x.shape()) << ", " << block->num_parameters() << " parameters\n";
  }
  return net.num_parameters();
}

int main() {
  const int64_t with_pools = show("max pooling", pyramid(true));
  const int64_t with_strides = show("strided convolution", pyramid(false));
  std::cout << with_pools << " against " << with_strides << " parameters: " << with_strides - with_pools << " more for the same shapes\n";
}
