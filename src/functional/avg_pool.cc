// Average and sum pooling: converts options to windows and divisors, and calls ops/linear_pooling.h.
#include "tidepool/ops/avg_pool.h"

#include "functional/function_name.h"
#include "functional/linear_pooling.h"
#include "functional/window_options.h"
#include "tidepool/autograd.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::LinearPooling;

template <int N>
Reduction reduction_of(const char* function, const AvgPoolOptions<N>& o) {
  detail::check_enum(function, "preset", o.preset, Preset::caffe);
  detail::check_enum(function, "rounding", o.rounding, IntegerRounding::nearest_even);
  Reduction r{.divisor = o.count_include_pad.divisor.value_or(preset_rules(o.preset).divisor), .rounding = o.rounding};
  detail::check_enum(function, "count_include_pad", r.divisor, Divisor::valid_only);
  if (!o.divisor_override) return r;
  if (*o.divisor_override == 0) detail::fail(function, ErrorCode::invalid_argument, "divisor_override must not be 0");
  r.divisor = Divisor::fixed;
  r.fixed_divisor = *o.divisor_override;
  return r;
}

template <int N>
Reduction reduction_of(const char*, const SumPoolOptions<N>&) {
  return {.divisor = Divisor::fixed, .fixed_divisor = 1};
}

template <int N>
constexpr Op op_of(const AvgPoolOptions<N>&) {
  return Op::avg;
}
template <int N>
constexpr Op op_of(const SumPoolOptions<N>&) {
  return Op::sum;
}

template <int N, class Options>
LinearPooling pooling(const char* function, const Dims& shape, const Options& o) {
  const Reduction r = reduction_of(function, o);
  return {.op = op_of(o), .geometry = Geometry::windowed(function, N, shape, detail::window_options(o)).value(), .reduction = r};
}

// The pooling of an input with the shape of x, after a check of x.
template <int N, class Options>
LinearPooling pooling_of(const char* function, const char* name, const TensorView& x, const Options& o) {
  detail::check_view(function, name, x);
  return pooling<N>(function, x.shape, o);
}

// "avg_pool" or "sum_pool" with rank and suffix.
template <class Options, int N, detail::Text suffix = "">
constexpr const char* named =
    op_of(Options{}) == Op::avg ? detail::function_name_of<"avg_pool", N, suffix> : detail::function_name_of<"sum_pool", N, suffix>;

}  // namespace

template <int N, class Options>
const char* WindowSumFunctions<N, Options>::name() noexcept {
  return named<Options, N>;
}

template <int N, class Options>
Tensor WindowSumFunctions<N, Options>::forward(const TensorArg& x, const Options& o) {
  constexpr const char* function = named<Options, N>;
  return detail::pool(function, pooling_of<N>(function, "input", x.view(), o), x);
}

template <int N, class Options>
void WindowSumFunctions<N, Options>::into(TensorSpan out, const TensorArg& x, const Options& o) {
  constexpr const char* function = named<Options, N, "_into">;
  check_not_recording(function, "input", x);
  detail::forward_into(function, pooling_of<N>(function, "input", x.view(), o), out, x.view());
}

template <int N, class Options>
Tensor WindowSumFunctions<N, Options>::backward(const TensorArg& grad, const Dims& input_shape, const Options& o) {
  constexpr const char* function = named<Options, N, "_backward">;
  return detail::pool_backward(function, name(), pooling<N>(function, input_shape, o), grad);
}

template <int N, class Options>
void WindowSumFunctions<N, Options>::backward_into(TensorSpan grad_input, const TensorArg& grad, const Options& o) {
  constexpr const char* function = named<Options, N, "_backward_into">;
  check_not_recording(function, "grad", grad);
  detail::backward_into(function, pooling_of<N>(function, "grad_input", grad_input, o), grad_input, grad.view());
}

template <int N, class Options>
Tensor WindowSumFunctions<N, Options>::double_backward(const TensorArg& gg, const Options& o) {
  constexpr const char* function = named<Options, N, "_double_backward">;
  return detail::pool_double_backward(function, name(), pooling_of<N>(function, "gg", gg.view(), o), gg);
}

template <int N, class Options>
void WindowSumFunctions<N, Options>::double_backward_into(TensorSpan out, const TensorArg& gg, const Options& o) {
  constexpr const char* function = named<Options, N, "_double_backward_into">;
  check_not_recording(function, "gg", gg);
  detail::double_backward_into(function, pooling_of<N>(function, "gg", gg.view(), o), out, gg.view());
}

template <int N, class Options>
Dims WindowSumFunctions<N, Options>::shape(const Dims& input_shape, const Options& o) {
  return pooling<N>(named<Options, N, "_shape">, input_shape, o).geometry.output_shape();
}

template struct WindowSumFunctions<1, AvgPoolOptions<1>>;
template struct WindowSumFunctions<2, AvgPoolOptions<2>>;
template struct WindowSumFunctions<3, AvgPoolOptions<3>>;
template struct WindowSumFunctions<1, SumPoolOptions<1>>;
template struct WindowSumFunctions<2, SumPoolOptions<2>>;
template struct WindowSumFunctions<3, SumPoolOptions<3>>;

}  // namespace tidepool::inline v0_1
