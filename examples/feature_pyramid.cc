#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// Runs four blocks, 3→32→64→128→256 channels, one after the other. Each halves the sides.
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
  const nn::Sequential pooled = nn::feature_pyramid(nn::Downsampling::max_pool);
  const nn::Sequential strided = nn::feature_pyramid(nn::Downsampling::strided_conv);
  std::cout << pooled.children().front().second->to_string() << "\n";
  const int64_t with_pools = show("max pooling", pooled);
  const int64_t with_strides = show("strided convolution", strided);
  std::cout << with_pools << " against " << with_strides << " parameters: " << with_strides - with_pools << " more for the same shapes\n";
}
