// Max pooling and adaptive max pooling: copies and sums of copies, bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "ops/functions.h"

namespace tidepool::golden {

void check_max_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    const Tensor x = input_of(c);
    const MaxPoolOptions<N> o{.kernel_size = extent<N>(c.kernel),
                              .stride = stride_of<N>(c),
                              .padding = padding_of<N>(c),
                              .dilation = extent<N>(c.dilation),
                              .ceil_mode = c.ceil_mode};
    score.count(c, "forward", [&] {
      const auto wrong = difference(c.values, F::max_pool(x, o));
      return wrong ? wrong : difference(c.values, F::max_pool_with_indices(x, o).values);
    });
    score.count(c, "indices", [&] { return difference(c.indices, F::max_pool_with_indices(x, o).indices); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::max_pool_backward(grad_of(c), c.indices, c.shape, o)); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward",
                  [&] { return difference(c.double_backward, F::max_pool_double_backward(grad_grad_of(c), c.indices, o)); });
  });
}

void check_adaptive_max_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    const Tensor x = input_of(c);
    const Extent<N> size = bins_of<N>(c);
    score.count(c, "forward", [&] {
      const auto wrong = difference(c.values, F::adaptive_max_pool(x, size));
      return wrong ? wrong : difference(c.values, F::adaptive_max_pool_with_indices(x, size).values);
    });
    score.count(c, "indices", [&] { return difference(c.indices, F::adaptive_max_pool_with_indices(x, size).indices); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::adaptive_max_pool_backward(grad_of(c), c.indices, c.shape)); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward",
                  [&] { return difference(c.double_backward, F::adaptive_max_pool_double_backward(grad_grad_of(c), c.indices)); });
  });
}

}  // namespace tidepool::golden
