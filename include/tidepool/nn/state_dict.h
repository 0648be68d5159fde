// Named tensors, in order: what a module or an optimiser is made of, as PyTorch names it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::nn {

using StateDict = std::vector<std::pair<std::string, Tensor>>;

}  // namespace tidepool::nn
