// LeNet with a choice of how it shrinks: two convolutions, each followed by a halving of the sides, then three dense layers.
#pragma once

#include <string_view>
#include <vector>

#include "tidepool/nn.h"

namespace tidepool::cli {

enum class Shrink { max, avg, stride };

std::string_view shrink_name(Shrink shrink) noexcept;
Shrink shrink_of(std::string_view name);  // throws Error for any other word

struct LeNetShape {
  int64_t channels = 1, height = 28, width = 28, classes = 10;
};

class LeNet : public nn::Module {
 public:
  // Sides must be at least 12, or nothing is left after two halvings. Throws Error.
  LeNet(Shrink shrink, const LeNetShape& shape);
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "LeNet"; }

 private:
  Tensor halve(const Tensor& x, nn::Conv2d* by_convolution);

  Shrink shrink_;
  nn::Conv2d &conv1_, &conv2_;
  nn::Conv2d *down1_ = nullptr, *down2_ = nullptr;  // of Shrink::stride
  nn::Linear &fc1_, &fc2_, &fc3_;
};

}  // namespace tidepool::cli
