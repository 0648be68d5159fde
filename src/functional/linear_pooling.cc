#include "functional/linear_pooling.h"

#include "functional/linear.h"
#include "functional/pool_trace.h"

namespace tidepool::inline v0_1::detail {
namespace {

// Average pooling is linear, so derivatives of any order are the pooling itself (double_backward) or its adjoint (backward).
struct Passes {
  const char* forward;  // the name of the forward function
  LinearPooling p;

  Tensor pool(const Tensor& t) const { return double_backward((std::string(forward) + "_double_backward").c_str(), p, t); }
  Tensor adjoint(const Tensor& t) const { return backward((std::string(forward) + "_backward").c_str(), p, t); }
};

std::shared_ptr<const Passes> make_passes(const char* forward, const LinearPooling& p) {
  return std::make_shared<const Passes>(Passes{forward, p});
}

}  // namespace

Tensor pool(const char* function, const LinearPooling& p, const TensorArg& x) {
  Tensor value = forward(function, p, x.view());
  if (!recording(x)) return value;
  return traced(
      function, {x.tensor()}, [&] { return window_trace(p.geometry); },
      [&] { return record_passes(function, *x.tensor(), std::move(value), make_passes(function, p), &Passes::pool, &Passes::adjoint); });
}

Tensor pool_double_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& gg) {
  Tensor value = double_backward(function, p, gg.view());
  if (!recording(gg)) return value;
  return record_passes(function, *gg.tensor(), std::move(value), make_passes(forward, p), &Passes::pool, &Passes::adjoint);
}

Tensor pool_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& grad) {
  Tensor value = backward(function, p, grad.view());
  if (!recording(grad)) return value;
  return record_passes(function, *grad.tensor(), std::move(value), make_passes(forward, p), &Passes::adjoint, &Passes::pool);
}

}  // namespace tidepool::inline v0_1::detail
