// Networks of the literature, with the names that PyTorch's and torchvision's state dicts use.
#pragma once

#include "tidepool/nn/layers.h"
#include "tidepool/nn/module.h"
#include "tidepool/nn/pooling.h"

namespace tidepool::nn {

// LeCun 1998 with today's ReLU and max pooling: 1×28×28 to `classes`.
class LeNet : public Module {
 public:
  explicit LeNet(int64_t classes = 10);
  Tensor forward(const Tensor& x) override;

 private:
  Conv2d& conv1_;
  Conv2d& conv2_;
  MaxPool2d& pool_;
  Linear& fc1_;
  Linear& fc2_;
  Linear& fc3_;
};

// Two blocks of convolution, ReLU and pooling, and one linear layer: 3×32×32 to `classes`.
class SimpleCNN : public Module {
 public:
  explicit SimpleCNN(int64_t classes = 10, int64_t width = 32);
  Tensor forward(const Tensor& x) override;

 private:
  Conv2d& conv1_;
  Conv2d& conv2_;
  MaxPool2d& pool_;
  Linear& fc_;
};

struct VGGOptions {
  int64_t classes = 1000;
  int64_t width = 64;     // channels of the first convolution; the others keep their ratio to it
  int64_t hidden = 4096;  // features of the classifier's two layers
  int64_t pooled = 7;     // side of what the classifier sees
  double dropout = 0.5;
};

// Simonyan and Zisserman 2014, configuration A.
class VGG11 : public Module {
 public:
  explicit VGG11(const VGGOptions& options = {});
  Tensor forward(const Tensor& x) override;

 private:
  Sequential& features_;
  AdaptiveAvgPool2d& avgpool_;
  Sequential& classifier_;
};

// He et al. 2015.
class ResNet18 : public Module {
 public:
  explicit ResNet18(int64_t classes = 1000, int64_t width = 64);
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

}  // namespace tidepool::nn
