// Fractional max pooling with PyTorch's samples: bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "ops/functions.h"

namespace tidepool::golden {
namespace {

template <int N>
void check(const Case& c, Score& score) {
  using F = test::Functions<N>;
  const Tensor x = input_of(c), samples = samples_of(c);
  const FractionalMaxPoolOptions<N> o{.kernel_size = extent<N>(c.kernel), .output_size = extent<N>(c.output), .samples = samples};
  score.count(c, "forward", [&] {
    const auto wrong = difference(c.values, F::fractional_max_pool(x, o));
    return wrong ? wrong : difference(c.values, F::fractional_max_pool_with_indices(x, o).values);
  });
  score.count(c, "indices", [&] { return difference(c.indices, F::fractional_max_pool_with_indices(x, o).indices); });
  if (c.has(has_backward))
    score.count(c, "backward",
                [&] { return difference(c.grad_input, F::fractional_max_pool_backward(grad_of(c), c.indices, c.shape, o)); });
  if (c.has(has_double_backward))
    score.count(c, "double_backward",
                [&] { return difference(c.double_backward, F::fractional_max_pool_double_backward(grad_grad_of(c), c.indices, o)); });
}

}  // namespace

void check_fractional_max_pool(const Case& c, Score& score) { c.rank == 2 ? check<2>(c, score) : check<3>(c, score); }

}  // namespace tidepool::golden
