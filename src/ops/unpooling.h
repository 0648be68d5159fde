// Max unpooling on views: writes each value to the position that its index gives, and zeros elsewhere. Nothing is recorded here: see
// functional/max_unpool.cc.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// The checked parameters of a call, without its arrays. Indices count in planes of the size that `geometry` has. The planes of the result
// may be larger; the elements that no index can reach, here called margins, are zero.
struct Unpooling {
  Geometry geometry = {};
  IndexBase index_base = IndexBase::plane;
  Dims result = {};  // the shape of the result
};

Tensor forward(const char* function, const Unpooling& p, const TensorView& x, const TensorView& indices);
void forward_into(const char* function, const Unpooling& p, TensorSpan out, const TensorView& x, const TensorView& indices);
// The gradient with respect to x: the elements of grad at the indices.
Tensor backward(const char* function, const Unpooling& p, const TensorView& grad, const TensorView& indices);
void backward_into(const char* function, const Unpooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& indices);
// The gradient with respect to grad: gg, added up at the indices.
Tensor double_backward(const char* function, const Unpooling& p, const TensorView& gg, const TensorView& indices);

}  // namespace tidepool::inline v0_1::detail
