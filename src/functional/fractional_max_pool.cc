#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {
namespace {

// Options that outlive the call: samples are borrowed, the tape needs its own.
template <int N>
struct KeptOptions {
  explicit KeptOptions(const FractionalMaxPoolOptions<N>& o) : options(o) {
    if (o.samples.data == nullptr) return;
    samples =
        Tensor(nullptr, TensorSpan{{const_cast<std::byte*>(o.samples.data), o.samples.dtype, o.samples.shape, o.samples.strides}}).clone();
  }
  FractionalMaxPoolOptions<N> get() const {
    FractionalMaxPoolOptions<N> result = options;
    if (samples.defined()) result.samples = samples.view();
    return result;
  }

  FractionalMaxPoolOptions<N> options;
  Tensor samples;
};

}  // namespace

#define TIDEPOOL_FRACTIONAL_MAX_POOL(N)                                                                  \
  Tensor fractional_max_pool##N##d(const Tensor& x, const FractionalMaxPoolOptions<N>& o) {              \
    if (!recording(x)) return fractional_max_pool##N##d(x.view(), o);                                    \
    FractionalMaxPoolOptions<N> compact = o;                                                             \
    compact.index_base = IndexBase::window;                                                              \
    return fractional_max_pool##N##d_with_indices(x, compact).values;                                    \
  }                                                                                                      \
  Pooled fractional_max_pool##N##d_with_indices(const Tensor& x, const FractionalMaxPoolOptions<N>& o) { \
    Pooled y = fractional_max_pool##N##d_with_indices(x.view(), o);                                      \
    if (!recording(x)) return y;                                                                         \
    const KeptOptions<N> kept(o);                                                                        \
    const Saved indices(y.indices);                                                                      \
    const auto follow = [kept, indices](const Tensor& t) {                                               \
      return fractional_max_pool##N##d_double_backward(t.view(), indices.get(), kept.get());             \
    };                                                                                                   \
    const auto scatter = [kept, indices, shape = x.shape()](const Tensor& t) {                           \
      return fractional_max_pool##N##d_backward(t.view(), indices.get(), shape, kept.get());             \
    };                                                                                                   \
    y.values = detail::record_linear("fractional_max_pool" #N "d", x, y.values, follow, scatter);        \
    return y;                                                                                            \
  }
TIDEPOOL_FRACTIONAL_MAX_POOL(2)
TIDEPOOL_FRACTIONAL_MAX_POOL(3)
#undef TIDEPOOL_FRACTIONAL_MAX_POOL

}  // namespace tidepool
