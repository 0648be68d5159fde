// Passes of ops that are linear in their input and need no indices: average and sum over any windows.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// One call with its windows and reduction settled: everything but the arrays.
struct LinearCall {
  Call call;
  Geometry geometry;
  Reduction reduction;
};

Tensor linear_forward(const LinearCall& c, TensorView x, Pass pass);
void linear_forward_into(const LinearCall& c, TensorSpan out, TensorView x, Pass pass);
Tensor linear_backward(const LinearCall& c, TensorView grad);
void linear_backward_into(const LinearCall& c, TensorSpan grad_input, TensorView grad);

}  // namespace tidepool::detail
