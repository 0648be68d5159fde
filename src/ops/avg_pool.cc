#include "tidepool/ops/avg_pool.h"

#include "ops/linear.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::LinearCall;

template <int N>
Reduction reduction_of(const Call& call, const AvgPoolOptions<N>& o) {
  detail::check_enum(call, "preset", o.preset, Preset::caffe);
  detail::check_enum(call, "rounding", o.rounding, IntegerRounding::nearest_even);
  Reduction r{.divisor = o.count_include_pad.divisor.value_or(preset_rules(o.preset).divisor), .rounding = o.rounding};
  detail::check_enum(call, "count_include_pad", r.divisor, Divisor::valid_only);
  if (!o.divisor_override) return r;
  if (*o.divisor_override == 0) call.fail(ErrorCode::invalid_argument, "divisor_override must not be 0");
  r.divisor = Divisor::fixed;
  r.fixed_divisor = *o.divisor_override;
  return r;
}

template <int N>
Reduction reduction_of(const Call&, const SumPoolOptions<N>&) {
  return {.divisor = Divisor::fixed, .fixed_divisor = 1};
}

template <class Options>
LinearCall prepare(Op op, int rank, const char* suffix, const char* name, const TensorView& shaped_like_input, const Options& o) {
  Call call(op, rank, suffix);
  detail::check_view(call, name, shaped_like_input);
  const Reduction r = reduction_of(call, o);
  const Geometry g = Geometry::windowed(call.function, rank, shaped_like_input.shape, detail::window_options(o)).value();
  return {std::move(call), g, r};
}

template <class Options>
LinearCall prepare(Op op, int rank, const char* suffix, const Dims& input_shape, const Options& o) {
  Call call(op, rank, suffix);
  const Reduction r = reduction_of(call, o);
  const Geometry g = Geometry::windowed(call.function, rank, input_shape, detail::window_options(o)).value();
  return {std::move(call), g, r};
}

}  // namespace

#define TIDEPOOL_AVG_POOL(name, op, N, Options)                                                                                       \
  Tensor name(TensorView x, const Options& o) { return detail::linear_forward(prepare(op, N, "", "input", x, o), x, Pass::forward); } \
  void name##_into(TensorSpan out, TensorView x, const Options& o) {                                                                  \
    detail::linear_forward_into(prepare(op, N, "_into", "input", x, o), out, x, Pass::forward);                                       \
  }                                                                                                                                   \
  Tensor name##_backward(TensorView grad, const Dims& input_shape, const Options& o) {                                                \
    return detail::linear_backward(prepare(op, N, "_backward", input_shape, o), grad);                                                \
  }                                                                                                                                   \
  void name##_backward_into(TensorSpan grad_input, TensorView grad, const Options& o) {                                               \
    detail::linear_backward_into(prepare(op, N, "_backward_into", "grad_input", grad_input, o), grad_input, grad);                    \
  }                                                                                                                                   \
  Tensor name##_double_backward(TensorView gg, const Options& o) {                                                                    \
    return detail::linear_forward(prepare(op, N, "_double_backward", "gg", gg, o), gg, Pass::double_backward);                        \
  }                                                                                                                                   \
  void name##_double_backward_into(TensorSpan out, TensorView gg, const Options& o) {                                                 \
    detail::linear_forward_into(prepare(op, N, "_double_backward_into", "gg", gg, o), out, gg, Pass::double_backward);                \
  }                                                                                                                                   \
  Dims name##_shape(const Dims& input_shape, const Options& o) { return prepare(op, N, "_shape", input_shape, o).geometry.output_shape(); }
TIDEPOOL_AVG_POOL(avg_pool1d, Op::avg, 1, AvgPoolOptions<1>)
TIDEPOOL_AVG_POOL(avg_pool2d, Op::avg, 2, AvgPoolOptions<2>)
TIDEPOOL_AVG_POOL(avg_pool3d, Op::avg, 3, AvgPoolOptions<3>)
TIDEPOOL_AVG_POOL(sum_pool1d, Op::sum, 1, SumPoolOptions<1>)
TIDEPOOL_AVG_POOL(sum_pool2d, Op::sum, 2, SumPoolOptions<2>)
TIDEPOOL_AVG_POOL(sum_pool3d, Op::sum, 3, SumPoolOptions<3>)
#undef TIDEPOOL_AVG_POOL

}  // namespace tidepool
