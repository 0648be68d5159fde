// Published networks in the text form, for tests.
#pragma once

#include <string>

namespace tidepool::test {

// torchvision's ResNet-50 for 3x224x224: the strides are those of the 3x3 convolutions. 25,557,032 parameters.
std::string resnet50();

// U-Net with padded convolutions, four levels down and up, for 1 or 3 channels and sides that are multiples of 16. Upsampling is by
// transposed convolutions, as in the paper.
std::string unet();

}  // namespace tidepool::test
