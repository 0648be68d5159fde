// Average pooling and adaptive average pooling.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "support/tensors.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"

namespace tidepool::golden {
namespace {

template <int N>
struct Functions;
#define TIDEPOOL_FUNCTIONS(N)                                                              \
  template <>                                                                              \
  struct Functions<N> {                                                                    \
    static constexpr auto values = &avg_pool##N##d;                                        \
    static constexpr auto backward = &avg_pool##N##d_backward;                             \
    static constexpr auto double_backward = &avg_pool##N##d_double_backward;               \
    static constexpr auto bins = &adaptive_avg_pool##N##d;                                 \
    static constexpr auto bins_backward = &adaptive_avg_pool##N##d_backward;               \
    static constexpr auto bins_double_backward = &adaptive_avg_pool##N##d_double_backward; \
  };
TIDEPOOL_FUNCTIONS(1)
TIDEPOOL_FUNCTIONS(2)
TIDEPOOL_FUNCTIONS(3)
#undef TIDEPOOL_FUNCTIONS

}  // namespace

void check_avg_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = Functions<N>;
    AvgPoolOptions<N> o{.kernel_size = extent<N>(c.kernel),
                        .stride = stride_of<N>(c),
                        .padding = padding_of<N>(c),
                        .ceil_mode = c.ceil_mode,
                        .count_include_pad = c.count_include_pad};
    if (c.divisor != 0) o.divisor_override = c.divisor;
    const Rule rule = sum_rule(c);
    score.count(c, "forward", [&] { return difference(c.values, F::values(input_of(c), o), rule); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::backward(grad_of(c), c.shape, o), rule); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] { return difference(c.double_backward, F::double_backward(grad_grad_of(c), o), rule); });
  });
}

void check_adaptive_avg_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = Functions<N>;
    const Tensor x = input_of(c), grad = grad_of(c), grad_grad = grad_grad_of(c);
    const Extent<N> size = bins_of<N>(c);
    // What was added up is the same pass over magnitudes.
    const auto rule = [&](auto pass) {
      Rule r = sum_rule(c);
      if (c.marked(bin_division)) r.magnitudes = test::cells(pass());
      return r;
    };
    score.count(c, "forward", [&] { return difference(c.values, F::bins(x, size), rule([&] { return F::bins(magnitudes(x), size); })); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] {
        return difference(c.grad_input, F::bins_backward(grad, c.shape), rule([&] { return F::bins_backward(magnitudes(grad), c.shape); }));
      });
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] {
        return difference(c.double_backward, F::bins_double_backward(grad_grad, size),
                          rule([&] { return F::bins_double_backward(magnitudes(grad_grad), size); }));
      });
  });
}

}  // namespace tidepool::golden
