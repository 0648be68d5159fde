// Recording of linear functions. The gradient of a linear function is its adjoint, and the gradient of the adjoint is the function, so two
// functions give derivatives of any order. All pooling except the p-norm is linear for fixed indices.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::detail {

using LinearFn = std::function<Tensor(const Tensor&)>;  // called with detached tensors

// Returns `value`, which must be apply(x), recorded as a function of x.
Tensor record_linear(const std::string& op, const Tensor& x, Tensor value, LinearFn apply, LinearFn adjoint);

// Returns apply(x), recorded.
inline Tensor linear(const std::string& op, const Tensor& x, LinearFn apply, LinearFn adjoint) {
  Tensor value = apply(x.detach());
  return record_linear(op, x, std::move(value), std::move(apply), std::move(adjoint));
}

// record_linear with two member functions of `passes`, which both directions share: it holds geometry and indices, which are large.
template <class Passes>
Tensor record_passes(const char* op, const Tensor& x, Tensor value, const std::shared_ptr<const Passes>& passes,
                     Tensor (Passes::*apply)(const Tensor&) const, Tensor (Passes::*adjoint)(const Tensor&) const) {
  return record_linear(
      op, x, std::move(value), [passes, apply](const Tensor& t) { return ((*passes).*apply)(t); },
      [passes, adjoint](const Tensor& t) { return ((*passes).*adjoint)(t); });
}

// A detached tensor that a rule can capture. Borrowed memory is copied, because it may be freed before the backward pass.
Tensor owned(const TensorArg& x);

}  // namespace tidepool::inline v0_1::detail
