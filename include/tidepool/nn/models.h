// Well-known networks. Their parameters have the names that PyTorch's and torchvision's state dicts use.
#pragma once

#include "tidepool/export.h"
#include "tidepool/nn/layers.h"
#include "tidepool/nn/module.h"
#include "tidepool/nn/pooling.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::nn {

// How a network halves the height and the width of its feature maps.
enum class Downsampling { max_pool, avg_pool, strided_conv };

struct LeNetOptions {
  NamedOnly named_only = NamedOnly::fields();
  Size classes = 10;
  Size channels = 1, height = 28, width = 28;  // of the input; height and width must be at least 12
  Downsampling downsampling = Downsampling::max_pool;
};

// LeCun et al. 1998, with ReLU in place of the original activations. With Downsampling::strided_conv, a 2×2 convolution of stride 2 and a
// ReLU stand in place of each pooling layer.
class TIDEPOOL_API LeNet : public Module {
 public:
  explicit LeNet(Size classes = 10) : LeNet(LeNetOptions{.classes = classes}) {}
  explicit LeNet(const LeNetOptions& options);
  Tensor forward(const Tensor& x) override;

 private:
  Tensor downsample(const Tensor& x, Conv2d* strided);

  Conv2d& conv1_;
  Conv2d& conv2_;
  Module* pool_;  // null with Downsampling::strided_conv
  Linear& fc1_;
  Linear& fc2_;
  Linear& fc3_;
  Conv2d *down1_ = nullptr, *down2_ = nullptr;  // only with Downsampling::strided_conv
};

// Four blocks with 32, 64, 128 and 256 output channels. Each is a 3×3 convolution, a ReLU and a layer that halves the sides: a 2×2 pool,
// or a 3×3 convolution of stride 2. An input of 3×64×64 becomes 256×4×4.
TIDEPOOL_API Sequential feature_pyramid(Downsampling downsampling = Downsampling::max_pool);

// Two blocks of convolution, ReLU and pooling, and one linear layer: 3×32×32 to `classes`.
class TIDEPOOL_API SimpleCNN : public Module {
 public:
  explicit SimpleCNN(Size classes = 10, Size width = 32);
  Tensor forward(const Tensor& x) override;

 private:
  Conv2d& conv1_;
  Conv2d& conv2_;
  MaxPool2d& pool_;
  Linear& fc_;
};

struct VGGOptions {
  NamedOnly named_only = NamedOnly::fields();
  Size classes = 1000;
  Size width = 64;     // channels of the first convolution; the other layers scale with it
  Size hidden = 4096;  // features of the classifier's two hidden layers
  Size pooled = 7;     // height and width of the feature maps that the classifier receives
  double dropout = 0.5;
};

// Simonyan and Zisserman 2014, configuration A.
class TIDEPOOL_API VGG11 : public Module {
 public:
  explicit VGG11(const VGGOptions& options = {});
  Tensor forward(const Tensor& x) override;

 private:
  Sequential& features_;
  AdaptiveAvgPool2d& avgpool_;
  Sequential& classifier_;
};

// He et al. 2015.
class TIDEPOOL_API ResNet18 : public Module {
 public:
  explicit ResNet18(Size classes = 1000, Size width = 64);
  Tensor forward(const Tensor& x) override;

 private:
  Conv2d& conv1_;
  BatchNorm2d& bn1_;
  ReLU& relu_;
  MaxPool2d& maxpool_;
  std::vector<Sequential*> layers_;
  AdaptiveAvgPool2d& avgpool_;
  Linear& fc_;
};

}  // namespace tidepool::inline v0_1::nn
