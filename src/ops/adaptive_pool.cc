#include "tidepool/ops/adaptive_pool.h"

#include "ops/linear.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::check_view;

const Sizes one = Extent<1>(1);

Call named(Op op, int rank, const char* family, const char* suffix) {
  return {op, rank, std::string(family) + function_name(op, rank) + suffix};
}

// The spatial sizes of an array that already has the output's shape.
Sizes spatial_sizes(const Call& call, const char* name, const TensorView& t) {
  check_view(call, name, t);
  if (t.rank() != call.rank + 1 && t.rank() != call.rank + 2)
    call.fail(ErrorCode::shape_mismatch, std::string(name) + " must have " + std::to_string(call.rank + 1) + " or " +
                                             std::to_string(call.rank + 2) + " dimensions, got " + std::to_string(t.rank()));
  return Sizes::from(t.shape.span().subspan(static_cast<size_t>(t.rank() - call.rank)));
}

Geometry bins(const Call& call, const Dims& shape, const Sizes& output) {
  return Geometry::adaptive(call.function, call.rank, shape, output).value();
}

Reduction reduction_of(Op op) { return op == Op::sum ? Reduction{.divisor = Divisor::fixed, .fixed_divisor = 1} : Reduction{}; }

Tensor linear(Call call, TensorView x, const Sizes& output, Pass pass) {
  check_view(call, "input", x);
  const Geometry g = bins(call, x.shape, output);
  const Reduction r = reduction_of(call.op);
  return detail::linear_forward({std::move(call), g, r}, x, pass);
}

void linear_into(Call call, TensorSpan out, TensorView x) {
  check_view(call, "input", x);
  const Geometry g = bins(call, x.shape, spatial_sizes(call, "out", out));
  detail::linear_forward_into({std::move(call), g, {}}, out, x, Pass::forward);
}

Tensor linear_backward(Call call, TensorView grad, const Dims& input_shape) {
  const Geometry g = bins(call, input_shape, spatial_sizes(call, "grad", grad));
  return detail::linear_backward({std::move(call), g, {}}, grad);
}

void linear_backward_into(Call call, TensorSpan grad_input, TensorView grad) {
  check_view(call, "grad_input", grad_input);
  const Geometry g = bins(call, grad_input.shape, spatial_sizes(call, "grad", grad));
  detail::linear_backward_into({std::move(call), g, {}}, grad_input, grad);
}

Tensor global_linear_backward(Call call, TensorView grad, const Dims& input_shape) {
  const Geometry g = bins(call, input_shape, one);
  const Reduction r = reduction_of(call.op);
  return detail::linear_backward({std::move(call), g, r}, grad);
}

Problem max_problem(const Call& call, Pass pass, DType dtype, const Geometry& g, bool indices, const AdaptiveMaxOptions& o) {
  detail::check_enum(call, "nan", o.nan, NanPolicy::ignore);
  detail::check_enum(call, "index_base", o.index_base, IndexBase::window);
  Problem p{.op = call.op, .pass = pass, .dtype = dtype, .nan = o.nan, .geometry = g};
  if (indices) p.indices = o.index_base;
  return p;
}

Pooled max_forward(const Call& call, TensorView x, const Sizes& output, bool indices, const AdaptiveMaxOptions& o) {
  check_view(call, "input", x);
  const Geometry g = bins(call, x.shape, output);
  const Problem p = max_problem(call, Pass::forward, x.dtype, g, indices, o);
  Pooled result;
  result.values = detail::allocate_like(x, g.output_shape(), x.dtype, g);
  if (indices) result.indices = detail::allocate_like(x, g.output_shape(), index_dtype(o.index_base, g, o.nan), g);
  detail::run(call, p, {.input = x, .output = result.values.span(), .indices_out = indices ? result.indices.span() : TensorSpan{}});
  return result;
}

void max_into(const Call& call, TensorSpan out, TensorView x, const AdaptiveMaxOptions& o) {
  check_view(call, "input", x);
  const Geometry g = bins(call, x.shape, spatial_sizes(call, "out", out));
  detail::run(call, max_problem(call, Pass::forward, x.dtype, g, false, o), {.input = x, .output = out});
}

Tensor max_backward(const Call& call, TensorView grad, TensorView indices, const Dims& input_shape, const Sizes& output,
                    const AdaptiveMaxOptions& o) {
  check_view(call, "grad", grad);
  check_view(call, "indices", indices);
  const Geometry g = bins(call, input_shape, output);
  detail::check_gradient_dtype(call, grad);
  detail::check_shape(call, "grad", grad, g.output_shape());
  const Problem p = max_problem(call, Pass::backward, grad.dtype, g, true, o);
  Tensor result = detail::allocate_like(grad, input_shape, grad.dtype, g);
  detail::run(call, p, {.input = grad, .output = result.span(), .indices_in = indices});
  return result;
}

Tensor max_double_backward(const Call& call, TensorView gg, TensorView indices, const Sizes& output, const AdaptiveMaxOptions& o) {
  check_view(call, "gg", gg);
  check_view(call, "indices", indices);
  const Geometry g = bins(call, gg.shape, output);
  detail::check_gradient_dtype(call, gg);
  const Problem p = max_problem(call, Pass::double_backward, gg.dtype, g, true, o);
  Tensor result = detail::allocate_like(gg, g.output_shape(), gg.dtype, g);
  detail::run(call, p, {.input = gg, .output = result.span(), .indices_in = indices});
  return result;
}

