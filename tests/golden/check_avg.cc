// Average pooling and adaptive average pooling.
#include "golden/arrays.h"
#include "golden/judge.h"
#include "ops/functions.h"
#include "support/tensors.h"

namespace tidepool::golden {

void check_avg_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    AvgPoolOptions<N> o{.kernel_size = extent<N>(c.kernel),
                        .stride = stride_of<N>(c),
                        .padding = padding_of<N>(c),
                        .ceil_mode = c.ceil_mode,
                        .count_include_pad = c.count_include_pad};
    if (c.divisor != 0) o.divisor_override = c.divisor;
    const Rule rule = sum_rule(c);
    score.count(c, "forward", [&] { return difference(c.values, F::avg_pool(input_of(c), o), rule); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] { return difference(c.grad_input, F::avg_pool_backward(grad_of(c), c.shape, o), rule); });
    if (c.has(has_double_backward))
      score.count(c, "double_backward",
                  [&] { return difference(c.double_backward, F::avg_pool_double_backward(grad_grad_of(c), o), rule); });
  });
}

void check_adaptive_avg_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    const Tensor x = input_of(c), grad = grad_of(c), grad_grad = grad_grad_of(c);
    const Extent<N> size = bins_of<N>(c);
    // The tolerance is relative to the sum of magnitudes, which the same pass over |x| gives.
    const auto rule = [&](auto pass) {
      Rule r = sum_rule(c);
      if (c.marked(bin_division)) r.magnitudes = test::cells(pass());
      return r;
    };
    score.count(c, "forward", [&] {
      return difference(c.values, F::adaptive_avg_pool(x, size), rule([&] { return F::adaptive_avg_pool(magnitudes(x), size); }));
    });
    if (c.has(has_backward))
      score.count(c, "backward", [&] {
        return difference(c.grad_input, F::adaptive_avg_pool_backward(grad, c.shape),
                          rule([&] { return F::adaptive_avg_pool_backward(magnitudes(grad), c.shape); }));
      });
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] {
        return difference(c.double_backward, F::adaptive_avg_pool_double_backward(grad_grad, size),
                          rule([&] { return F::adaptive_avg_pool_double_backward(magnitudes(grad_grad), size); }));
      });
  });
}

}  // namespace tidepool::golden
