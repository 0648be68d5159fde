// Max pooling and adaptive max pooling: copies and sums of copies, bit for bit in every dtype.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool::golden {
namespace {

template <int N>
struct Functions;
#define TIDEPOOL_FUNCTIONS(N)                                                              \
  template <>                                                                              \
  struct Functions<N> {                                                                    \
    static constexpr auto values = &max_pool##N##d;                                        \
    static constexpr auto with_indices = &max_pool##N##d_with_indices;                     \
    static constexpr auto backward = &max_pool##N##d_backward;                             \
    static constexpr auto double_backward = &max_pool##N##d_double_backward;               \
    static constexpr auto bins = &adaptive_max_pool##N##d;                                 \
    static constexpr auto bins_with_indices = &adaptive_max_pool##N##d_with_indices;       \
    static constexpr auto bins_backward = &adaptive_max_pool##N##d_backward;               \
    static constexpr auto bins_double_backward = &adaptive_max_pool##N##d_double_backward; \
  };
TIDEPOOL_FUNCTIONS(1)
TIDEPOOL_FUNCTIONS(2)
TIDEPOOL_FUNCTIONS(3)
#undef TIDEPOOL_FUNCTIONS

}  // namespace

void check_max_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = Functions<N>;
    const Tensor x = input_of(c);
    const MaxPoolOptions<N> o{.kernel_size = extent<N>(c.kernel),
                              .stride = stride_of<N>(c),
                              .padding = padding_of<N>(c),
                              .dilation = extent<N>(c.dilation),
                              .ceil_mode = c.ceil_mode};
    score.count(c, "forward", [&] {
      const auto wrong = difference(c.values, F::values(x, o));
      return wrong ? wrong : difference(c.values, F::with_indices(x, o).values);
    });
    score.count(c, "indices", [&] { return difference(c.indices, F::with_indices(x, o).indices); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::backward(grad_of(c), c.indices, c.shape, o)); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] { return difference(c.double_backward, F::double_backward(grad_grad_of(c), c.indices, o)); });
  });
}

void check_adaptive_max_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = Functions<N>;
    const Tensor x = input_of(c);
    const Extent<N> size = bins_of<N>(c);
    score.count(c, "forward", [&] {
      const auto wrong = difference(c.values, F::bins(x, size, {}));
      return wrong ? wrong : difference(c.values, F::bins_with_indices(x, size, {}).values);
    });
    score.count(c, "indices", [&] { return difference(c.indices, F::bins_with_indices(x, size, {}).indices); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::bins_backward(grad_of(c), c.indices, c.shape, {})); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward",
                  [&] { return difference(c.double_backward, F::bins_double_backward(grad_grad_of(c), c.indices, {})); });
  });
}

}  // namespace tidepool::golden
