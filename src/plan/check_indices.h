#pragma once

#include <string>

#include "kernels/kernel.h"

namespace tidepool::detail {

// Every index must name a cell of its plane (window base: of its window), or be -1 where nothing was chosen.
Status check_indices(const std::string& op, const KernelArgs& args, const Geometry& g, const TensorView& indices);

}  // namespace tidepool::detail
