// Adaptive pooling: converts output sizes to bins, and calls ops/linear_pooling.h and ops/indexed_pooling.h.
#include "tidepool/ops/adaptive_pool.h"

#include "functional/bins.h"
#include "functional/function_name.h"
#include "functional/indexed_pooling.h"
#include "functional/linear_pooling.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::check_view;
using detail::function_name_of;
using detail::IndexedPooling;
using detail::LinearPooling;

// The spatial sizes of an array with the shape of the output.
Sizes spatial_sizes(const char* function, int rank, const char* name, const TensorView& t) {
  check_view(function, name, t);
  if (t.rank() != rank + 1 && t.rank() != rank + 2)
    detail::fail(function, ErrorCode::shape_mismatch,
                 std::string(name) + " must have " + std::to_string(rank + 1) + " or " + std::to_string(rank + 2) + " dimensions, got " +
                     std::to_string(t.rank()));
  return Sizes::from(t.shape.span().subspan(static_cast<size_t>(t.rank() - rank)));
}

LinearPooling average(const char* function, int rank, const Dims& shape, const Sizes& output) {
  return {.op = Op::avg, .geometry = detail::bins(function, rank, shape, output)};
}

template <int N>
IndexedPooling maxima(const char* function, const Dims& shape, const Sizes& output, const AdaptiveMaxPoolOptions<N>& o) {
  Geometry g = detail::bins(function, N, shape, output);
  detail::check_enum(function, "nan", o.nan, NanPolicy::ignore);
  detail::check_enum(function, "index_base", o.index_base, IndexBase::window);
  return {.op = Op::max, .geometry = std::move(g), .nan = o.nan, .index_base = o.index_base};
}

// The output size of the options, or if unset that of an array with the shape of the output.
template <int N>
Sizes output_sizes(const char* function, const char* name, const TensorView& t, const AdaptiveMaxPoolOptions<N>& o) {
  const Sizes sizes = spatial_sizes(function, N, name, t);
  return o.output_size.is_set() ? static_cast<const Sizes&>(o.output_size) : sizes;
}

}  // namespace

template <int N>
const char* AdaptiveAvgPoolFunctions<N>::name() noexcept {
  return function_name_of<"adaptive_avg_pool", N>;
}

template <int N>
const char* AdaptiveMaxPoolFunctions<N>::name() noexcept {
  return function_name_of<"adaptive_max_pool", N>;
}

template <int N>
Tensor AdaptiveAvgPoolFunctions<N>::forward(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_avg_pool", N>;
  check_view(function, "input", x.view());
  return detail::pool(function, average(function, N, x.shape(), o.output_size), x);
}

template <int N>
void AdaptiveAvgPoolFunctions<N>::into(TensorSpan out, const TensorArg& x) {
  constexpr const char* function = function_name_of<"adaptive_avg_pool", N, "_into">;
  check_not_recording(function, "input", x);
  check_view(function, "input", x.view());
  detail::forward_into(function, average(function, N, x.shape(), spatial_sizes(function, N, "out", out)), out, x.view());
}

template <int N>
Tensor AdaptiveAvgPoolFunctions<N>::backward(const TensorArg& grad, const Dims& input_shape) {
  constexpr const char* function = function_name_of<"adaptive_avg_pool", N, "_backward">;
  return detail::pool_backward(function, name(), average(function, N, input_shape, spatial_sizes(function, N, "grad", grad.view())), grad);
}

template <int N>
void AdaptiveAvgPoolFunctions<N>::backward_into(TensorSpan grad_input, const TensorArg& grad) {
  constexpr const char* function = function_name_of<"adaptive_avg_pool", N, "_backward_into">;
  check_not_recording(function, "grad", grad);
  check_view(function, "grad_input", grad_input);
  const LinearPooling p = average(function, N, grad_input.shape, spatial_sizes(function, N, "grad", grad.view()));
  detail::backward_into(function, p, grad_input, grad.view());
}

template <int N>
Tensor AdaptiveAvgPoolFunctions<N>::double_backward(const TensorArg& gg, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_avg_pool", N, "_double_backward">;
  check_view(function, "gg", gg.view());
  return detail::pool_double_backward(function, name(), average(function, N, gg.shape(), o.output_size), gg);
}

template <int N>
Tensor AdaptiveMaxPoolFunctions<N>::forward(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_max_pool", N>;
  check_view(function, "input", x.view());
  return detail::pool(function, maxima<N>(function, x.shape(), o.output_size, o), x);
}

template <int N>
Pooled AdaptiveMaxPoolFunctions<N>::with_indices(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_max_pool", N, "_with_indices">;
  check_view(function, "input", x.view());
  return detail::pool_with_indices(function, name(), maxima<N>(function, x.shape(), o.output_size, o), x);
}

template <int N>
void AdaptiveMaxPoolFunctions<N>::into(TensorSpan out, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_max_pool", N, "_into">;
  check_not_recording(function, "input", x);
  check_view(function, "input", x.view());
  detail::forward_into(function, maxima<N>(function, x.shape(), output_sizes<N>(function, "out", out, o), o), out, x.view());
}

template <int N>
Tensor AdaptiveMaxPoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_max_pool", N, "_backward">;
  const Sizes sizes = output_sizes<N>(function, "grad", grad.view(), o);
  return detail::pool_backward(function, name(), maxima<N>(function, input_shape, sizes, o), grad, indices);
}

template <int N>
Tensor AdaptiveMaxPoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"adaptive_max_pool", N, "_double_backward">;
  check_view(function, "gg", gg.view());
  const Sizes sizes = output_sizes<N>(function, "indices", indices.view(), o);
  return detail::pool_double_backward(function, name(), maxima<N>(function, gg.shape(), sizes, o), gg, indices);
}

template struct AdaptiveAvgPoolFunctions<1>;
template struct AdaptiveAvgPoolFunctions<2>;
template struct AdaptiveAvgPoolFunctions<3>;
template struct AdaptiveMaxPoolFunctions<1>;
template struct AdaptiveMaxPoolFunctions<2>;
template struct AdaptiveMaxPoolFunctions<3>;

}  // namespace tidepool::inline v0_1
