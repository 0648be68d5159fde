// Average and sum pooling with any kind of windows: calls ops/linear_pooling.h and records the call if gradients are required.
#pragma once

#include "ops/linear_pooling.h"

namespace tidepool::inline v0_1::detail {

// `function` is the function that was called, `forward` the name of its family's forward function. Gradients are computed by the family's
// other functions, so their errors begin with `forward` and "_backward" or "_double_backward".
Tensor pool(const char* function, const LinearPooling& p, const TensorArg& x);
Tensor pool_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& grad);
Tensor pool_double_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& gg);

}  // namespace tidepool::inline v0_1::detail
