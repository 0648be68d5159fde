// Lp pooling. PyTorch's formula has no absolute value, as with signed_power; where all cells are positive the norm is compared too.
#include <algorithm>
#include <cmath>

#include "golden/arrays.h"
#include "golden/judge.h"
#include "ops/functions.h"
#include "support/tensors.h"

namespace tidepool::golden {
namespace {

// Each power has an error of a few ulp, in PyTorch as here.
constexpr double ulps = 16;

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (double v : numbers)
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  return most;
}

double smallest_nonzero(const std::vector<double>& numbers) {
  double least = HUGE_VAL;
  for (double v : numbers)
    if (v != 0) least = std::min(least, std::abs(v));
  return std::isinf(least) ? 1 : least;
}

// A sum of signed powers may cancel, and its root be far smaller than the norm. The powers of these inputs are exact, so only the
// slopes need more tolerance: they are proportional to root^(1-p). This is the largest ratio to the slopes of the norm.
double steepening(const Case& c, const std::vector<double>& norms) {
  if (!c.marked(lp_signed)) return 1;
  double worst = 1;
  const std::vector<double> roots = test::cells(c.values);
  for (size_t i = 0; i < roots.size(); ++i)
    if (std::isfinite(roots[i]) && roots[i] != 0 && std::isfinite(norms[i])) worst = std::max(worst, norms[i] / std::abs(roots[i]));
  return std::pow(worst, std::max(0.0, c.norm - 1));
}

// A bound on the terms of the second derivative of one window, |x|^(p-2) * norm^(1-p). The terms may cancel, completely for one cell.
double curvature(double p, const std::vector<double>& cells, const std::vector<double>& norms) {
  if (p >= 2) return p / smallest_nonzero(norms);
  const double norm = p < 1 ? largest(norms) : smallest_nonzero(norms);
  return 2 * std::pow(smallest_nonzero(cells), p - 2) * std::pow(norm, 1 - p);
}

}  // namespace

void check_lp_pool(const Case& c, Score& score) {
  for_rank(c, [&]<int N>() {
    using F = test::Functions<N>;
    using Options = LpPoolOptions<N>;
    const Tensor x = input_of(c), grad = grad_of(c), grad_grad = grad_grad_of(c);
    const Options norm{.norm_type = c.norm, .kernel_size = extent<N>(c.kernel), .stride = stride_of<N>(c), .ceil_mode = c.ceil_mode};
    Options power = norm;
    power.signed_power = !std::isinf(c.norm);  // the infinity norm has no signed form
    // The tolerance is relative to the sum of magnitudes, which the same pass over |x| gives.
    const Tensor sizes = magnitudes(x);
    const std::vector<double> norms = test::cells(F::lp_pool(sizes, power));
    const double steeper = steepening(c, norms);
    const auto compare = [&](const Tensor& expected, auto pass, std::vector<double> added, bool skip_nan) {
      for (double& v : added) v *= steeper;
      const Rule rule{.any_nan = true, .any_zero = true, .skip_nan = skip_nan, .magnitudes = std::move(added), .ulps = ulps};
      const auto wrong = difference(expected, pass(power), rule);
      return wrong || c.marked(lp_signed) ? wrong : difference(expected, pass(norm), rule);
    };
    score.count(c, "forward", [&] { return compare(c.values, [&](const Options& o) { return F::lp_pool(x, o); }, norms, false); });
    if (c.has(has_backward))
      score.count(c, "backward", [&] {
        const Tensor added = F::lp_pool_backward(magnitudes(grad), sizes, power);
        return compare(c.grad_input, [&](const Options& o) { return F::lp_pool_backward(grad, x, o); }, test::cells(added), false);
      });
    const bool skip_nan = c.marked(lp_zero_window);
    if (c.has(has_double_backward))
      score.count(c, "double_backward", [&] {
        const Tensor added = F::lp_pool_double_backward(magnitudes(grad_grad), sizes, power);
        return compare(
            c.double_backward, [&](const Options& o) { return F::lp_pool_double_backward(grad_grad, x, o); }, test::cells(added), skip_nan);
      });
    if (c.has(has_double_backward_input))
      score.count(c, "double_backward_input", [&] {
        const double bound = largest(test::cells(grad)) * largest(test::cells(grad_grad)) * curvature(c.norm, test::cells(x), norms);
        return compare(
            c.double_backward_input, [&](const Options& o) { return F::lp_pool_double_backward_input(grad_grad, grad, x, o); },
            std::vector<double>(static_cast<size_t>(x.numel()), bound), skip_nan);
      });
  });
}

}  // namespace tidepool::golden
