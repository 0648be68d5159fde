#include "functional/linear_pooling.h"

#include "functional/linear.h"

namespace tidepool::detail {
namespace {

struct Passes {
  Passes(const std::string& forward, const LinearPooling& pooling)
      : p(pooling), average_name(forward + "_double_backward"), spread_name(forward + "_backward") {}

  Tensor average(const Tensor& t) const { return double_backward(average_name.c_str(), p, t); }
  Tensor spread(const Tensor& t) const { return backward(spread_name.c_str(), p, t); }

  LinearPooling p;
  std::string average_name, spread_name;
};

Tensor record_passes(const char* function, const char* forward, const LinearPooling& p, const Tensor& x, Tensor value) {
  const Passes passes(forward, p);
  return record_linear(
      function, x, std::move(value), [passes](const Tensor& t) { return passes.average(t); },
      [passes](const Tensor& t) { return passes.spread(t); });
}

}  // namespace

Tensor pool(const char* function, const LinearPooling& p, const TensorArg& x) {
  Tensor value = forward(function, p, x.view());
  return recording(x) ? record_passes(function, function, p, *x.tensor(), std::move(value)) : value;
}

Tensor pool_double_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& gg) {
  Tensor value = double_backward(function, p, gg.view());
  return recording(gg) ? record_passes(function, forward, p, *gg.tensor(), std::move(value)) : value;
}

Tensor pool_backward(const char* function, const char* forward, const LinearPooling& p, const TensorArg& grad) {
  Tensor value = backward(function, p, grad.view());
  if (!recording(grad)) return value;
  const Passes passes(forward, p);
  return record_linear(
      function, *grad.tensor(), std::move(value), [passes](const Tensor& t) { return passes.spread(t); },
      [passes](const Tensor& t) { return passes.average(t); });
}

}  // namespace tidepool::detail
