// Named arrays. Files keep their order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

}  // namespace tidepool::inline v0_1::io
