#include "ops/linear_pooling.h"

namespace tidepool::inline v0_1::detail {
namespace {

void run(const char* function, const LinearPooling& p, Pass pass, const TensorView& input, TensorSpan output) {
  detail::run(function, {.op = p.op, .pass = pass, .dtype = input.dtype, .geometry = p.geometry, .reduction = p.reduction},
              {.input = input, .output = output});
}

void check_numbers(const char* function, const TensorView& x) {
  if (x.dtype == DType::boolean) fail(function, ErrorCode::dtype_mismatch, "input must be numbers, got bool");
}

}  // namespace

void forward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& x) {
  check_view(function, "out", out);
  check_numbers(function, x);
  run(function, p, Pass::forward, x, out);
}

Tensor forward(const char* function, const LinearPooling& p, const TensorView& x) {
  check_numbers(function, x);
  Tensor result = allocate_like(x, p.geometry.output_shape(), x.dtype, p.geometry);
  forward_into(function, p, result.span(), x);
  return result;
}

void backward_into(const char* function, const LinearPooling& p, TensorSpan grad_input, const TensorView& grad) {
  check_view(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  check_gradient_dtype(function, grad);
  run(function, p, Pass::backward, grad, grad_input);
}

Tensor backward(const char* function, const LinearPooling& p, const TensorView& grad) {
  check_view(function, "grad", grad);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.geometry.output_shape());
  Tensor result = allocate_like(grad, p.geometry.input_shape(), grad.dtype, p.geometry);
  backward_into(function, p, result.span(), grad);
  return result;
}

void double_backward_into(const char* function, const LinearPooling& p, TensorSpan out, const TensorView& gg) {
  check_view(function, "out", out);
  check_gradient_dtype(function, gg);
  run(function, p, Pass::double_backward, gg, out);
}

Tensor double_backward(const char* function, const LinearPooling& p, const TensorView& gg) {
  check_view(function, "gg", gg);
  check_gradient_dtype(function, gg);
  Tensor result = allocate_like(gg, p.geometry.output_shape(), gg.dtype, p.geometry);
  double_backward_into(function, p, result.span(), gg);
  return result;
}

}  // namespace tidepool::inline v0_1::detail
