// Bins, and the one bin of global pooling.
#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {

#define TIDEPOOL_ADAPTIVE_POOL(N)                                                                                                      \
  Tensor adaptive_avg_pool##N##d(const Tensor& x, const Extent<N>& size) {                                                             \
    if (!recording(x)) return adaptive_avg_pool##N##d(x.view(), size);                                                                 \
    const auto pool = [size](const Tensor& t) { return adaptive_avg_pool##N##d_double_backward(t.view(), size); };                     \
    const auto spread = [shape = x.shape()](const Tensor& t) { return adaptive_avg_pool##N##d_backward(t.view(), shape); };            \
    return detail::record_linear("adaptive_avg_pool" #N "d", x, adaptive_avg_pool##N##d(x.view(), size), pool, spread);                \
  }                                                                                                                                    \
  Tensor adaptive_max_pool##N##d(const Tensor& x, const Extent<N>& size, const AdaptiveMaxOptions& o) {                                \
    if (!recording(x)) return adaptive_max_pool##N##d(x.view(), size, o);                                                              \
    AdaptiveMaxOptions compact = o;                                                                                                    \
    compact.index_base = IndexBase::window;                                                                                            \
    return adaptive_max_pool##N##d_with_indices(x, size, compact).values;                                                              \
  }                                                                                                                                    \
  Pooled adaptive_max_pool##N##d_with_indices(const Tensor& x, const Extent<N>& size, const AdaptiveMaxOptions& o) {                   \
    Pooled y = adaptive_max_pool##N##d_with_indices(x.view(), size, o);                                                                \
    if (!recording(x)) return y;                                                                                                       \
    const Saved indices(y.indices);                                                                                                    \
    const auto follow = [o, indices](const Tensor& t) { return adaptive_max_pool##N##d_double_backward(t.view(), indices.get(), o); }; \
    const auto scatter = [o, indices, shape = x.shape()](const Tensor& t) {                                                            \
      return adaptive_max_pool##N##d_backward(t.view(), indices.get(), shape, o);                                                      \
    };                                                                                                                                 \
    y.values = detail::record_linear("adaptive_max_pool" #N "d", x, y.values, follow, scatter);                                        \
    return y;                                                                                                                          \
  }                                                                                                                                    \
  Tensor global_avg_pool##N##d(const Tensor& x) {                                                                                      \
    if (!recording(x)) return global_avg_pool##N##d(x.view());                                                                         \
    const auto pool = [](const Tensor& t) { return global_avg_pool##N##d_double_backward(t.view()); };                                 \
    const auto spread = [shape = x.shape()](const Tensor& t) { return global_avg_pool##N##d_backward(t.view(), shape); };              \
    return detail::record_linear("global_avg_pool" #N "d", x, global_avg_pool##N##d(x.view()), pool, spread);                          \
  }                                                                                                                                    \
  Tensor global_sum_pool##N##d(const Tensor& x) {                                                                                      \
    if (!recording(x)) return global_sum_pool##N##d(x.view());                                                                         \
    const auto pool = [](const Tensor& t) { return global_sum_pool##N##d_double_backward(t.view()); };                                 \
    const auto spread = [shape = x.shape()](const Tensor& t) { return global_sum_pool##N##d_backward(t.view(), shape); };              \
    return detail::record_linear("global_sum_pool" #N "d", x, global_sum_pool##N##d(x.view()), pool, spread);                          \
  }                                                                                                                                    \
  Tensor global_max_pool##N##d(const Tensor& x) {                                                                                      \
    if (!recording(x)) return global_max_pool##N##d(x.view());                                                                         \
    return global_max_pool##N##d_with_indices(x).values;                                                                               \
  }                                                                                                                                    \
  Pooled global_max_pool##N##d_with_indices(const Tensor& x) {                                                                         \
    Pooled y = global_max_pool##N##d_with_indices(x.view());                                                                           \
    if (!recording(x)) return y;                                                                                                       \
    const Saved indices(y.indices);                                                                                                    \
    const auto follow = [indices](const Tensor& t) { return global_max_pool##N##d_double_backward(t.view(), indices.get()); };         \
    const auto scatter = [indices, shape = x.shape()](const Tensor& t) {                                                               \
      return global_max_pool##N##d_backward(t.view(), indices.get(), shape);                                                           \
    };                                                                                                                                 \
    y.values = detail::record_linear("global_max_pool" #N "d", x, y.values, follow, scatter);                                          \
    return y;                                                                                                                          \
  }
TIDEPOOL_ADAPTIVE_POOL(1)
TIDEPOOL_ADAPTIVE_POOL(2)
TIDEPOOL_ADAPTIVE_POOL(3)
#undef TIDEPOOL_ADAPTIVE_POOL

}  // namespace tidepool
