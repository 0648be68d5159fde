// Max and min pooling with any kind of windows, on views. Nothing is recorded here: see functional/indexed_pooling.h.
#pragma once

#include "ops/call.h"

namespace tidepool::inline v0_1::detail {

// The checked parameters of a call, without its arrays.
struct IndexedPooling {
  Op op = Op::max;
  Geometry geometry = {};
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;
  Tensor starts = {};  // only for fractional windows: see RunArrays::starts
};

struct ValuesAndIndices {
  Tensor values, indices;
};

Tensor forward(const char* function, const IndexedPooling& p, const TensorView& x);
ValuesAndIndices forward_with_indices(const char* function, const IndexedPooling& p, const TensorView& x);
void forward_into(const char* function, const IndexedPooling& p, TensorSpan out, const TensorView& x);
void forward_with_indices_into(const char* function, const IndexedPooling& p, TensorSpan out, TensorSpan indices, const TensorView& x);
// The gradient with respect to the input.
Tensor backward(const char* function, const IndexedPooling& p, const TensorView& grad, const TensorView& indices);
void backward_into(const char* function, const IndexedPooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& indices);
// The gradient with respect to grad: the elements of gg at the indices.
Tensor double_backward(const char* function, const IndexedPooling& p, const TensorView& gg, const TensorView& indices);
void double_backward_into(const char* function, const IndexedPooling& p, TensorSpan out, const TensorView& gg, const TensorView& indices);

}  // namespace tidepool::inline v0_1::detail
