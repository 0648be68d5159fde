#include "tidepool/ops/lp_pool.h"

#include <charconv>
#include <cmath>

#include "ops/call.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::check_view;

// One call with its windows and norm settled: everything but the arrays.
struct LpCall {
  Call call;
  Geometry geometry;
  Reduction reduction;
};

double checked_norm(const Call& call, double p, bool signed_power) {
  if (p > 0 || (p < 0 && signed_power)) return p;
  char digits[32];
  const std::string got(digits, std::to_chars(digits, digits + sizeof digits, p).ptr);
  call.fail(ErrorCode::invalid_argument,
            std::string("norm_type must be ") + (signed_power ? "a number other than 0" : "above 0") + ", got " + got);
}

template <int N>
LpCall prepare(const char* suffix, const Dims& shape, const LpPoolOptions<N>& o) {
  Call call(Op::lp, N, suffix);
  const double p = checked_norm(call, o.norm_type, o.signed_power);
  const Geometry g = Geometry::windowed(call.function, N, shape, detail::window_options(o)).value();
  return {std::move(call), g, {.norm = p, .signed_power = o.signed_power, .scale_overhang = preset_rules(o.preset).scale_overhang}};
}

template <int N>
LpCall prepare_global(const char* suffix, const Dims& shape, double norm_type) {
  Call call(Op::lp, N, "global_" + function_name(Op::lp, N) + suffix);
  const double p = checked_norm(call, norm_type, false);
  const Geometry g = Geometry::adaptive(call.function, N, shape, Extent<1>(1)).value();
  return {std::move(call), g, {.norm = p}};
}

Problem problem_of(const LpCall& c, Pass pass, DType dtype) {
  return {.op = Op::lp, .pass = pass, .dtype = dtype, .geometry = c.geometry, .reduction = c.reduction};
}

void check_dtype(const LpCall& c, const TensorView& x) {
  if (!is_floating(x.dtype))
    c.call.fail(ErrorCode::dtype_mismatch, "input must be floating, a norm is seldom an integer, got " + std::string(dtype_name(x.dtype)));
}

void forward_into(const LpCall& c, TensorSpan out, TensorView x) {
  check_view(c.call, "input", x);
  check_view(c.call, "out", out);
  check_dtype(c, x);
  detail::run(c.call, problem_of(c, Pass::forward, x.dtype), {.input = x, .output = out});
}

Tensor forward(const LpCall& c, TensorView x) {
  check_view(c.call, "input", x);
  check_dtype(c, x);
  Tensor result = detail::allocate_like(x, c.geometry.output_shape(), x.dtype, c.geometry);
  forward_into(c, result.span(), x);
  return result;
}

void backward_into(const LpCall& c, TensorSpan grad_input, TensorView grad, TensorView x) {
  check_view(c.call, "grad", grad);
  check_view(c.call, "grad_input", grad_input);
  check_view(c.call, "x", x);
  detail::check_gradient_dtype(c.call, grad);
  detail::run(c.call, problem_of(c, Pass::backward, grad.dtype), {.input = grad, .output = grad_input, .saved = x});
}

Tensor backward(const LpCall& c, TensorView grad, TensorView x) {
  check_view(c.call, "grad", grad);
  check_view(c.call, "x", x);
  detail::check_gradient_dtype(c.call, grad);
  detail::check_shape(c.call, "grad", grad, c.geometry.output_shape());
  Tensor result = detail::allocate_like(x, c.geometry.input_shape(), grad.dtype, c.geometry);
  backward_into(c, result.span(), grad, x);
  return result;
}

Tensor double_backward(const LpCall& c, TensorView gg, TensorView x) {
  check_view(c.call, "gg", gg);
  check_view(c.call, "x", x);
  detail::check_gradient_dtype(c.call, gg);
  detail::check_shape(c.call, "gg", gg, c.geometry.input_shape());
  Tensor result = detail::allocate_like(x, c.geometry.output_shape(), gg.dtype, c.geometry);
  detail::run(c.call, problem_of(c, Pass::double_backward, gg.dtype), {.input = gg, .output = result.span(), .saved = x});
  return result;
}

Tensor double_backward_input(const LpCall& c, TensorView gg, TensorView grad, TensorView x) {
  check_view(c.call, "gg", gg);
  check_view(c.call, "grad", grad);
  check_view(c.call, "x", x);
  detail::check_gradient_dtype(c.call, gg);
  detail::check_shape(c.call, "gg", gg, c.geometry.input_shape());
  Tensor result = detail::allocate_like(x, c.geometry.input_shape(), gg.dtype, c.geometry);
  detail::run(c.call, problem_of(c, Pass::double_backward_input, gg.dtype),
              {.input = gg, .output = result.span(), .saved = x, .grad = grad});
  return result;
}

}  // namespace

#define TIDEPOOL_LP_POOL(N)                                                                                                                \
  Tensor lp_pool##N##d(TensorView x, const LpPoolOptions<N>& o) { return forward(prepare("", x.shape, o), x); }                            \
  void lp_pool##N##d_into(TensorSpan out, TensorView x, const LpPoolOptions<N>& o) { forward_into(prepare("_into", x.shape, o), out, x); } \
  Tensor lp_pool##N##d_backward(TensorView grad, TensorView x, const LpPoolOptions<N>& o) {                                                \
    return backward(prepare("_backward", x.shape, o), grad, x);                                                                            \
  }                                                                                                                                        \
  void lp_pool##N##d_backward_into(TensorSpan grad_input, TensorView grad, TensorView x, const LpPoolOptions<N>& o) {                      \
    backward_into(prepare("_backward_into", x.shape, o), grad_input, grad, x);                                                             \
  }                                                                                                                                        \
  Tensor lp_pool##N##d_double_backward(TensorView gg, TensorView x, const LpPoolOptions<N>& o) {                                           \
    return double_backward(prepare("_double_backward", x.shape, o), gg, x);                                                                \
  }                                                                                                                                        \
  Tensor lp_pool##N##d_double_backward_input(TensorView gg, TensorView grad, TensorView x, const LpPoolOptions<N>& o) {                    \
    return double_backward_input(prepare("_double_backward_input", x.shape, o), gg, grad, x);                                              \
  }                                                                                                                                        \
  Dims lp_pool##N##d_shape(const Dims& input_shape, const LpPoolOptions<N>& o) {                                                           \
    return prepare("_shape", input_shape, o).geometry.output_shape();                                                                      \
  }                                                                                                                                        \
  Tensor global_lp_pool##N##d(TensorView x, double p) { return forward(prepare_global<N>("", x.shape, p), x); }                            \
  Tensor global_lp_pool##N##d_backward(TensorView grad, TensorView x, double p) {                                                          \
    return backward(prepare_global<N>("_backward", x.shape, p), grad, x);                                                                  \
  }                                                                                                                                        \
  Tensor global_lp_pool##N##d_double_backward(TensorView gg, TensorView x, double p) {                                                     \
    return double_backward(prepare_global<N>("_double_backward", x.shape, p), gg, x);                                                      \
  }                                                                                                                                        \
  Tensor global_lp_pool##N##d_double_backward_input(TensorView gg, TensorView grad, TensorView x, double p) {                              \
    return double_backward_input(prepare_global<N>("_double_backward_input", x.shape, p), gg, grad, x);                                    \
  }
TIDEPOOL_LP_POOL(1)
TIDEPOOL_LP_POOL(2)
TIDEPOOL_LP_POOL(3)
#undef TIDEPOOL_LP_POOL

}  // namespace tidepool
