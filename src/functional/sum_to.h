// The adjoint of broadcasting.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::detail {

// x added up to a shape that broadcasts to x's; x itself if it has the shape already. Differentiable.
Tensor sum_to(const Tensor& x, const Dims& shape);

}  // namespace tidepool::detail
