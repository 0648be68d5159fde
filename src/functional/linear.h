// A linear function and its adjoint are each other's gradients, to any order. Every pooling but the norm is linear once its indices are
// known.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

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

// record_linear with two member functions of `passes`, which both directions share: it holds geometry and indices, which are large.
template <class Passes>
Tensor record_passes(const char* op, const Tensor& x, Tensor value, const std::shared_ptr<const Passes>& passes,
                     Tensor (Passes::*apply)(const Tensor&) const, Tensor (Passes::*adjoint)(const Tensor&) const) {
  return record_linear(
      op, x, std::move(value), [passes, apply](const Tensor& t) { return ((*passes).*apply)(t); },
      [passes, adjoint](const Tensor& t) { return ((*passes).*adjoint)(t); });
}

// The argument as a tensor that a rule can keep: borrowed memory may be gone by the time of the backward pass, so it is copied.
Tensor owned(const TensorArg& x);

}  // namespace tidepool::detail
