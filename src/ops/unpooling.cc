#include "ops/unpooling.h"

#include "plan/overlap.h"

namespace tidepool::detail {
namespace {

// The planes that indices count in, as part of `whole`.
template <class View>
View corner_of(const Unpooling& p, View whole) {
  whole.shape = p.geometry.input_shape();
  return whole;
}

void run(const char* function, const Unpooling& p, Pass pass, const RunArrays& arrays) {
  detail::run(function, {.op = Op::unpool, .pass = pass, .dtype = arrays.input.dtype, .indices = p.index_base, .geometry = p.geometry},
              arrays);
}

// The plan checks the corner alone for overlap; this checks the margins beside it.
void check_margins(const char* function, const Unpooling& p, const TensorSpan& out, const TensorView& x, const TensorView& indices) {
  if (out.shape == p.geometry.input_shape()) return;
  if (overlaps_itself(out)) fail(function, ErrorCode::aliasing, "out overlaps itself");
  if (may_overlap(out, x)) fail(function, ErrorCode::aliasing, "out overlaps input");
  if (may_overlap(out, indices)) fail(function, ErrorCode::aliasing, "out overlaps indices");
}

void clear_margins(const Unpooling& p, const TensorSpan& out) {
  constexpr uint64_t zero = 0;
  const Dims inner = p.geometry.input_shape();
  for (int dim = 0; dim < out.rank(); ++dim) {
    if (out.size(dim) == inner[dim]) continue;
    TensorSpan rest = out;
    rest.data += inner[dim] * out.stride(dim) * dtype_size(out.dtype);
    rest.shape[dim] -= inner[dim];
    TensorView zeros = rest;
    zeros.data = reinterpret_cast<const std::byte*>(&zero);
    zeros.strides.values.fill(0);
    copy(zeros, rest);
  }
}

void place_into(const char* function, const Unpooling& p, Pass pass, TensorSpan out, const TensorView& x, const TensorView& indices) {
  check_view(function, "out", out);
  check_view(function, "input", x);
  check_view(function, "indices", indices);
  check_shape(function, "out", out, p.result);
  check_margins(function, p, out, x, indices);
  run(function, p, pass, {.input = x, .output = corner_of(p, out), .indices_in = indices});
  clear_margins(p, out);
}

Tensor place(const char* function, const Unpooling& p, Pass pass, const TensorView& x, const TensorView& indices) {
  check_view(function, "input", x);
  check_shape(function, "input", x, p.geometry.output_shape());
  if (pass != Pass::forward) check_gradient_dtype(function, x);
  Tensor result = allocate_like(x, p.result, x.dtype, p.geometry);
  place_into(function, p, pass, result.span(), x, indices);
  return result;
}

}  // namespace

void forward_into(const char* function, const Unpooling& p, TensorSpan out, const TensorView& x, const TensorView& indices) {
  place_into(function, p, Pass::forward, out, x, indices);
}

Tensor forward(const char* function, const Unpooling& p, const TensorView& x, const TensorView& indices) {
  return place(function, p, Pass::forward, x, indices);
}

Tensor double_backward(const char* function, const Unpooling& p, const TensorView& gg, const TensorView& indices) {
  return place(function, p, Pass::double_backward, gg, indices);
}

void backward_into(const char* function, const Unpooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& indices) {
  check_view(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  check_view(function, "indices", indices);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.result);
  run(function, p, Pass::backward, {.input = corner_of(p, grad), .output = grad_input, .indices_in = indices});
}

Tensor backward(const char* function, const Unpooling& p, const TensorView& grad, const TensorView& indices) {
  check_view(function, "grad", grad);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.result);
  Tensor result = allocate_like(grad, p.geometry.output_shape(), grad.dtype, p.geometry);
  backward_into(function, p, result.span(), grad, indices);
  return result;
}

}  // namespace tidepool::detail
