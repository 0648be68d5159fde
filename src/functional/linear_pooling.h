// Average and sum pooling with any kind of windows: calls ops/linear_pooling.h and records the call if gradients are required.
#pragma once

#include "ops/linear_pooling.h"

namespace tidepool::detail {

Tensor pool(const char* function, const LinearPooling& p, const TensorArg& x);
Tensor pool_backward(const char* function, const LinearPooling& p, const TensorArg& grad);
Tensor pool_double_backward(const char* function, const LinearPooling& p, const TensorArg& gg);

}  // namespace tidepool::detail
