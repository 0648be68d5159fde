// Lp pooling and global Lp pooling: converts options to windows and norm, and calls ops/norm_pooling.h. A norm is not linear, so its
// backward pass depends on the input too and is recorded as a function of two arguments.
#include "tidepool/ops/lp_pool.h"

#include <charconv>
#include <cmath>

#include "functional/bins.h"
#include "functional/function_name.h"
#include "functional/linear.h"
#include "functional/pool_trace.h"
#include "functional/window_options.h"
#include "ops/norm_pooling.h"
#include "tidepool/autograd.h"
#include "tidepool/ops/global_pool.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::check_view;
using detail::function_name_of;
using detail::NormPooling;

double checked_norm(const char* function, double p, bool signed_power) {
  if (p > 0 || (p < 0 && signed_power)) return p;
  char digits[32];
  const std::string got(digits, std::to_chars(digits, digits + sizeof digits, p).ptr);
  detail::fail(function, ErrorCode::invalid_argument,
               std::string("norm_type must be ") + (signed_power ? "a number other than 0" : "above 0") + ", got " + got);
}

template <int N>
NormPooling pooling(const char* function, const Dims& shape, const LpPoolOptions<N>& o) {
  const double p = checked_norm(function, o.norm_type, o.signed_power);
  return {.geometry = Geometry::windowed(function, N, shape, detail::window_options(o)).value(),
          .reduction = {.norm = p, .signed_power = o.signed_power, .scale_overhang = preset_rules(o.preset).scale_overhang}};
}

template <int N>
NormPooling global_pooling(const char* function, const Dims& shape, double norm_type) {
  const double p = checked_norm(function, norm_type, false);
  return {.geometry = detail::bins(function, N, shape, Extent<1>(1)), .reduction = {.norm = p}};
}

// Records `value`, a second derivative, so that a third derivative throws Error. Without a record its gradient would silently be zero.
Tensor fail_at_third_derivative(const std::string& op, const std::vector<Tensor>& inputs, const Tensor& value) {
  return record(op, inputs, value, [op](const Tensor&) -> Gradients {
    throw Error(ErrorCode::unsupported, op + " backward: derivatives must be at most the second, got the third");
  });
}

// Records the backward pass as a function of g and x. Messages about second derivatives begin with `op` + "_double_backward".
Tensor record_backward(const std::string& op, const NormPooling& p, const Tensor& g, const Tensor& x, Tensor value) {
  if (!recording(g) && !recording(x)) return value;
  return record(op, {g, x}, std::move(value), [op, p, g = Saved(g), x = Saved(x)](const Tensor& gg) {
    const std::string name = op + "_double_backward";
    return Gradients{fail_at_third_derivative(op, {gg, x.get()}, detail::double_backward(name.c_str(), p, gg, x.get())),
                     fail_at_third_derivative(op, {gg, g.get(), x.get()},
                                              detail::double_backward_input((name + "_input").c_str(), p, gg, g.get(), x.get()))};
  });
}

Tensor norm(const char* function, const NormPooling& p, const TensorArg& x) {
  Tensor value = detail::forward(function, p, x.view());
  if (!recording(x)) return value;
  return detail::traced(
      function, {x.tensor()}, [&] { return detail::window_trace(p.geometry); },
      [&] {
        return record(function, {*x.tensor()}, std::move(value), [op = std::string(function), p, x = Saved(*x.tensor())](const Tensor& g) {
          return Gradients{record_backward(op, p, g, x.get(), detail::backward((op + "_backward").c_str(), p, g, x.get()))};
        });
      });
}

Tensor norm_backward(const char* function, const char* forward, const NormPooling& p, const TensorArg& grad, const TensorArg& x) {
  Tensor value = detail::backward(function, p, grad.view(), x.view());
  if (!recording(grad) && !recording(x)) return value;
  const auto kept = [](const TensorArg& t) { return t.tensor() != nullptr ? *t.tensor() : detail::owned(t); };
  return record_backward(forward, p, kept(grad), kept(x), std::move(value));
}

// Those arguments that are tensors and not borrowed memory: only they can be recorded.
std::vector<Tensor> tensors(std::initializer_list<const TensorArg*> arguments) {
  std::vector<Tensor> result;
  for (const TensorArg* x : arguments)
    if (x->tensor() != nullptr) result.push_back(*x->tensor());
  return result;
}

