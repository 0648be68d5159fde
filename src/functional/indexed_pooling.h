// Max and min pooling with any kind of windows: calls ops/indexed_pooling.h and records the call if gradients are required.
#pragma once

#include "ops/indexed_pooling.h"
#include "tidepool/ops/pooled.h"

namespace tidepool::inline v0_1::detail {

// `function` is the function that was called, `forward` the name of its family's forward function. Gradients are computed by the family's
// other functions, so their errors begin with `forward` and "_backward" or "_double_backward".
Tensor pool(const char* function, const IndexedPooling& p, const TensorArg& x);
Pooled pool_with_indices(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& x);
Tensor pool_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& grad, const TensorArg& indices);
Tensor pool_double_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& gg,
                            const TensorArg& indices);

}  // namespace tidepool::inline v0_1::detail
