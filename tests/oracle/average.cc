#include "oracle/average.h"

#include <cmath>
#include <limits>
#include <vector>

#include "oracle/grid.h"

namespace tidepool::oracle {
namespace {

int64_t count_divisor(const Problem& p, int64_t od, int64_t oh, int64_t ow) {
  if (p.reduction.divisor == Divisor::fixed) return p.reduction.fixed_divisor;
  return count_taps(p.geometry, p.reduction.divisor, od, oh, ow);
}

template <class Sum>
Sum quotient(Sum sum, int64_t divisor, IntegerRounding rounding) {
  if (divisor == 0) return 0;
  if constexpr (std::is_floating_point_v<Sum>) {
    const Sum q = sum / static_cast<Sum>(divisor);
    if (std::isnan(q)) return std::numeric_limits<Sum>::quiet_NaN();
    return q == 0 ? Sum(0) : q;
  } else {
    if (divisor == -1 && sum == std::numeric_limits<Sum>::min()) return sum;
    if (rounding == IntegerRounding::truncate) return sum / divisor;
    // The candidates below and above, and the nearer one. `rest` is what the one below leaves, of the divisor's sign.
    Sum below = sum / divisor, rest = sum % divisor;
    if (rest != 0 && (rest < 0) != (divisor < 0)) --below, rest += divisor;
    if (rounding == IntegerRounding::floor || rest == 0) return below;
    const Sum missing = divisor - rest;
    if (divisor < 0 ? rest > missing : rest < missing) return below;
    if (rest != missing) return below + 1;
    return below % 2 == 0 ? below : below + 1;
  }
}

template <class T>
T to_element(auto value) {
  if constexpr (std::is_integral_v<T>) {
    if (value < static_cast<int64_t>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (value > static_cast<int64_t>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  } else {
    return T(value);
  }
}

template <class T>
using SumOf = std::conditional_t<std::is_integral_v<T>, int64_t, decltype(number(T{}))>;

template <class T>
Expected forward(const Problem& p, TensorView input) {
  const Geometry& g = p.geometry;
  const Grid x(input, g);
  Expected out{Tensor(g.output_shape(), p.dtype), {}, {}};
  // Large windows of neighbours may be added up in any order, which integers do not notice.
  const bool neighbours = !g.width().is_adaptive() && g.width().dilation() == 1 && g.height().dilation() == 1 && g.depth().kernel() == 1;
  const bool any_order = !std::is_integral_v<T> && neighbours && g.window_taps() >= 64;
  if (any_order) out.tolerance = Tensor(g.output_shape(), DType::f64);
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    SumOf<T> sum = 0;
    long double magnitude = 0;
    for_each_cell(g, od, oh, ow, [&](int64_t d, int64_t h, int64_t w) {
      const SumOf<T> v = number(x.at<T>(n, c, d, h, w));
      if constexpr (std::is_integral_v<T>)
        sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(v));
      else
        sum += v, magnitude += std::abs(static_cast<long double>(v));
    });
    const int64_t divisor = count_divisor(p, od, oh, ow);
    const auto value = quotient(sum, divisor, p.reduction.rounding);
    out.values.data<T>()[o] = to_element<T>(value);
    if (!any_order) return;
    const double terms = epsilon<SumOf<T>>() * static_cast<double>(g.window_taps()) * static_cast<double>(magnitude);
    const double room = (divisor == 0 ? 0 : terms / std::abs(static_cast<double>(divisor))) +
                        epsilon<T>() * std::abs(static_cast<double>(value)) + static_cast<double>(std::numeric_limits<float>::denorm_min());
    // Where partial sums can overflow, which of them do depends on the order; a NaN or infinity of the input does not.
    const bool may_overflow = magnitude > static_cast<long double>(std::numeric_limits<SumOf<T>>::max()) && std::isfinite(magnitude);
    const bool special = !std::isfinite(magnitude) && !may_overflow;
    out.tolerance.data<double>()[o] = may_overflow ? std::numeric_limits<double>::infinity() : special ? 0 : room;
  });
  return out;
}

template <class T>
Expected backward(const Problem& p, TensorView grad) {
  const Geometry& g = p.geometry;
  const Grid dy(grad, g);
  std::vector<SumOf<T>> sums(static_cast<size_t>(g.input_numel()), SumOf<T>(0));
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t) {
    const int64_t divisor = count_divisor(p, od, oh, ow);
    for_each_cell(g, od, oh, ow, [&](int64_t d, int64_t h, int64_t w) {
      const int64_t plane = (d * g.height().input() + h) * g.width().input() + w;
      sums[static_cast<size_t>((n * g.channels() + c) * g.input_plane() + plane)] +=
          number(dy.at<T>(n, c, od, oh, ow)) / static_cast<SumOf<T>>(divisor);
    });
  });
  Expected out{Tensor(g.input_shape(), p.dtype), {}, {}};
  for (size_t i = 0; i < sums.size(); ++i) out.values.data<T>()[i] = T(sums[i]);
  return out;
}

}  // namespace

Expected average(const Problem& problem, TensorView input) {
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return {};
    } else {
      if (problem.pass != Pass::backward) return forward<T>(problem, input);
      if constexpr (!std::is_integral_v<T>) return backward<T>(problem, input);
      return {};
    }
  });
}

}  // namespace tidepool::oracle