Tensor norm_double_backward(const char* function, const NormPooling& p, const TensorArg& gg, const TensorArg& x) {
  return fail_at_third_derivative(function, tensors({&gg, &x}), detail::double_backward(function, p, gg.view(), x.view()));
}

Tensor norm_double_backward_input(const char* function, const NormPooling& p, const TensorArg& gg, const TensorArg& grad,
                                  const TensorArg& x) {
  return fail_at_third_derivative(function, tensors({&gg, &grad, &x}),
                                  detail::double_backward_input(function, p, gg.view(), grad.view(), x.view()));
}

}  // namespace

template <int N>
const char* LpPoolFunctions<N>::name() noexcept {
  return function_name_of<"lp_pool", N>;
}

template <int N>
const char* GlobalLpPoolFunctions<N>::name() noexcept {
  return function_name_of<"global_lp_pool", N>;
}

template <int N>
Tensor LpPoolFunctions<N>::forward(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N>;
  check_view(function, "input", x.view());
  return norm(function, pooling(function, x.shape(), o), x);
}

template <int N>
void LpPoolFunctions<N>::into(TensorSpan out, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N, "_into">;
  check_not_recording(function, "input", x);
  check_view(function, "input", x.view());
  detail::forward_into(function, pooling(function, x.shape(), o), out, x.view());
}

template <int N>
Tensor LpPoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N, "_backward">;
  check_view(function, "x", x.view());
  return norm_backward(function, name(), pooling(function, x.shape(), o), grad, x);
}

template <int N>
void LpPoolFunctions<N>::backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N, "_backward_into">;
  check_not_recording(function, "grad", grad);
  check_not_recording(function, "x", x);
  check_view(function, "x", x.view());
  detail::backward_into(function, pooling(function, x.shape(), o), grad_input, grad.view(), x.view());
}

template <int N>
Tensor LpPoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N, "_double_backward">;
  check_view(function, "x", x.view());
  return norm_double_backward(function, pooling(function, x.shape(), o), gg, x);
}

template <int N>
Tensor LpPoolFunctions<N>::double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"lp_pool", N, "_double_backward_input">;
  check_view(function, "x", x.view());
  return norm_double_backward_input(function, pooling(function, x.shape(), o), gg, grad, x);
}

template <int N>
Dims LpPoolFunctions<N>::shape(const Dims& input_shape, const Options& o) {
  return pooling(function_name_of<"lp_pool", N, "_shape">, input_shape, o).geometry.output_shape();
}

template <int N>
Tensor GlobalLpPoolFunctions<N>::forward(const TensorArg& x, double norm_type) {
  constexpr const char* function = function_name_of<"global_lp_pool", N>;
  check_view(function, "input", x.view());
  return norm(function, global_pooling<N>(function, x.shape(), norm_type), x);
}

template <int N>
Tensor GlobalLpPoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& x, double norm_type) {
  constexpr const char* function = function_name_of<"global_lp_pool", N, "_backward">;
  check_view(function, "x", x.view());
  return norm_backward(function, name(), global_pooling<N>(function, x.shape(), norm_type), grad, x);
}

template <int N>
Tensor GlobalLpPoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& x, double norm_type) {
  constexpr const char* function = function_name_of<"global_lp_pool", N, "_double_backward">;
  check_view(function, "x", x.view());
  return norm_double_backward(function, global_pooling<N>(function, x.shape(), norm_type), gg, x);
}

template <int N>
Tensor GlobalLpPoolFunctions<N>::double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, double norm_type) {
  constexpr const char* function = function_name_of<"global_lp_pool", N, "_double_backward_input">;
  check_view(function, "x", x.view());
  return norm_double_backward_input(function, global_pooling<N>(function, x.shape(), norm_type), gg, grad, x);
}

template struct LpPoolFunctions<1>;
template struct LpPoolFunctions<2>;
template struct LpPoolFunctions<3>;
template struct GlobalLpPoolFunctions<1>;
template struct GlobalLpPoolFunctions<2>;
template struct GlobalLpPoolFunctions<3>;

}  // namespace tidepool::inline v0_1
