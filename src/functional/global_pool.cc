// Global average, sum and max pooling: adaptive pooling with one bin. Global Lp pooling is in lp_pool.cc.
#include "tidepool/ops/global_pool.h"

#include "functional/bins.h"
#include "functional/function_name.h"
#include "functional/indexed_pooling.h"
#include "functional/linear_pooling.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::check_view;
using detail::function_name_of;

constexpr Sizes one_bin = Extent<1>(1);

template <int N>
detail::LinearPooling sum_of_plane(const char* function, Op op, const Dims& shape) {
  return {.op = op, .geometry = detail::bins(function, N, shape, one_bin), .reduction = detail::bin_reduction(op)};
}

template <int N>
detail::IndexedPooling max_of_plane(const char* function, const Dims& shape) {
  return {.op = Op::max, .geometry = detail::bins(function, N, shape, one_bin)};
}

// "global_avg_pool" or "global_sum_pool" with rank and suffix.
template <Op op, int N, detail::Text suffix = "">
constexpr const char* named =
    op == Op::avg ? function_name_of<"global_avg_pool", N, suffix> : function_name_of<"global_sum_pool", N, suffix>;

}  // namespace

template <Op op, int N>
const char* GlobalSumFunctions<op, N>::name() noexcept {
  return named<op, N>;
}

template <int N>
const char* GlobalMaxPoolFunctions<N>::name() noexcept {
  return function_name_of<"global_max_pool", N>;
}

template <Op op, int N>
Tensor GlobalSumFunctions<op, N>::forward(const TensorArg& x) {
  check_view(named<op, N>, "input", x.view());
  return detail::pool(named<op, N>, sum_of_plane<N>(named<op, N>, op, x.shape()), x);
}

template <Op op, int N>
Tensor GlobalSumFunctions<op, N>::backward(const TensorArg& grad, const Dims& input_shape) {
  constexpr const char* function = named<op, N, "_backward">;
  return detail::pool_backward(function, name(), sum_of_plane<N>(function, op, input_shape), grad);
}

template <Op op, int N>
Tensor GlobalSumFunctions<op, N>::double_backward(const TensorArg& gg) {
  constexpr const char* function = named<op, N, "_double_backward">;
  check_view(function, "gg", gg.view());
  return detail::pool_double_backward(function, name(), sum_of_plane<N>(function, op, gg.shape()), gg);
}

template <int N>
Tensor GlobalMaxPoolFunctions<N>::forward(const TensorArg& x) {
  constexpr const char* function = function_name_of<"global_max_pool", N>;
  check_view(function, "input", x.view());
  return detail::pool(function, max_of_plane<N>(function, x.shape()), x);
}

template <int N>
Pooled GlobalMaxPoolFunctions<N>::with_indices(const TensorArg& x) {
  constexpr const char* function = function_name_of<"global_max_pool", N, "_with_indices">;
  check_view(function, "input", x.view());
  return detail::pool_with_indices(function, name(), max_of_plane<N>(function, x.shape()), x);
}

template <int N>
Tensor GlobalMaxPoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape) {
  constexpr const char* function = function_name_of<"global_max_pool", N, "_backward">;
  return detail::pool_backward(function, name(), max_of_plane<N>(function, input_shape), grad, indices);
}

template <int N>
Tensor GlobalMaxPoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& indices) {
  constexpr const char* function = function_name_of<"global_max_pool", N, "_double_backward">;
  check_view(function, "gg", gg.view());
  return detail::pool_double_backward(function, name(), max_of_plane<N>(function, gg.shape()), gg, indices);
}

template struct GlobalSumFunctions<Op::avg, 1>;
template struct GlobalSumFunctions<Op::avg, 2>;
template struct GlobalSumFunctions<Op::avg, 3>;
template struct GlobalSumFunctions<Op::sum, 1>;
template struct GlobalSumFunctions<Op::sum, 2>;
template struct GlobalSumFunctions<Op::sum, 3>;
template struct GlobalMaxPoolFunctions<1>;
template struct GlobalMaxPoolFunctions<2>;
template struct GlobalMaxPoolFunctions<3>;

}  // namespace tidepool::inline v0_1
