// Average and sum pooling with any kind of windows, on views. Nothing is recorded here: see functional/linear_pooling.h.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// The checked parameters of a call, without its arrays.
struct LinearPooling {
  Op op = Op::avg;
  Geometry geometry = {};
  Reduction reduction = {};
};

Tensor forward(const char* function, const LinearPooling& p, const TensorView& x);
void forward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& x);
// The gradient with respect to the input.
Tensor backward(const char* function, const LinearPooling& p, const TensorView& grad);
void backward_into(const char* function, const LinearPooling& p, TensorSpan grad_input, const TensorView& grad);
// The gradient with respect to grad: the pooling of gg.
Tensor double_backward(const char* function, const LinearPooling& p, const TensorView& gg);
void double_backward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& gg);

}  // namespace tidepool::inline v0_1::detail
