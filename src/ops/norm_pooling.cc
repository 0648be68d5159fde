#include "ops/norm_pooling.h"

namespace tidepool::inline v0_1::detail {
namespace {

void run(const char* function, const NormPooling& p, Pass pass, const RunArrays& arrays) {
  detail::run(function, {.op = Op::lp, .pass = pass, .dtype = arrays.input.dtype, .geometry = p.geometry, .reduction = p.reduction},
              arrays);
}

void check_floating(const char* function, const TensorView& x) {
  if (!is_floating(x.dtype))
    fail(function, ErrorCode::dtype_mismatch,
         "input must be floating, a norm is seldom an integer, got " + std::string(dtype_name(x.dtype)));
}

}  // namespace

void forward_into(const char* function, const NormPooling& p, TensorSpan out, const TensorView& x) {
  check_view(function, "input", x);
  check_view(function, "out", out);
  check_floating(function, x);
  run(function, p, Pass::forward, {.input = x, .output = out});
}

Tensor forward(const char* function, const NormPooling& p, const TensorView& x) {
  check_view(function, "input", x);
  check_floating(function, x);
  Tensor result = allocate_like(x, p.geometry.output_shape(), x.dtype, p.geometry);
  forward_into(function, p, result.span(), x);
  return result;
}

void backward_into(const char* function, const NormPooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& x) {
  check_view(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  check_view(function, "x", x);
  check_gradient_dtype(function, grad);
  run(function, p, Pass::backward, {.input = grad, .output = grad_input, .saved = x});
}

Tensor backward(const char* function, const NormPooling& p, const TensorView& grad, const TensorView& x) {
  check_view(function, "grad", grad);
  check_view(function, "x", x);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.geometry.output_shape());
  Tensor result = allocate_like(x, p.geometry.input_shape(), grad.dtype, p.geometry);
  backward_into(function, p, result.span(), grad, x);
  return result;
}

Tensor double_backward(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& x) {
  check_view(function, "gg", gg);
  check_view(function, "x", x);
  check_gradient_dtype(function, gg);
  check_shape(function, "gg", gg, p.geometry.input_shape());
  Tensor result = allocate_like(x, p.geometry.output_shape(), gg.dtype, p.geometry);
  run(function, p, Pass::double_backward, {.input = gg, .output = result.span(), .saved = x});
  return result;
}

Tensor double_backward_input(const char* function, const NormPooling& p, const TensorView& gg, const TensorView& grad,
                             const TensorView& x) {
  check_view(function, "gg", gg);
  check_view(function, "grad", grad);
  check_view(function, "x", x);
  check_gradient_dtype(function, gg);
  check_shape(function, "gg", gg, p.geometry.input_shape());
  Tensor result = allocate_like(x, p.geometry.input_shape(), gg.dtype, p.geometry);
  run(function, p, Pass::double_backward_input, {.input = gg, .output = result.span(), .saved = x, .grad = grad});
  return result;
}

}  // namespace tidepool::inline v0_1::detail
