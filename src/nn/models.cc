#include "tidepool/nn/models.h"

namespace tidepool::inline v0_1::nn {
namespace {

ConvOptions<2> window(int64_t size, int64_t stride, int64_t padding, bool bias) {
  return {.kernel_size = size, .stride = stride, .padding = padding, .bias = bias};
}

// A residual block: two convolutions, whose result is added to x. Where the shapes differ, a 1×1 convolution adapts x first.
class BasicBlock : public Module {
 public:
  BasicBlock(int64_t in, int64_t out, int64_t stride)
      : conv1_(add("conv1", Conv2d(in, out, window(3, stride, 1, false)))),
        bn1_(add("bn1", BatchNorm2d(out))),
        relu_(add("relu", ReLU())),
        conv2_(add("conv2", Conv2d(out, out, window(3, 1, 1, false)))),
        bn2_(add("bn2", BatchNorm2d(out))) {
    if (stride != 1 || in != out)
      downsample_ = &add("downsample", Sequential{Conv2d(in, out, window(1, stride, 0, false)), BatchNorm2d(out)});
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
  // Output channels as a multiple of `width`; 0 stands for a pooling layer.
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

// The side length after two halvings and a 5×5 convolution without padding.
int64_t lenet_side(int64_t side) { return (side / 2 - 4) / 2; }

int64_t lenet_features(const LeNetOptions& o) {
  if (o.height < 12 || o.width < 12)
    throw Error(ErrorCode::shape_mismatch,
                "LeNet: pictures must be at least 12x12, got " + std::to_string(o.height) + "x" + std::to_string(o.width));
  return 16 * lenet_side(o.height) * lenet_side(o.width);
}

Module* add_pool(Module& net, Downsampling downsampling) {
  switch (downsampling) {
    case Downsampling::max_pool:
      return &net.add("pool", MaxPool2d(2));
    case Downsampling::avg_pool:
      return &net.add("pool", AvgPool2d(2));
    case Downsampling::strided_conv:
      break;
  }
  return nullptr;
}

}  // namespace

LeNet::LeNet(const LeNetOptions& o)
    : conv1_(add("conv1", Conv2d(o.channels, 6, window(5, 1, 2, true)))),
      conv2_(add("conv2", Conv2d(6, 16, window(5, 1, 0, true)))),
      pool_(add_pool(*this, o.downsampling)),
      fc1_(add("fc1", Linear(lenet_features(o), 120))),
      fc2_(add("fc2", Linear(120, 84))),
      fc3_(add("fc3", Linear(84, o.classes))) {
  if (pool_ != nullptr) return;
  // Added last, so that with one seed the layers above start from the same weights whatever the downsampling.
  down1_ = &add("down1", Conv2d(6, 6, window(2, 2, 0, true)));
  down2_ = &add("down2", Conv2d(16, 16, window(2, 2, 0, true)));
}

Tensor LeNet::downsample(const Tensor& x, Conv2d* strided) { return pool_ != nullptr ? (*pool_)(x) : relu((*strided)(x)); }

Tensor LeNet::forward(const Tensor& x) {
  const Tensor first = downsample(relu(conv1_(x)), down1_);
  const Tensor second = downsample(relu(conv2_(first)), down2_);
  return fc3_(relu(fc2_(relu(fc1_(flatten(second))))));
}

Sequential feature_pyramid(Downsampling downsampling) {
  Sequential net;
  int64_t in = 3;
  for (int64_t out : {32, 64, 128, 256}) {
    Sequential block{Conv2d(in, out, window(3, 1, 1, true)), ReLU()};
    switch (downsampling) {
      case Downsampling::max_pool:
        block.append(MaxPool2d(2));
        break;
      case Downsampling::avg_pool:
        block.append(AvgPool2d(2));
        break;
      case Downsampling::strided_conv:
        block.append(Conv2d(out, out, window(3, 2, 1, true)));
        break;
    }
    net.append(std::move(block));
    in = out;
  }
  return net;
}

SimpleCNN::SimpleCNN(Size classes, Size width)
    : conv1_(add("conv1", Conv2d(3, width, window(3, 1, 1, true)))),
      conv2_(add("conv2", Conv2d(width, 2 * width, window(3, 1, 1, true)))),
      pool_(add("pool", MaxPool2d(2))),
      fc_(add("fc", Linear(2 * width * 8 * 8, classes))) {}

Tensor SimpleCNN::forward(const Tensor& x) { return fc_(flatten(pool_(relu(conv2_(pool_(relu(conv1_(x)))))))); }

VGG11::VGG11(const VGGOptions& o)
    : features_(add("features", vgg_features(o.width))),
      avgpool_(add("avgpool", AdaptiveAvgPool2d(Extent<2>{o.pooled.value, o.pooled.value}))),
      classifier_(add("classifier", Sequential{Linear(8 * o.width * o.pooled * o.pooled, o.hidden), ReLU(), Dropout(o.dropout),
                                               Linear(o.hidden, o.hidden), ReLU(), Dropout(o.dropout), Linear(o.hidden, o.classes)})) {}

Tensor VGG11::forward(const Tensor& x) { return classifier_(flatten(avgpool_(features_(x)))); }

namespace {

// The four stages of residual blocks. Modules are printed and listed in the order in which they are added.
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

ResNet18::ResNet18(Size classes, Size width)
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

}  // namespace tidepool::inline v0_1::nn
