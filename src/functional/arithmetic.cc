#include <cmath>

#include "elementwise/elementwise.h"
#include "functional/sum_to.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {

using detail::map;
using detail::sum_to;
using detail::zip;

namespace {

// The result has the dtype of the tensor, so an integer tensor cannot be combined with a fraction such as 1.5. The caller must convert it.
void check_scalar(const char* op, const Tensor& x, double value) {
  if (is_floating(x.dtype()) || (value == std::trunc(value) && std::fabs(value) < 0x1p63)) return;
  throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": a tensor of " + std::string(dtype_name(x.dtype())) +
                                             " takes whole numbers, got " + std::to_string(value) + " (use to(DType::f32) first)");
}

// The scalar in the compute type W. The compute type of integers is uint64_t, which wraps negative numbers.
template <class W>
W scalar_as(double value) {
  if constexpr (std::is_integral_v<W>) {
    return static_cast<W>(static_cast<int64_t>(value));
  } else {
    return static_cast<W>(value);
  }
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  Tensor value = zip<detail::Numeric>("add", a, b, [](auto u, auto v) { return u + v; });
  if (!recording(a) && !recording(b)) return value;
  return record("add", {a, b}, value,
                [sa = a.shape(), sb = b.shape()](const Tensor& g) { return Gradients{sum_to(g, sa), sum_to(g, sb)}; });
}

Tensor sub(const Tensor& a, const Tensor& b) {
  Tensor value = zip<detail::Numeric>("sub", a, b, [](auto u, auto v) { return u - v; });
  if (!recording(a) && !recording(b)) return value;
  return record("sub", {a, b}, value, [sa = a.shape(), sb = b.shape(), second = b.requires_grad()](const Tensor& g) {
    return Gradients{sum_to(g, sa), second ? neg(sum_to(g, sb)) : Tensor()};
  });
}

Tensor mul(const Tensor& a, const Tensor& b) {
  Tensor value = zip<detail::Numeric>("mul", a, b, [](auto u, auto v) { return u * v; });
  if (!recording(a) && !recording(b)) return value;
  return record("mul", {a, b}, value, [a = Saved(a), b = Saved(b)](const Tensor& g) {
    return Gradients{a.requires_grad() ? sum_to(mul(g, b.get()), a.get().shape()) : Tensor(),
                     b.requires_grad() ? sum_to(mul(g, a.get()), b.get().shape()) : Tensor()};
  });
}

Tensor div(const Tensor& a, const Tensor& b) {
  Tensor value = zip("div", a, b, [](auto u, auto v) { return u / v; });
  if (!recording(a) && !recording(b)) return value;
  return record("div", {a, b}, value, [a = Saved(a), b = Saved(b)](const Tensor& g) {
    const Tensor share = div(g, b.get());
    return Gradients{a.requires_grad() ? sum_to(share, a.get().shape()) : Tensor(),
                     b.requires_grad() ? neg(sum_to(div(mul(share, a.get()), b.get()), b.get().shape())) : Tensor()};
  });
}

Tensor add(const Tensor& a, double b) {
  check_scalar("add", a, b);
  Tensor value = map<detail::Numeric>("add", a, [b](auto u) { return u + scalar_as<decltype(u)>(b); });
  if (!recording(a)) return value;
  return record("add", {a}, value, [](const Tensor& g) { return Gradients{g}; });
}

Tensor mul(const Tensor& a, double b) {
  check_scalar("mul", a, b);
  Tensor value = map<detail::Numeric>("mul", a, [b](auto u) { return u * scalar_as<decltype(u)>(b); });
  if (!recording(a)) return value;
  return record("mul", {a}, value, [b](const Tensor& g) { return Gradients{mul(g, b)}; });
}

Tensor sub(const Tensor& a, double b) {
  check_scalar("sub", a, b);
  Tensor value = map<detail::Numeric>("sub", a, [b](auto u) { return u - scalar_as<decltype(u)>(b); });
  if (!recording(a)) return value;
  return record("sub", {a}, value, [](const Tensor& g) { return Gradients{g}; });
}

Tensor div(const Tensor& a, double b) {
  Tensor value = map("div", a, [b](auto u) { return u / static_cast<decltype(u)>(b); });
  if (!recording(a)) return value;
  return record("div", {a}, value, [b](const Tensor& g) { return Gradients{div(g, b)}; });
}

Tensor neg(const Tensor& x) {
  Tensor value = map<detail::Numeric>("neg", x, [](auto u) { return -u; });
  if (!recording(x)) return value;
  return record("neg", {x}, value, [](const Tensor& g) { return Gradients{neg(g)}; });
}

Tensor exp(const Tensor& x) {
  Tensor value = map("exp", x, [](auto u) { return std::exp(u); });
  if (!recording(x)) return value;
  return record_output("exp", {x}, value, [](const Tensor& g, const Tensor& y) { return Gradients{mul(g, y)}; });
}

Tensor log(const Tensor& x) {
  Tensor value = map("log", x, [](auto u) { return std::log(u); });
  if (!recording(x)) return value;
  return record("log", {x}, value, [x = Saved(x)](const Tensor& g) { return Gradients{div(g, x.get())}; });
}

Tensor sqrt(const Tensor& x) {
  Tensor value = map("sqrt", x, [](auto u) { return std::sqrt(u); });
  if (!recording(x)) return value;
  return record_output("sqrt", {x}, value, [](const Tensor& g, const Tensor& y) { return Gradients{div(mul(g, 0.5), y)}; });
}

Tensor pow(const Tensor& x, double exponent) {
  Tensor value = map("pow", x, [exponent](auto u) { return std::pow(u, static_cast<decltype(u)>(exponent)); });
  if (!recording(x)) return value;
  return record("pow", {x}, value, [x = Saved(x), exponent](const Tensor& g) {
    if (exponent == 0) return Gradients{mul(g, 0)};  // x^0 is 1 everywhere; 0 * x^-1 would be NaN at x = 0
    return Gradients{mul(mul(g, pow(x.get(), exponent - 1)), exponent)};
  });
}

}  // namespace tidepool::inline v0_1
