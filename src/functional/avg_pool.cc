// Averages and sums of windows are linear.
#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {

#define TIDEPOOL_AVG_POOL(name, Options)                                                                         \
  Tensor name(const Tensor& x, const Options& o) {                                                               \
    if (!recording(x)) return name(x.view(), o);                                                                 \
    const auto pool = [o](const Tensor& t) { return name##_double_backward(t.view(), o); };                      \
    const auto spread = [o, shape = x.shape()](const Tensor& t) { return name##_backward(t.view(), shape, o); }; \
    return detail::record_linear(#name, x, name(x.view(), o), pool, spread);                                     \
  }
TIDEPOOL_AVG_POOL(avg_pool1d, AvgPoolOptions<1>)
TIDEPOOL_AVG_POOL(avg_pool2d, AvgPoolOptions<2>)
TIDEPOOL_AVG_POOL(avg_pool3d, AvgPoolOptions<3>)
TIDEPOOL_AVG_POOL(sum_pool1d, SumPoolOptions<1>)
TIDEPOOL_AVG_POOL(sum_pool2d, SumPoolOptions<2>)
TIDEPOOL_AVG_POOL(sum_pool3d, SumPoolOptions<3>)
#undef TIDEPOOL_AVG_POOL

}  // namespace tidepool
