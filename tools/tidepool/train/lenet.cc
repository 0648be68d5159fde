#include "train/lenet.h"

#include <array>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

constexpr std::array names = {std::pair(Shrink::max, "max"), std::pair(Shrink::avg, "avg"), std::pair(Shrink::stride, "stride")};
constexpr int64_t planes1 = 6, planes2 = 16;

// What two halvings and a 5x5 window without padding leave of a side.
int64_t left_of(int64_t side) { return (side / 2 - 4) / 2; }

int64_t features(const LeNetShape& shape) {
  if (shape.height < 12 || shape.width < 12)
    throw Error(ErrorCode::shape_mismatch,
                "LeNet: pictures must be at least 12x12, got " + std::to_string(shape.height) + "x" + std::to_string(shape.width));
  return planes2 * left_of(shape.height) * left_of(shape.width);
}

}  // namespace

std::string_view shrink_name(Shrink shrink) noexcept {
  for (const auto& [kind, name] : names)
    if (kind == shrink) return name;
  return "";
}

Shrink shrink_of(std::string_view name) {
  for (const auto& [kind, known] : names)
    if (known == name) return kind;
  throw Error(ErrorCode::parse, "LeNet: the pool must be max, avg or stride, got '" + std::string(name) + "'");
}

LeNet::LeNet(Shrink shrink, const LeNetShape& shape)
    : shrink_(shrink),
      conv1_(add("conv1", nn::Conv2d(shape.channels, planes1, {.kernel_size = 5, .padding = 2}))),
      conv2_(add("conv2", nn::Conv2d(planes1, planes2, 5))),
      fc1_(add("fc1", nn::Linear(features(shape), 120))),
      fc2_(add("fc2", nn::Linear(120, 84))),
      fc3_(add("fc3", nn::Linear(84, shape.classes))) {
  if (shrink != Shrink::stride) return;
  down1_ = &add("down1", nn::Conv2d(planes1, planes1, {.kernel_size = 2, .stride = 2}));
  down2_ = &add("down2", nn::Conv2d(planes2, planes2, {.kernel_size = 2, .stride = 2}));
}

Tensor LeNet::halve(const Tensor& x, nn::Conv2d* by_convolution) {
  switch (shrink_) {
    case Shrink::max:
      return max_pool2d(x, {.kernel_size = 2});
    case Shrink::avg:
      return avg_pool2d(x, {.kernel_size = 2});
    case Shrink::stride:
      break;
  }
  return relu((*by_convolution)(x));
}

Tensor LeNet::forward(const Tensor& x) {
  const Tensor first = halve(relu(conv1_(x)), down1_);
  const Tensor second = halve(relu(conv2_(first)), down2_);
  return fc3_(relu(fc2_(relu(fc1_(flatten(second))))));
}

}  // namespace tidepool::cli
