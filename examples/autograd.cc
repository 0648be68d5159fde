#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

// A custom function with its backward rule, which maps the gradient of the result to the gradient of the input.
tp::Tensor cube(const tp::Tensor& x) {
  const tp::Tensor plain = x.detach();
  return tp::record("cube", {x}, plain * plain * plain,
                    [x = tp::Saved(x)](const tp::Tensor& g) { return tp::Gradients{3 * x.get() * x.get() * g}; });
}

int main() {
  // Max routes the gradient to the winner of each window, average splits it evenly.
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}}).set_requires_grad();
  auto y = tp::max_pool2d(x, 2);
  tp::sum(y).backward();
  std::cout << y[0][0] << "\n" << x.grad()[0][0] << "\n";
  x.zero_grad();
  tp::sum(tp::avg_pool2d(x, 2)).backward();
  std::cout << x.grad()[0][0] << "\n";

  // Second derivatives: the gradient of the gradient of w^3.
  auto w = tp::tensor({1, 2}).set_requires_grad();
  auto slope = tp::grad(tp::sum(cube(w)), {w}, {.create_graph = true})[0];
  auto curve = tp::grad(tp::sum(slope), {w})[0];
  std::cout << "slope " << slope << ", curvature " << curve << "\n";

  // Compares the rule with finite differences. An empty text means that they agree.
  auto z = tp::randn({3}, tp::DType::f64).set_requires_grad();
  const auto f = [](const std::vector<tp::Tensor>& in) { return cube(in[0]); };
  std::cout << "gradcheck: \"" << tp::gradcheck(f, {z}) << tp::gradgradcheck(f, {z}) << "\"\n";

  // A tensor that the backward pass needs was changed in place. This is an error, because the gradient would be wrong.
  auto loss = tp::sum(w * w);
  {
    const tp::NoGrad no_grad;
    w += w;
  }
  try {
    loss.backward();
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
