// Sums of gradients, for tensors that are used more than once.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// sum += more, for tensors of the same shape. An undefined sum becomes `more`. The addition is recorded if either tensor is: then second
// derivatives need it.
void accumulate(Tensor& sum, const Tensor& more);

}  // namespace tidepool::inline v0_1::detail
