// Max and min pooling: converts options to windows, and calls ops/indexed_pooling.h.
#include "tidepool/ops/max_pool.h"

#include "functional/function_name.h"
#include "functional/indexed_pooling.h"
#include "functional/window_options.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::function_name_of;
using detail::IndexedPooling;

template <int N>
IndexedPooling pooling(const char* function, Op op, const Dims& shape, const MaxPoolOptions<N>& o) {
  detail::check_enum(function, "nan", o.nan, NanPolicy::ignore);
  if (o.index_base) detail::check_enum(function, "index_base", *o.index_base, IndexBase::window);
  Geometry g = Geometry::windowed(function, N, shape, detail::window_options(o)).value();
  return {.op = op, .geometry = std::move(g), .nan = o.nan, .index_base = o.index_base.value_or(preset_rules(o.preset).index_base)};
}

// The pooling of an input with the shape of x, after a check of x.
template <int N>
IndexedPooling pooling_of(const char* function, Op op, const char* name, const TensorView& x, const MaxPoolOptions<N>& o) {
  detail::check_view(function, name, x);
  return pooling(function, op, x.shape, o);
}

// "max_pool" or "min_pool" with rank and suffix.
template <Op op, int N, detail::Text suffix = "">
constexpr const char* named = op == Op::max ? function_name_of<"max_pool", N, suffix> : function_name_of<"min_pool", N, suffix>;

}  // namespace

template <Op op, int N>
const char* ExtremumPoolFunctions<op, N>::name() noexcept {
  return named<op, N>;
}

template <Op op, int N>
Tensor ExtremumPoolFunctions<op, N>::forward(const TensorArg& x, const Options& o) {
  return detail::pool(named<op, N>, pooling_of(named<op, N>, op, "input", x.view(), o), x);
}

template <Op op, int N>
Pooled ExtremumPoolFunctions<op, N>::with_indices(const TensorArg& x, const Options& o) {
  constexpr const char* function = named<op, N, "_with_indices">;
  return detail::pool_with_indices(function, name(), pooling_of(function, op, "input", x.view(), o), x);
}

template <Op op, int N>
void ExtremumPoolFunctions<op, N>::into(TensorSpan out, const TensorArg& x, const Options& o) {
  constexpr const char* function = named<op, N, "_into">;
  check_not_recording(function, "input", x);
  detail::forward_into(function, pooling_of(function, op, "input", x.view(), o), out, x.view());
}

template <Op op, int N>
void ExtremumPoolFunctions<op, N>::with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const Options& o) {
  constexpr const char* function = named<op, N, "_with_indices_into">;
  check_not_recording(function, "input", x);
  detail::forward_with_indices_into(function, pooling_of(function, op, "input", x.view(), o), out, indices, x.view());
}

template <Op op, int N>
Tensor ExtremumPoolFunctions<op, N>::backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& o) {
  constexpr const char* function = named<op, N, "_backward">;
  return detail::pool_backward(function, name(), pooling(function, op, input_shape, o), grad, indices);
}

template <Op op, int N>
void ExtremumPoolFunctions<op, N>::backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices, const Options& o) {
  constexpr const char* function = named<op, N, "_backward_into">;
  check_not_recording(function, "grad", grad);
  detail::backward_into(function, pooling_of(function, op, "grad_input", grad_input, o), grad_input, grad.view(), indices.view());
}

template <Op op, int N>
Tensor ExtremumPoolFunctions<op, N>::double_backward(const TensorArg& gg, const TensorArg& indices, const Options& o) {
  constexpr const char* function = named<op, N, "_double_backward">;
  return detail::pool_double_backward(function, name(), pooling_of(function, op, "gg", gg.view(), o), gg, indices);
}

template <Op op, int N>
void ExtremumPoolFunctions<op, N>::double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices, const Options& o) {
  constexpr const char* function = named<op, N, "_double_backward_into">;
  check_not_recording(function, "gg", gg);
  detail::double_backward_into(function, pooling_of(function, op, "gg", gg.view(), o), out, gg.view(), indices.view());
}

template <Op op, int N>
Dims ExtremumPoolFunctions<op, N>::shape(const Dims& input_shape, const Options& o) {
  return pooling(named<op, N, "_shape">, op, input_shape, o).geometry.output_shape();
}

template struct ExtremumPoolFunctions<Op::max, 1>;
template struct ExtremumPoolFunctions<Op::max, 2>;
template struct ExtremumPoolFunctions<Op::max, 3>;
template struct ExtremumPoolFunctions<Op::min, 1>;
template struct ExtremumPoolFunctions<Op::min, 2>;
template struct ExtremumPoolFunctions<Op::min, 3>;

}  // namespace tidepool::inline v0_1
