#include "tidepool/ops/max_pool.h"

#include "ops/call.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::check_view;

template <int N>
Geometry geometry_of(const Call& call, const Dims& shape, const MaxPoolOptions<N>& o) {
  detail::check_enum(call, "nan", o.nan, NanPolicy::ignore);
  if (o.index_base) detail::check_enum(call, "index_base", *o.index_base, IndexBase::window);
  return Geometry::windowed(call.function, N, shape, detail::window_options(o)).value();
}

template <int N>
IndexBase base_of(const MaxPoolOptions<N>& o) {
  return o.index_base.value_or(preset_rules(o.preset).index_base);
}

template <int N>
void run(const Call& call, Pass pass, const Geometry& g, const RunArrays& arrays, bool indices, const MaxPoolOptions<N>& o) {
  Problem p{.op = call.op, .pass = pass, .dtype = arrays.input.dtype, .nan = o.nan, .geometry = g};
  if (indices) p.indices = base_of(o);
  detail::run(call, p, arrays);
}

template <int N>
void forward_into(const Call& call, TensorSpan out, TensorSpan* indices, TensorView x, const MaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  check_view(call, "out", out);
  if (indices != nullptr) check_view(call, "indices", *indices);
  const Geometry g = geometry_of(call, x.shape, o);
  run(call, Pass::forward, g, {.input = x, .output = out, .indices_out = indices ? *indices : TensorSpan{}}, indices != nullptr, o);
}

template <int N>
Pooled forward(const Call& call, TensorView x, bool indices, const MaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  const Geometry g = geometry_of(call, x.shape, o);
  Pooled result;
  result.values = detail::allocate_like(x, g.output_shape(), x.dtype, g);
  if (indices) result.indices = detail::allocate_like(x, g.output_shape(), index_dtype(base_of(o), g, o.nan), g);
  run(call, Pass::forward, g, {.input = x, .output = result.values.span(), .indices_out = indices ? result.indices.span() : TensorSpan{}},
      indices, o);
  return result;
}

template <int N>
void backward_into(const Call& call, TensorSpan grad_input, TensorView grad, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "grad", grad);
  check_view(call, "grad_input", grad_input);
  check_view(call, "indices", indices);
  const Geometry g = geometry_of(call, grad_input.shape, o);
  run(call, Pass::backward, g, {.input = grad, .output = grad_input, .indices_in = indices}, true, o);
}

template <int N>
Tensor backward(const Call& call, TensorView grad, TensorView indices, const Dims& input_shape, const MaxPoolOptions<N>& o) {
  check_view(call, "grad", grad);
  const Geometry g = geometry_of(call, input_shape, o);
  detail::check_gradient_dtype(call, grad);
  detail::check_shape(call, "grad", grad, g.output_shape());
  Tensor result = detail::allocate_like(grad, input_shape, grad.dtype, g);
  backward_into(call, result.span(), grad, indices, o);
  return result;
}

template <int N>
void double_backward_into(const Call& call, TensorSpan out, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "gg", gg);
  check_view(call, "out", out);
  check_view(call, "indices", indices);
  const Geometry g = geometry_of(call, gg.shape, o);
  run(call, Pass::double_backward, g, {.input = gg, .output = out, .indices_in = indices}, true, o);
}

template <int N>
Tensor double_backward(const Call& call, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "gg", gg);
  const Geometry g = geometry_of(call, gg.shape, o);
  Tensor result = detail::allocate_like(gg, g.output_shape(), gg.dtype, g);
  double_backward_into(call, result.span(), gg, indices, o);
  return result;
}

}  // namespace

#define TIDEPOOL_MAX_POOL(name, op_, N)                                                                                                   \
  Tensor name(TensorView x, const MaxPoolOptions<N>& o) { return forward(Call{op_, N, ""}, x, false, o).values; }                         \
  Pooled name##_with_indices(TensorView x, const MaxPoolOptions<N>& o) { return forward(Call{op_, N, "_with_indices"}, x, true, o); }     \
  void name##_into(TensorSpan out, TensorView x, const MaxPoolOptions<N>& o) { forward_into(Call{op_, N, "_into"}, out, nullptr, x, o); } \
  void name##_with_indices_into(TensorSpan out, TensorSpan indices, TensorView x, const MaxPoolOptions<N>& o) {                           \
    forward_into(Call{op_, N, "_with_indices_into"}, out, &indices, x, o);                                                                \
  }                                                                                                                                       \
  Tensor name##_backward(TensorView grad, TensorView indices, const Dims& input_shape, const MaxPoolOptions<N>& o) {                      \
    return backward(Call{op_, N, "_backward"}, grad, indices, input_shape, o);                                                            \
  }                                                                                                                                       \
  void name##_backward_into(TensorSpan grad_input, TensorView grad, TensorView indices, const MaxPoolOptions<N>& o) {                     \
    backward_into(Call{op_, N, "_backward_into"}, grad_input, grad, indices, o);                                                          \
  }                                                                                                                                       \
  Tensor name##_double_backward(TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {                                          \
    return double_backward(Call{op_, N, "_double_backward"}, gg, indices, o);                                                             \
  }                                                                                                                                       \
  void name##_double_backward_into(TensorSpan out, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {                       \
    double_backward_into(Call{op_, N, "_double_backward_into"}, out, gg, indices, o);                                                     \
  }                                                                                                                                       \
  Dims name##_shape(const Dims& input_shape, const MaxPoolOptions<N>& o) {                                                                \
    return geometry_of(Call{op_, N, "_shape"}, input_shape, o).output_shape();                                                            \
  }
TIDEPOOL_MAX_POOL(max_pool1d, Op::max, 1)
TIDEPOOL_MAX_POOL(max_pool2d, Op::max, 2)
TIDEPOOL_MAX_POOL(max_pool3d, Op::max, 3)
TIDEPOOL_MAX_POOL(min_pool1d, Op::min, 1)
TIDEPOOL_MAX_POOL(min_pool2d, Op::min, 2)
TIDEPOOL_MAX_POOL(min_pool3d, Op::min, 3)
#undef TIDEPOOL_MAX_POOL

}  // namespace tidepool