constexpr const char* adaptive = "adaptive_";
constexpr const char* global = "global_";
}  // namespace

#define TIDEPOOL_ADAPTIVE_POOL(N)                                                                                                \
  Tensor adaptive_avg_pool##N##d(TensorView x, const Extent<N>& size) {                                                          \
    return linear(named(Op::avg, N, adaptive, ""), x, size, Pass::forward);                                                      \
  }                                                                                                                              \
  void adaptive_avg_pool##N##d_into(TensorSpan out, TensorView x) { linear_into(named(Op::avg, N, adaptive, "_into"), out, x); } \
  Tensor adaptive_avg_pool##N##d_backward(TensorView grad, const Dims& input_shape) {                                            \
    return linear_backward(named(Op::avg, N, adaptive, "_backward"), grad, input_shape);                                         \
  }                                                                                                                              \
  void adaptive_avg_pool##N##d_backward_into(TensorSpan grad_input, TensorView grad) {                                           \
    linear_backward_into(named(Op::avg, N, adaptive, "_backward_into"), grad_input, grad);                                       \
  }                                                                                                                              \
  Tensor adaptive_avg_pool##N##d_double_backward(TensorView gg, const Extent<N>& size) {                                         \
    return linear(named(Op::avg, N, adaptive, "_double_backward"), gg, size, Pass::double_backward);                             \
  }                                                                                                                              \
  Tensor adaptive_max_pool##N##d(TensorView x, const Extent<N>& size, const AdaptiveMaxOptions& o) {                             \
    return max_forward(named(Op::max, N, adaptive, ""), x, size, false, o).values;                                               \
  }                                                                                                                              \
  Pooled adaptive_max_pool##N##d_with_indices(TensorView x, const Extent<N>& size, const AdaptiveMaxOptions& o) {                \
    return max_forward(named(Op::max, N, adaptive, "_with_indices"), x, size, true, o);                                          \
  }                                                                                                                              \
  void adaptive_max_pool##N##d_into(TensorSpan out, TensorView x, const AdaptiveMaxOptions& o) {                                 \
    max_into(named(Op::max, N, adaptive, "_into"), out, x, o);                                                                   \
  }                                                                                                                              \
  Tensor adaptive_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& shape, const AdaptiveMaxOptions& o) { \
    const Call call = named(Op::max, N, adaptive, "_backward");                                                                  \
    return max_backward(call, grad, indices, shape, spatial_sizes(call, "grad", grad), o);                                       \
  }                                                                                                                              \
  Tensor adaptive_max_pool##N##d_double_backward(TensorView gg, TensorView indices, const AdaptiveMaxOptions& o) {               \
    const Call call = named(Op::max, N, adaptive, "_double_backward");                                                           \
    return max_double_backward(call, gg, indices, spatial_sizes(call, "indices", indices), o);                                   \
  }
TIDEPOOL_ADAPTIVE_POOL(1)
TIDEPOOL_ADAPTIVE_POOL(2)
TIDEPOOL_ADAPTIVE_POOL(3)
#undef TIDEPOOL_ADAPTIVE_POOL

#define TIDEPOOL_GLOBAL_POOL(name, op, N)                                                       \
  Tensor name(TensorView x) { return linear(named(op, N, global, ""), x, one, Pass::forward); } \
  Tensor name##_backward(TensorView grad, const Dims& shape) {                                  \
    return global_linear_backward(named(op, N, global, "_backward"), grad, shape);              \
  }                                                                                             \
  Tensor name##_double_backward(TensorView gg) { return linear(named(op, N, global, "_double_backward"), gg, one, Pass::double_backward); }
#define TIDEPOOL_GLOBAL_POOLS(N)                                                                                              \
  TIDEPOOL_GLOBAL_POOL(global_avg_pool##N##d, Op::avg, N)                                                                     \
  TIDEPOOL_GLOBAL_POOL(global_sum_pool##N##d, Op::sum, N)                                                                     \
  Tensor global_max_pool##N##d(TensorView x) { return max_forward(named(Op::max, N, global, ""), x, one, false, {}).values; } \
  Pooled global_max_pool##N##d_with_indices(TensorView x) {                                                                   \
    return max_forward(named(Op::max, N, global, "_with_indices"), x, one, true, {});                                         \
  }                                                                                                                           \
  Tensor global_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& shape) {                             \
    return max_backward(named(Op::max, N, global, "_backward"), grad, indices, shape, one, {});                               \
  }                                                                                                                           \
  Tensor global_max_pool##N##d_double_backward(TensorView gg, TensorView indices) {                                           \
    return max_double_backward(named(Op::max, N, global, "_double_backward"), gg, indices, one, {});                          \
  }
TIDEPOOL_GLOBAL_POOLS(1)
TIDEPOOL_GLOBAL_POOLS(2)
TIDEPOOL_GLOBAL_POOLS(3)
#undef TIDEPOOL_GLOBAL_POOLS
#undef TIDEPOOL_GLOBAL_POOL

}  // namespace tidepool
