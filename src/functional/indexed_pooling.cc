#include "functional/indexed_pooling.h"

#include "functional/linear.h"

namespace tidepool::detail {
namespace {

// For fixed indices, max pooling is linear: it gathers the elements at the indices, and its adjoint scatters. Derivatives of any order use
// these two passes, which do not search the windows again.
struct Passes {
  Passes(std::string op, IndexedPooling pooling, const Tensor& indices_)
      : p(std::move(pooling)), indices(indices_), gather_name(op + "_double_backward"), scatter_name(std::move(op) + "_backward") {}

  Tensor gather(const Tensor& t) const { return double_backward(gather_name.c_str(), p, t, indices.get()); }
  Tensor scatter(const Tensor& t) const { return backward(scatter_name.c_str(), p, t, indices.get()); }

  IndexedPooling p;
  Saved indices;
  std::string gather_name, scatter_name;
};

Tensor record_passes(const char* function, const IndexedPooling& p, const Tensor& x, Tensor value, const Tensor& indices) {
  const Passes passes(function, p, indices);
  return record_linear(
      function, x, std::move(value), [passes](const Tensor& t) { return passes.gather(t); },
      [passes](const Tensor& t) { return passes.scatter(t); });
}

}  // namespace

Tensor pool(const char* function, const IndexedPooling& p, const TensorArg& x) {
  if (!recording(x)) return forward(function, p, x.view());
  // Only the backward pass reads these indices, so they use the smallest format: one byte per output for windows of up to 255 elements.
  IndexedPooling compact = p;
  compact.index_base = IndexBase::window;
  return pool_with_indices(function, compact, x).values;
}

Pooled pool_with_indices(const char* function, const IndexedPooling& p, const TensorArg& x) {
  auto [values, indices] = forward_with_indices(function, p, x.view());
  if (recording(x)) values = record_passes(function, p, *x.tensor(), values, indices);
  return {std::move(values), std::move(indices)};
}

Tensor pool_backward(const char* function, const IndexedPooling& p, const TensorArg& grad, const TensorArg& indices) {
  Tensor value = backward(function, p, grad.view(), indices.view());
  if (!recording(grad)) return value;
  const Passes passes(function, p, owned(indices));
  return record_linear(
      function, *grad.tensor(), std::move(value), [passes](const Tensor& t) { return passes.scatter(t); },
      [passes](const Tensor& t) { return passes.gather(t); });
}

Tensor pool_double_backward(const char* function, const IndexedPooling& p, const TensorArg& gg, const TensorArg& indices) {
  Tensor value = double_backward(function, p, gg.view(), indices.view());
  return recording(gg) ? record_passes(function, p, *gg.tensor(), std::move(value), owned(indices)) : value;
}

}  // namespace tidepool::detail
