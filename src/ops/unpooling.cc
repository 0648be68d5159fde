#include "ops/unpooling.h"

#include "plan/overlap.h"

namespace tidepool::inline v0_1::detail {
namespace {

// The part of an array with the shape of the result that indices can reach: all of it without the margins.
template <class View>
View without_margins(const Unpooling& p, View result) {
  result.shape = p.geometry.input_shape();
  return result;
}

void run(const char* function, const Unpooling& p, Pass pass, const RunArrays& arrays) {
  detail::run(function, {.op = Op::unpool, .pass = pass, .dtype = arrays.input.dtype, .indices = p.index_base, .geometry = p.geometry},
              arrays);
}

// The plan checks the overlap of `out` without its margins. This checks the whole array.
void check_margins(const char* function, const Unpooling& p, const TensorSpan& out, const TensorView& x, const TensorView& indices) {
  if (out.shape == p.geometry.input_shape()) return;
  if (overlaps_itself(out)) fail(function, ErrorCode::aliasing, "out overlaps itself");
  if (may_overlap(out, x)) fail(function, ErrorCode::aliasing, "out overlaps input");
  if (may_overlap(out, indices)) fail(function, ErrorCode::aliasing, "out overlaps indices");
}

// Fills the margins with zeros: for each dim, the part of `out` beyond the size of the geometry. Copies from a view of one zero with
// strides 0.
void clear_margins(const Unpooling& p, const TensorSpan& out) {
  constexpr uint64_t zero = 0;
  const Dims inner = p.geometry.input_shape();
  for (int dim = 0; dim < out.rank(); ++dim) {
    if (out.size(dim) == inner[dim]) continue;
    TensorSpan margin = out;
    margin.data += inner[dim] * out.stride(dim) * dtype_size(out.dtype);
    margin.shape[dim] -= inner[dim];
    TensorView zeros = margin;
    zeros.data = reinterpret_cast<const std::byte*>(&zero);
    zeros.strides.values.fill(0);
    copy(zeros, margin);
  }
}

void scatter_into(const char* function, const Unpooling& p, Pass pass, TensorSpan out, const TensorView& x, const TensorView& indices) {
  check_view(function, "out", out);
  check_view(function, "input", x);
  check_view(function, "indices", indices);
  check_shape(function, "out", out, p.result);
  check_margins(function, p, out, x, indices);
  run(function, p, pass, {.input = x, .output = without_margins(p, out), .indices_in = indices});
  clear_margins(p, out);
}

Tensor scatter(const char* function, const Unpooling& p, Pass pass, const TensorView& x, const TensorView& indices) {
  check_view(function, "input", x);
  check_shape(function, "input", x, p.geometry.output_shape());
  if (pass != Pass::forward) check_gradient_dtype(function, x);
  Tensor result = allocate_like(x, p.result, x.dtype, p.geometry);
  scatter_into(function, p, pass, result.span(), x, indices);
  return result;
}

}  // namespace

void forward_into(const char* function, const Unpooling& p, TensorSpan out, const TensorView& x, const TensorView& indices) {
  scatter_into(function, p, Pass::forward, out, x, indices);
}

Tensor forward(const char* function, const Unpooling& p, const TensorView& x, const TensorView& indices) {
  return scatter(function, p, Pass::forward, x, indices);
}

Tensor double_backward(const char* function, const Unpooling& p, const TensorView& gg, const TensorView& indices) {
  return scatter(function, p, Pass::double_backward, gg, indices);
}

void backward_into(const char* function, const Unpooling& p, TensorSpan grad_input, const TensorView& grad, const TensorView& indices) {
  check_view(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  check_view(function, "indices", indices);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.result);
  run(function, p, Pass::backward, {.input = without_margins(p, grad), .output = grad_input, .indices_in = indices});
}

Tensor backward(const char* function, const Unpooling& p, const TensorView& grad, const TensorView& indices) {
  check_view(function, "grad", grad);
  check_gradient_dtype(function, grad);
  check_shape(function, "grad", grad, p.result);
  Tensor result = allocate_like(grad, p.geometry.output_shape(), grad.dtype, p.geometry);
  backward_into(function, p, result.span(), grad, indices);
  return result;
}

}  // namespace tidepool::inline v0_1::detail
