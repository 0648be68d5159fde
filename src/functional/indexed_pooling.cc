#include "functional/indexed_pooling.h"

#include "functional/linear.h"

namespace tidepool::detail {
namespace {

// Once the indices are known, the pooling is linear: it gathers, and its adjoint scatters. Windows are not computed again.
struct Passes {
  Passes(const std::string& forward, IndexedPooling pooling, const Tensor& indices_)
      : p(std::move(pooling)), indices(indices_), gather_name(forward + "_double_backward"), scatter_name(forward + "_backward") {}

  Tensor gather(const Tensor& t) const { return double_backward(gather_name.c_str(), p, t, indices.get()); }
  Tensor scatter(const Tensor& t) const { return backward(scatter_name.c_str(), p, t, indices.get()); }

  IndexedPooling p;
  Saved indices;
  std::string gather_name, scatter_name;
};

Tensor record_passes(const char* function, const char* forward, const IndexedPooling& p, const Tensor& x, Tensor value,
                     const Tensor& indices) {
  const Passes passes(forward, p, indices);
  return record_linear(
      function, x, std::move(value), [passes](const Tensor& t) { return passes.gather(t); },
      [passes](const Tensor& t) { return passes.scatter(t); });
}

}  // namespace

Tensor pool(const char* function, const IndexedPooling& p, const TensorArg& x) {
  if (!recording(x)) return forward(function, p, x.view());
  // Nobody sees these indices, so they take one byte per output where the window has at most 255 cells.
  IndexedPooling compact = p;
  compact.index_base = IndexBase::window;
  return pool_with_indices(function, function, compact, x).values;
}

Pooled pool_with_indices(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& x) {
  auto [values, indices] = forward_with_indices(function, p, x.view());
  if (recording(x)) values = record_passes(function, forward, p, *x.tensor(), values, indices);
  return {std::move(values), std::move(indices)};
}

Tensor pool_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& grad, const TensorArg& indices) {
  Tensor value = backward(function, p, grad.view(), indices.view());
  if (!recording(grad)) return value;
  const Passes passes(forward, p, owned(indices));
  return record_linear(
      function, *grad.tensor(), std::move(value), [passes](const Tensor& t) { return passes.scatter(t); },
      [passes](const Tensor& t) { return passes.gather(t); });
}

Tensor pool_double_backward(const char* function, const char* forward, const IndexedPooling& p, const TensorArg& gg,
                            const TensorArg& indices) {
  Tensor value = double_backward(function, p, gg.view(), indices.view());
  return recording(gg) ? record_passes(function, forward, p, *gg.tensor(), std::move(value), owned(indices)) : value;
}

}  // namespace tidepool::detail
