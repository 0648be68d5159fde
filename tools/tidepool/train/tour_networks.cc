// The tour's part about networks: what pooling does to shapes and parameter counts.
#include <iomanip>

#include "tidepool/creation.h"
#include "tidepool/nn.h"
#include "tour.h"

namespace tidepool::cli {

void Tour::networks() {
  out_ << "6. Inside a network: sides halve, channels grow, pooling has no parameters\n\n"
          "Four blocks of convolution, ReLU and max pooling, and the same with a strided\n"
          "convolution in place of every pool:\n\n";
  const nn::Sequential pooled = nn::feature_pyramid(nn::Downsampling::max_pool),
                       strided = nn::feature_pyramid(nn::Downsampling::strided_conv);
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
