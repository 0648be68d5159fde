// Recording of linear functions. The gradient of a linear function is its adjoint, and the gradient of the adjoint is the function, so two
// functions give derivatives of any order. All pooling except the p-norm is linear for fixed indices.
#pragma once

#include <functional>
#include <string>

#include "tidepool/autograd.h"

namespace tidepool::detail {

using LinearFn = std::function<Tensor(const Tensor&)>;  // called with detached tensors

// Returns `value`, which must be apply(x), recorded as a function of x.
Tensor record_linear(const std::string& op, const Tensor& x, Tensor value, LinearFn apply, LinearFn adjoint);

// Returns apply(x), recorded.
inline Tensor linear(const std::string& op, const Tensor& x, LinearFn apply, LinearFn adjoint) {
  Tensor value = apply(x.detach());
  return record_linear(op, x, std::move(value), std::move(apply), std::move(adjoint));
}

// A detached tensor that a rule can capture. Borrowed memory is copied, because it may be freed before the backward pass.
Tensor owned(const TensorArg& x);

}  // namespace tidepool::detail
