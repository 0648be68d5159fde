// The p-norm over any windows. A norm is not linear: its passes read the input of the forward pass. Computes on views; nothing is recorded
// here.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// Windows and norm, checked: everything but the arrays.
struct NormPooling {
  Geometry geometry = {};
  Reduction reduction = {};
};

Tensor forward(const char* function, const NormPooling& p, const TensorView& x);
void forward_into(const char* function, const NormPooling& p, TensorSpan out, const TensorView& x);
// The gradient of the input, from the gradient of the output.
Tensor backward(const char* function, const NormPooling& p, const TensorView& grad, const TensorView& x);
void backward_into(const char* function, const NormPooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& x);
// The gradients of the backward pass: of the output's gradient,
Tensor double_backward(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& x);
// and of the input.
Tensor double_backward_input(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& grad, const TensorView& x);

}  // namespace tidepool::detail
