#include "functional/indexed_pooling.h"

#include <memory>
#include <string>

#include "functional/linear.h"
#include "functional/pool_trace.h"

namespace tidepool::inline v0_1::detail {
namespace {

// For fixed indices, max pooling is linear: it gathers the elements at the indices, and its adjoint scatters. Derivatives of any order use
// these two passes, which do not search the windows again.
struct Passes {
  const char* forward;  // the name of the forward function
  IndexedPooling p;
  Saved indices;

  Tensor gather(const Tensor& t) const { return double_backward((std::string(forward) + "_double_backward").c_str(), p, t, indices.get()); }
  Tensor scatter(const Tensor& t) const { return backward((std::string(forward) + "_backward").c_str(), p, t, indices.get()); }
};

std::shared_ptr<const Passes> make_passes(const char* forward, const IndexedPooling& p, const Tensor& indices) {
  return std::make_shared<const Passes>(Passes{forward, p, Saved(indices)});
}

}  // namespace

Tensor pool(const char* function, const IndexedPooling& p, const TensorArg& x) {
  if (!recording(x)) return forward(function, p, x.view());
  // Only the backward pass reads these indices, so they use the smallest format: one byte per output for windows of up to 255 elements.
  IndexedPooling compact = p;
  compact.index_base = IndexBase::window;
  return pool_with_indices(function, function, compact, x).values;
}

Pooled pool_with_indices(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& x) {
  auto [values, indices] = forward_with_indices(function, p, x.view());
  if (recording(x)) {
    values = traced(
        forward, {x.tensor()}, [&] { return window_trace(p.geometry); },
        [&, &values = values, &indices = indices] {
          return record_passes(function, *x.tensor(), values, make_passes(forward, p, indices), &Passes::gather, &Passes::scatter);
        });
  }
  return {std::move(values), std::move(indices)};
}

Tensor pool_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& grad, const TensorArg& indices) {
  Tensor value = backward(function, p, grad.view(), indices.view());
  if (!recording(grad)) return value;
  return record_passes(function, *grad.tensor(), std::move(value), make_passes(forward, p, owned(indices)), &Passes::scatter,
                       &Passes::gather);
}

Tensor pool_double_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& gg,
                            const TensorArg& indices) {
  Tensor value = double_backward(function, p, gg.view(), indices.view());
  if (!recording(gg)) return value;
  return record_passes(function, *gg.tensor(), std::move(value), make_passes(forward, p, owned(indices)), &Passes::gather,
                       &Passes::scatter);
}

}  // namespace tidepool::inline v0_1::detail
