// Pooling that is linear in its input and needs no indices: averages and sums over any windows. Computes on views; nothing is recorded
// here.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// Windows and divisors, checked: everything but the arrays.
struct LinearPooling {
  Op op = Op::avg;
  Geometry geometry = {};
  Reduction reduction = {};
};

Tensor forward(const char* function, const LinearPooling& p, const TensorView& x);
void forward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& x);
// The gradient of the input, from the gradient of the output.
Tensor backward(const char* function, const LinearPooling& p, const TensorView& grad);
void backward_into(const char* function, const LinearPooling& p, TensorSpan grad_input, const TensorView& grad);
// The gradient of the output's gradient: the same pooling of gg.
Tensor double_backward(const char* function, const LinearPooling& p, const TensorView& gg);
void double_backward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& gg);

}  // namespace tidepool::detail
