// The maxima of windows: linear once it is known which cells won.
#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {

// One byte per output tells the winner of a window of up to 255 cells; a plane's index takes eight.
#define TIDEPOOL_MAX_POOL(name, N)                                                                                                        \
  Tensor name(const Tensor& x, const MaxPoolOptions<N>& o) {                                                                              \
    if (!recording(x)) return name(x.view(), o);                                                                                          \
    MaxPoolOptions<N> compact = o;                                                                                                        \
    compact.index_base = IndexBase::window;                                                                                               \
    return name##_with_indices(x, compact).values;                                                                                        \
  }                                                                                                                                       \
  Pooled name##_with_indices(const Tensor& x, const MaxPoolOptions<N>& o) {                                                               \
    Pooled y = name##_with_indices(x.view(), o);                                                                                          \
    if (!recording(x)) return y;                                                                                                          \
    const Saved indices(y.indices);                                                                                                       \
    const auto follow = [o, indices](const Tensor& t) { return name##_double_backward(t.view(), indices.get(), o); };                     \
    const auto scatter = [o, indices, shape = x.shape()](const Tensor& t) { return name##_backward(t.view(), indices.get(), shape, o); }; \
    y.values = detail::record_linear(#name, x, y.values, follow, scatter);                                                                \
    return y;                                                                                                                             \
  }
TIDEPOOL_MAX_POOL(max_pool1d, 1)
TIDEPOOL_MAX_POOL(max_pool2d, 2)
TIDEPOOL_MAX_POOL(max_pool3d, 3)
TIDEPOOL_MAX_POOL(min_pool1d, 1)
TIDEPOOL_MAX_POOL(min_pool2d, 2)
TIDEPOOL_MAX_POOL(min_pool3d, 3)
#undef TIDEPOOL_MAX_POOL

}  // namespace tidepool
