// Max unpooling: copies, so bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "ops/functions.h"

namespace tidepool::golden {

void check_max_unpool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    MaxUnpoolOptions<N> o{.kernel_size = extent<N>(c.kernel), .stride = stride_of<N>(c), .padding = padding_of<N>(c)};
    // A size may be given as the spatial part or as the whole shape.
    if (c.size_given) o.output_size = c.seed % 4 < 2 ? c.output : c.output_shape();
    score.count(c, "forward", [&] { return difference(c.values, F::max_unpool(input_of(c), c.indices, o)); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::max_unpool_backward(grad_of(c), c.indices, o)); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward",
                  [&] { return difference(c.double_backward, F::max_unpool_double_backward(grad_grad_of(c), c.indices, o)); });
  });
}

}  // namespace tidepool::golden
