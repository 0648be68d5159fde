// Arrays by name, in an order that files keep.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::io {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

}  // namespace tidepool::io
