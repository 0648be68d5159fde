#include "functional/linear_pooling.h"

#include "functional/linear.h"

namespace tidepool::detail {
namespace {

// Average pooling is linear, so derivatives of any order are the pooling itself (double_backward) or its adjoint (backward).
struct Passes {
  Passes(std::string op, const LinearPooling& pooling)
      : p(pooling), pool_name(op + "_double_backward"), adjoint_name(std::move(op) + "_backward") {}

  Tensor pool(const Tensor& t) const { return double_backward(pool_name.c_str(), p, t); }
  Tensor adjoint(const Tensor& t) const { return backward(adjoint_name.c_str(), p, t); }

  LinearPooling p;
  std::string pool_name, adjoint_name;
};

Tensor record_passes(const char* function, const LinearPooling& p, const Tensor& x, Tensor value) {
  const Passes passes(function, p);
  return record_linear(
      function, x, std::move(value), [passes](const Tensor& t) { return passes.pool(t); },
      [passes](const Tensor& t) { return passes.adjoint(t); });
}

}  // namespace

Tensor pool(const char* function, const LinearPooling& p, const TensorArg& x) {
  Tensor value = forward(function, p, x.view());
  return recording(x) ? record_passes(function, p, *x.tensor(), std::move(value)) : value;
}

Tensor pool_double_backward(const char* function, const LinearPooling& p, const TensorArg& gg) {
  Tensor value = double_backward(function, p, gg.view());
  return recording(gg) ? record_passes(function, p, *gg.tensor(), std::move(value)) : value;
}

Tensor pool_backward(const char* function, const LinearPooling& p, const TensorArg& grad) {
  Tensor value = backward(function, p, grad.view());
  if (!recording(grad)) return value;
  const Passes passes(function, p);
  return record_linear(
      function, *grad.tensor(), std::move(value), [passes](const Tensor& t) { return passes.adjoint(t); },
      [passes](const Tensor& t) { return passes.pool(t); });
}

}  // namespace tidepool::detail
