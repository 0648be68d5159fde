// A linear function and its adjoint are each other's gradients, to any order. Every pooling but the norm is linear once its indices are
// known.
#pragma once

#include <functional>
#include <string>

#include "tidepool/autograd.h"

namespace tidepool::detail {

using LinearFn = std::function<Tensor(const Tensor&)>;  // on tensors outside the graph

// Records `value`, which is apply(x), as a function of x.
Tensor record_linear(const std::string& op, const Tensor& x, Tensor value, LinearFn apply, LinearFn adjoint);

// Computes apply(x) and records it.
inline Tensor linear(const std::string& op, const Tensor& x, LinearFn apply, LinearFn adjoint) {
  Tensor value = apply(x.detach());
  return record_linear(op, x, std::move(value), std::move(apply), std::move(adjoint));
}

// The argument as a tensor that a rule can keep: borrowed memory may be gone by the time of the backward pass, so it is copied.
Tensor owned(const TensorArg& x);

}  // namespace tidepool::detail
