// Values back to the cells they came from, zeros elsewhere. Computes on views; nothing is recorded here.
#pragma once

#include "ops/call.h"

namespace tidepool::detail {

// Windows and sizes, checked: everything but the arrays. The planes that indices count in may be a corner of the result.
struct Unpooling {
  Geometry geometry = {};
  IndexBase index_base = IndexBase::plane;
  Dims result = {};
};

Tensor forward(const char* function, const Unpooling& p, const TensorView& x, const TensorView& indices);
void forward_into(const char* function, const Unpooling& p, TensorSpan out, const TensorView& x, const TensorView& indices);
// The gradient of x: the cells of grad at the indices.
Tensor backward(const char* function, const Unpooling& p, const TensorView& grad, const TensorView& indices);
void backward_into(const char* function, const Unpooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& indices);
// The gradient of grad: gg added up at the indices.
Tensor double_backward(const char* function, const Unpooling& p, const TensorView& gg, const TensorView& indices);

}  // namespace tidepool::detail
