#include "ops/linear.h"

namespace tidepool::detail {
namespace {

Problem problem_of(const LinearCall& c, Pass pass, DType dtype) {
  return {.op = c.call.op, .pass = pass, .dtype = dtype, .geometry = c.geometry, .reduction = c.reduction};
}

void check_dtype(const Call& call, const TensorView& x, Pass pass) {
  if (pass != Pass::forward) return check_gradient_dtype(call, x);
  if (x.dtype == DType::boolean) call.fail(ErrorCode::dtype_mismatch, "input must be numbers, got bool");
}

}  // namespace

void linear_forward_into(const LinearCall& c, TensorSpan out, TensorView x, Pass pass) {
  check_view(c.call, "out", out);
  check_dtype(c.call, x, pass);
  run(c.call, problem_of(c, pass, x.dtype), {.input = x, .output = out});
}

Tensor linear_forward(const LinearCall& c, TensorView x, Pass pass) {
  check_dtype(c.call, x, pass);
  Tensor result = allocate_like(x, c.geometry.output_shape(), x.dtype, c.geometry);
  linear_forward_into(c, result.span(), x, pass);
  return result;
}

void linear_backward_into(const LinearCall& c, TensorSpan grad_input, TensorView grad) {
  check_view(c.call, "grad", grad);
  check_gradient_dtype(c.call, grad);
  run(c.call, problem_of(c, Pass::backward, grad.dtype), {.input = grad, .output = grad_input});
}

Tensor linear_backward(const LinearCall& c, TensorView grad) {
  check_view(c.call, "grad", grad);
  check_gradient_dtype(c.call, grad);
  check_shape(c.call, "grad", grad, c.geometry.output_shape());
  Tensor result = allocate_like(grad, c.geometry.input_shape(), grad.dtype, c.geometry);
  linear_backward_into(c, result.span(), grad);
  return result;
}

}  // namespace tidepool::detail
