// The p-norm with any kind of windows, on views. A norm is not linear, so its backward passes read the input x of the forward pass. Nothing
// is recorded here: see functional/lp_pool.cc.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// The checked parameters of a call, without its arrays.
struct NormPooling {
  Geometry geometry = {};
  Reduction reduction = {};
};

Tensor forward(const char* function, const NormPooling& p, const TensorView& x);
void forward_into(const char* function, const NormPooling& p, TensorSpan out, const TensorView& x);
// The gradient with respect to x.
Tensor backward(const char* function, const NormPooling& p, const TensorView& grad, const TensorView& x);
void backward_into(const char* function, const NormPooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& x);
// The gradient of the backward pass with respect to grad.
Tensor double_backward(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& x);
// The gradient of the backward pass with respect to x.
Tensor double_backward_input(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& grad, const TensorView& x);

}  // namespace tidepool::inline v0_1::detail
