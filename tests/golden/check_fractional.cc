// Fractional max pooling with PyTorch's samples: bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "tidepool/ops/fractional_max_pool.h"

namespace tidepool::golden {
namespace {

template <int N>
struct Functions;
#define TIDEPOOL_FUNCTIONS(N)                                                           \
  template <>                                                                           \
  struct Functions<N> {                                                                 \
    static constexpr auto values = &fractional_max_pool##N##d;                          \
    static constexpr auto with_indices = &fractional_max_pool##N##d_with_indices;       \
    static constexpr auto backward = &fractional_max_pool##N##d_backward;               \
    static constexpr auto double_backward = &fractional_max_pool##N##d_double_backward; \
  };
TIDEPOOL_FUNCTIONS(2)
TIDEPOOL_FUNCTIONS(3)
#undef TIDEPOOL_FUNCTIONS

template <int N>
void check(const Case& c, Score& score) {
  using F = Functions<N>;
  const Tensor x = input_of(c), samples = samples_of(c);
  const FractionalMaxPoolOptions<N> o{.kernel_size = extent<N>(c.kernel), .output_size = extent<N>(c.output), .samples = samples};
  score.count(c, "forward", [&] {
    const auto wrong = difference(c.values, F::values(x, o));
    return wrong ? wrong : difference(c.values, F::with_indices(x, o).values);
  });
  score.count(c, "indices", [&] { return difference(c.indices, F::with_indices(x, o).indices); });
  if (c.has(has_backward))
    score.count(c, "backward", [&] { return difference(c.grad_input, F::backward(grad_of(c), c.indices, c.shape, o)); });
  if (c.has(has_double_backward))
    score.count(c, "double_backward", [&] { return difference(c.double_backward, F::double_backward(grad_grad_of(c), c.indices, o)); });
}

}  // namespace

void check_fractional_max_pool(const Case& c, Score& score) { c.rank == 2 ? check<2>(c, score) : check<3>(c, score); }

}  // namespace tidepool::golden
