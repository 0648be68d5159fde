// The named tensors of a module or an optimiser, in a fixed order and with PyTorch's names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn {

using StateDict = std::vector<std::pair<std::string, Tensor>>;

}  // namespace tidepool::inline v0_1::nn
