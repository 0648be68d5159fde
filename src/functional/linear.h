// A linear function and its adjoint are each other's gradients, to any order. Every pooling but the norms is one once its indices are
// known.
#pragma once

#include <functional>
#include <string>

#include "tidepool/autograd.h"

namespace tidepool::detail {

using LinearFn = std::function<Tensor(const Tensor&)>;  // on tensors outside the graph

// value is apply(x), computed already.
Tensor record_linear(const std::string& op, const Tensor& x, Tensor value, LinearFn apply, LinearFn adjoint);

inline Tensor linear(const std::string& op, const Tensor& x, LinearFn apply, LinearFn adjoint) {
  Tensor value = apply(x.detach());
  return record_linear(op, x, std::move(value), std::move(apply), std::move(adjoint));
}

}  // namespace tidepool::detail
