#include "ops/indexed_pooling.h"

#include <utility>

namespace tidepool::inline v0_1::detail {
namespace {

void run(const char* function, const IndexedPooling& p, Pass pass, RunArrays&& arrays, bool indices) {
  Problem problem{.op = p.op, .pass = pass, .dtype = arrays.input.dtype, .nan = p.nan, .geometry = p.geometry};
  if (indices) problem.indices = p.index_base;
  if (p.starts.defined()) arrays.starts = p.starts.view();
  detail::run(function, std::move(problem), arrays);
}

}  // namespace

void forward_into(const char* function, const IndexedPooling& p, TensorSpan out, const TensorView& x) {
  check_view(function, "out", out);
  run(function, p, Pass::forward, {.input = x, .output = out}, false);
}

void forward_with_indices_into(const char* function, const IndexedPooling& p, TensorSpan out, TensorSpan indices, const TensorView& x) {
  check_view(function, "out", out);
  check_view(function, "indices", indices);
  run(function, p, Pass::forward, {.input = x, .output = out, .indices_out = indices}, true);
}

Tensor forward(const char* function, const IndexedPooling& p, const TensorView& x) {
  Tensor values = allocate_like(x, p.geometry.output_shape(), x.dtype, p.geometry);
  forward_into(function, p, values.span(), x);
  return values;
}

ValuesAndIndices forward_with_indices(const char* function, const IndexedPooling& p, const TensorView& x) {
  const Dims shape = p.geometry.output_shape();
  ValuesAndIndices result{.values = allocate_like(x, shape, x.dtype, p.geometry),
                          .indices = allocate_like(x, shape, index_dtype(p.index_base, p.geometry, p.nan), p.geometry)};
  forward_with_indices_into(function, p, result.values.span(), result.indices.span(), x);
  return result;
}

void backward_into(const char* function, const IndexedPooling& p, TensorSpan grad_input, const TensorView& grad,
                   const TensorView& indices) {
  check_view(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  check_view(function, "indices", indices);
  run(function, p, Pass::backward, {.input = grad, .output = grad_input, .indices_in = indices}, true);
}

Tensor backward(const char* function, const IndexedPooling& p, const TensorView& grad, const TensorView& indices) {
  check_view(function, "grad", grad);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.geometry.output_shape());
  Tensor result = allocate_like(grad, p.geometry.input_shape(), grad.dtype, p.geometry);
  backward_into(function, p, result.span(), grad, indices);
  return result;
}

void double_backward_into(const char* function, const IndexedPooling& p, TensorSpan out, const TensorView& gg, const TensorView& indices) {
  check_view(function, "gg", gg);
  check_view(function, "out", out);
  check_view(function, "indices", indices);
  run(function, p, Pass::double_backward, {.input = gg, .output = out, .indices_in = indices}, true);
}

Tensor double_backward(const char* function, const IndexedPooling& p, const TensorView& gg, const TensorView& indices) {
  check_view(function, "gg", gg);
  check_gradient_dtype(function, gg);
  Tensor result = allocate_like(gg, p.geometry.output_shape(), gg.dtype, p.geometry);
  double_backward_into(function, p, result.span(), gg, indices);
  return result;
}

}  // namespace tidepool::inline v0_1::detail
