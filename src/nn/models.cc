#include "tidepool/nn/models.h"

namespace tidepool::nn {
namespace {

ConvOptions<2> window(int64_t size, int64_t stride, int64_t padding, bool bias) {
  return {.kernel_size = size, .stride = stride, .padding = padding, .bias = bias};
}

// Two convolutions, and x itself added to what they make of it.
class BasicBlock : public Module {
 public:
  BasicBlock(int64_t in, int64_t out, int64_t stride)
      : conv1_(add("conv1", Conv2d(in, out, window(3, stride, 1, false)))),
        bn1_(add("bn1", BatchNorm2d(out))),
        relu_(add("relu", ReLU())),
        conv2_(add("conv2", Conv2d(out, out, window(3, 1, 1, false)))),
        bn2_(add("bn2", BatchNorm2d(out))) {
    if (stride != 1 || in != out)
      downsample_ = &add("downsample", Sequential(Conv2d(in, out, window(1, stride, 0, false)), BatchNorm2d(out)));
  }
  Tensor forward(const Tensor& x) override {
    const Tensor y = bn2_(conv2_(relu_(bn1_(conv1_(x)))));
    return relu_(y + (downsample_ != nullptr ? (*downsample_)(x) : x));
  }

 private:
  Conv2d& conv1_;
  BatchNorm2d& bn1_;
  ReLU& relu_;
  Conv2d& conv2_;
  BatchNorm2d& bn2_;
  Sequential* downsample_ = nullptr;
};

Sequential vgg_features(int64_t width) {
  Sequential features;
  int64_t in = 3;
  // Multiples of the width; 0 is a pool.
  for (int64_t times : {1, 0, 2, 0, 4, 4, 0, 8, 8, 0, 8, 8, 0}) {
    if (times == 0) {
      features.append(MaxPool2d(2, 2));
    } else {
      features.append(Conv2d(in, times * width, window(3, 1, 1, true)));
      features.append(ReLU());
      in = times * width;
    }
  }
  return features;
}

}  // namespace

LeNet::LeNet(int64_t classes)
    : conv1_(add("conv1", Conv2d(1, 6, window(5, 1, 2, true)))),
      conv2_(add("conv2", Conv2d(6, 16, window(5, 1, 0, true)))),
      pool_(add("pool", MaxPool2d(2))),
      fc1_(add("fc1", Linear(16 * 5 * 5, 120))),
      fc2_(add("fc2", Linear(120, 84))),
      fc3_(add("fc3", Linear(84, classes))) {}

Tensor LeNet::forward(const Tensor& x) {
  const Tensor features = pool_(relu(conv2_(pool_(relu(conv1_(x))))));
  return fc3_(relu(fc2_(relu(fc1_(flatten(features))))));
}

SimpleCNN::SimpleCNN(int64_t classes, int64_t width)
    : conv1_(add("conv1", Conv2d(3, width, window(3, 1, 1, true)))),
      conv2_(add("conv2", Conv2d(width, 2 * width, window(3, 1, 1, true)))),
      pool_(add("pool", MaxPool2d(2))),
      fc_(add("fc", Linear(2 * width * 8 * 8, classes))) {}

Tensor SimpleCNN::forward(const Tensor& x) { return fc_(flatten(pool_(relu(conv2_(pool_(relu(conv1_(x)))))))); }

VGG11::VGG11(const VGGOptions& o)
    : features_(add("features", vgg_features(o.width))),
      avgpool_(add("avgpool", AdaptiveAvgPool2d(Extent<2>{o.pooled, o.pooled}))),
      classifier_(add("classifier", Sequential{Linear(8 * o.width * o.pooled * o.pooled, o.hidden), ReLU(), Dropout(o.dropout),
                                               Linear(o.hidden, o.hidden), ReLU(), Dropout(o.dropout), Linear(o.hidden, o.classes)})) {}

Tensor VGG11::forward(const Tensor& x) { return classifier_(flatten(avgpool_(features_(x)))); }

namespace {

// One after the other, because parts are printed and counted in the order in which they are added.
std::vector<Sequential*> stages(Module& net, int64_t width) {
  std::vector<Sequential*> result;
  int64_t in = width;
  for (int stage = 0; stage < 4; ++stage) {
    const int64_t out = width << stage;
    Sequential blocks{BasicBlock(in, out, stage == 0 ? 1 : 2), BasicBlock(out, out, 1)};
    result.push_back(&net.add("layer" + std::to_string(stage + 1), std::move(blocks)));
    in = out;
  }
  return result;
}

}  // namespace

ResNet18::ResNet18(int64_t classes, int64_t width)
    : conv1_(add("conv1", Conv2d(3, width, window(7, 2, 3, false)))),
      bn1_(add("bn1", BatchNorm2d(width))),
      relu_(add("relu", ReLU())),
      maxpool_(add("maxpool", MaxPool2d(3, 2, 1))),
      layers_(stages(*this, width)),
      avgpool_(add("avgpool", AdaptiveAvgPool2d(Extent<2>{1, 1}))),
      fc_(add("fc", Linear(8 * width, classes))) {}

Tensor ResNet18::forward(const Tensor& x) {
  Tensor y = maxpool_(relu_(bn1_(conv1_(x))));
  for (Sequential* layer : layers_) y = (*layer)(y);
  return fc_(flatten(avgpool_(y)));
}

}  // namespace tidepool::nn
