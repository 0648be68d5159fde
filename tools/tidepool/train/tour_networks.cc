// The tour's part with networks: what pooling does to shapes and parameters inside one.
#include <iomanip>

#include "tidepool/creation.h"
#include "tidepool/nn.h"
#include "tour.h"

namespace tidepool::cli {

namespace {

// Four blocks, each halving the sides by a pool, or by a convolution of stride 2 in its place.
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

}  // namespace

void Tour::networks() {
  out_ << "6. Inside a network: sides halve, channels grow, pooling has no parameters\n\n"
          "Four blocks of convolution, ReLU and max pooling, and the same with a strided\n"
          "convolution in place of every pool:\n\n";
  const nn::Sequential pooled = pyramid(true), strided = pyramid(false);
  const NoGrad no_grad;
  Tensor x = randn({1, 3, 64, 64}, 1), y = x;
  int64_t side = 64, channels = 16, strided_sum = 0;
  const auto strided_blocks = strided.children();
  auto other = strided_blocks.begin();
  for (const auto& [name, block] : pooled.children()) {
    x = (*block)(x), y = (*other->second)(y);
    expect_shape("block " + name, x.shape(), {1, channels *= 2, side /= 2, side});
    expect_shape("strided block " + name, y.shape(), x.shape());
    out_ << "  block " << name << "   " << std::left << std::setw(14) << to_string(x.shape()) << std::right << std::setw(9)
         << block->num_parameters() << " parameters, strided" << std::setw(9) << other->second->num_parameters() << "\n";
    strided_sum += other->second->num_parameters();
    ++other;
  }
  out_ << "  together" << std::setw(25) << pooled.num_parameters() << " parameters, strided" << std::setw(9) << strided.num_parameters()
       << "\n\n";
  facts_["networks"] = {{"pooled_parameters", pooled.num_parameters()}, {"strided_parameters", strided.num_parameters()}};
  if (pooled.num_parameters() != 388416 || strided.num_parameters() != 1172256 || strided_sum != 1172256)
    wrong("parameters of the pyramid");
}

}  // namespace tidepool::cli
