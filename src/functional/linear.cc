#include "functional/linear.h"

namespace tidepool::inline v0_1::detail {

Tensor record_linear(const std::string& op, const Tensor& x, Tensor value, LinearFn apply, LinearFn adjoint) {
  if (!recording(x)) return value;
  return record(op, {x}, std::move(value), [op, apply = std::move(apply), adjoint = std::move(adjoint)](const Tensor& g) {
    return Gradients{linear(op, g, adjoint, apply)};
  });
}

Tensor owned(const TensorArg& x) {
  if (x.tensor() != nullptr) return x.tensor()->detach();
  Tensor copied(x.shape(), x.dtype());
  copy(x, copied.span());
  return copied;
}

}  // namespace tidepool::inline v0_1::detail
