// The sum of gradients that arrive at the same place.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::detail {

// sum += more; an undefined sum becomes `more`. Both have the same shape. Recorded where gradients of gradients are wanted.
void accumulate(Tensor& sum, const Tensor& more);

}  // namespace tidepool::detail
