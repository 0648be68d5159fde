// The adjoint of broadcasting.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// Sums x over the dims along which `shape` broadcasts to the shape of x. Returns x itself if the shapes are equal. Differentiable.
Tensor sum_to(const Tensor& x, const Dims& shape);

}  // namespace tidepool::inline v0_1::detail
