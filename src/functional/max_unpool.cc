#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {

// Where two values meet in a cell, the last one stays, yet both receive its gradient, as in PyTorch: the backward pass is no exact adjoint
// there, and is differentiated as what it is.
#define TIDEPOOL_MAX_UNPOOL(N)                                                                                                 \
  Tensor max_unpool##N##d(const Tensor& x, const Tensor& indices, const MaxUnpoolOptions<N>& o) {                              \
    Tensor value = max_unpool##N##d(x.view(), indices.view(), o);                                                              \
    if (!recording(x)) return value;                                                                                           \
    return record("max_unpool" #N "d", {x}, value, [o, where = Saved(indices)](const Tensor& g) {                              \
      const auto gather = [o, where](const Tensor& t) { return max_unpool##N##d_backward(t.view(), where.get(), o); };         \
      const auto scatter = [o, where](const Tensor& t) { return max_unpool##N##d_double_backward(t.view(), where.get(), o); }; \
      return Gradients{detail::linear("max_unpool" #N "d", g, gather, scatter)};                                               \
    });                                                                                                                        \
  }
TIDEPOOL_MAX_UNPOOL(1)
TIDEPOOL_MAX_UNPOOL(2)
TIDEPOOL_MAX_UNPOOL(3)
#undef TIDEPOOL_MAX_UNPOOL

}  // namespace tidepool
