// Max unpooling: copies, so bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "tidepool/ops/max_unpool.h"

namespace tidepool::golden {
namespace {

template <int N>
struct Functions;
#define TIDEPOOL_FUNCTIONS(N)                                                  \
  template <>                                                                  \
  struct Functions<N> {                                                        \
    static constexpr auto values = &max_unpool##N##d;                          \
    static constexpr auto backward = &max_unpool##N##d_backward;               \
    static constexpr auto double_backward = &max_unpool##N##d_double_backward; \
  };
TIDEPOOL_FUNCTIONS(1)
TIDEPOOL_FUNCTIONS(2)
TIDEPOOL_FUNCTIONS(3)
#undef TIDEPOOL_FUNCTIONS

}  // namespace

void check_max_unpool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = Functions<N>;
    MaxUnpoolOptions<N> o{.kernel_size = extent<N>(c.kernel), .stride = stride_of<N>(c), .padding = padding_of<N>(c)};
    // A size may be given as the spatial part or as the whole shape.
    if (c.size_given) o.output_size = c.seed % 4 < 2 ? c.output : c.output_shape();
    score.count(c, "forward", [&] { return difference(c.values, F::values(input_of(c), c.indices, o)); });
    if (c.has(has_backward)) score.count(c, "backward", [&] { return difference(c.grad_input, F::backward(grad_of(c), c.indices, o)); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] { return difference(c.double_backward, F::double_backward(grad_grad_of(c), c.indices, o)); });
  });
}

}  // namespace tidepool::golden
