#include <cmath>
#include <numbers>

#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::map;
using detail::zip;

// The backward pass of relu and leaky_relu: g where y > 0, and slope * g elsewhere. At NaN, relu passes g on and leaky_relu scales it, as
// PyTorch does. It is linear in g and its own adjoint. Its derivative with respect to y is 0 except at y = 0, so y is treated as a
// constant.
Tensor scale_negative(const char* op, const Tensor& g, const Tensor& y, double slope) {
  const auto apply = [op, y = y.detach(), slope](const Tensor& t) {
    if (slope == 0) return zip(op, t, y, [](auto u, auto v) { return v <= 0 ? decltype(u){0} : u; });
    return zip(op, t, y, [slope](auto u, auto v) { return v > 0 ? u : u * static_cast<decltype(u)>(slope); });
  };
  return detail::linear(op, g, apply, apply);
}

// The derivative of gelu: Φ(x) + x φ(x), with the distribution function Φ and the density φ of the normal distribution.
Tensor gelu_derivative(const Tensor& x) {
  Tensor value = map("gelu", x, [](auto u) {
    using W = decltype(u);
    const W density = std::exp(-u * u / 2) * static_cast<W>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return (1 + std::erf(u / std::numbers::sqrt2_v<W>)) / 2 + u * density;
  });
  if (!recording(x)) return value;
  return record("gelu", {x}, value, [x = Saved(x)](const Tensor& g) {
    const Tensor square = mul(x.get(), x.get());
    const Tensor density = mul(exp(mul(square, -0.5)), std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return Gradients{mul(g, mul(density, 2 - square))};
  });
}

}  // namespace

Tensor relu(const Tensor& x) {
  // NaN stays NaN, as in PyTorch.
  Tensor value = map("relu", x, [](auto u) { return u < 0 ? decltype(u){0} : u; });
  if (!recording(x)) return value;
  return record_output("relu", {x}, value, [](const Tensor& g, const Tensor& y) { return Gradients{scale_negative("relu", g, y, 0)}; });
}

Tensor leaky_relu(const Tensor& x, double negative_slope) {
  Tensor value = map("leaky_relu", x, [negative_slope](auto u) { return u > 0 ? u : u * static_cast<decltype(u)>(negative_slope); });
  if (!recording(x)) return value;
  return record("leaky_relu", {x}, value, [x = Saved(x), negative_slope](const Tensor& g) {
    return Gradients{scale_negative("leaky_relu", g, x.get(), negative_slope)};
  });
}

Tensor sigmoid(const Tensor& x) {
  Tensor value = map("sigmoid", x, [](auto u) { return 1 / (1 + std::exp(-u)); });
  if (!recording(x)) return value;
  return record_output("sigmoid", {x}, value, [](const Tensor& g, const Tensor& y) {
    if (!grad_enabled()) return Gradients{zip("sigmoid", g, y, [](auto u, auto v) { return u * v * (1 - v); })};
    return Gradients{mul(g, mul(y, 1 - y))};
  });
}

Tensor tanh(const Tensor& x) {
  Tensor value = map("tanh", x, [](auto u) { return std::tanh(u); });
  if (!recording(x)) return value;
  return record_output("tanh", {x}, value, [](const Tensor& g, const Tensor& y) {
    if (!grad_enabled()) return Gradients{zip("tanh", g, y, [](auto u, auto v) { return u * (1 - v * v); })};
    return Gradients{mul(g, 1 - mul(y, y))};
  });
}

Tensor gelu(const Tensor& x) {
  Tensor value = map("gelu", x, [](auto u) { return u * (1 + std::erf(u / std::numbers::sqrt2_v<decltype(u)>)) / 2; });
  if (!recording(x)) return value;
  return record("gelu", {x}, value, [x = Saved(x)](const Tensor& g) { return Gradients{mul(g, gelu_derivative(x.get()))}; });
}

}  // namespace tidepool::inline v0_1
