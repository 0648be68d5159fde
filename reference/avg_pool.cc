#include <cmath>
#include <limits>
#include <vector>

#include "reference/elements.h"
#include "reference/ops.h"
#include "reference/windows.h"

namespace tidepool::reference {
namespace {

int64_t divisor_of(const Problem& p, const Windows& windows, const Output& output) {
  if (p.reduction.divisor == Divisor::fixed) return p.reduction.fixed_divisor;
  return count_taps(windows, p.reduction.divisor, output);
}

// The mean of a window. Floating results have one NaN and no negative zero; integers are rounded as `rounding` says.
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
    // `below` is the quotient rounded down and `rest` its remainder, which has the divisor's sign. The result is `below` or `below + 1`.
    Sum below = sum / divisor, rest = sum % divisor;
    if (rest != 0 && (rest < 0) != (divisor < 0)) --below, rest += divisor;
    if (rounding == IntegerRounding::floor || rest == 0) return below;
    const Sum missing = divisor - rest;
    if (divisor < 0 ? rest > missing : rest < missing) return below;
    if (rest != missing) return below + 1;
    return below % 2 == 0 ? below : below + 1;
  }
}

// Integers that do not fit the element type are clamped.
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

// Whether the only window of an axis holds all its cells.
bool is_whole(const AxisNumbers& x) {
  if (x.output != 1 || x.fractional) return false;
  return x.adaptive || (x.dilation == 1 && x.kernel - x.pad_before >= x.input);
}

// ADR 9 and 17: floating sums of large windows of adjacent cells, and of large planes, may be added in any order, so they have a tolerance.
bool any_order(const Windows& windows) {
  if (is_whole(windows.depth) && is_whole(windows.height) && is_whole(windows.width) && windows.input_plane() >= 256) return true;
  const bool adjacent = !windows.width.adaptive && windows.width.dilation == 1 && windows.height.dilation == 1 && windows.depth.kernel == 1;
  return adjacent && windows.taps() >= 64;
}

// How far the mean of `taps` cells may lie from `mean` when the order of additions is free. `magnitude` is the sum of the absolute values
// of finite cells.
template <class T>
double tolerance_of(long double magnitude, bool all_finite, int64_t taps, int64_t divisor, SumOf<T> mean) {
  // The order decides whether a partial sum overflows, and whether the infinity that it becomes meets one of the input.
  if (magnitude > static_cast<long double>(std::numeric_limits<SumOf<T>>::max())) return std::numeric_limits<double>::infinity();
  if (!all_finite) return 0;  // a NaN or infinity of the input gives one result in any order
  const double sum_error = epsilon<SumOf<T>>() * static_cast<double>(taps) * static_cast<double>(magnitude);
  return (divisor == 0 ? 0 : sum_error / std::abs(static_cast<double>(divisor))) + epsilon<T>() * std::abs(static_cast<double>(mean)) +
         static_cast<double>(std::numeric_limits<float>::denorm_min());
}

template <class T>
Expected forward(const Problem& p, TensorView input, std::atomic<int64_t>* done) {
  const Windows windows(p.geometry, {}, done);
  const NcdhwView x(input, p.geometry);
  Expected out{Tensor(p.geometry.output_shape(), p.dtype), {}, {}};
  const bool tolerant = !std::is_integral_v<T> && any_order(windows);
  if (tolerant) out.tolerance = Tensor(p.geometry.output_shape(), DType::f64);
  for_each_output(windows, [&](const Output& o) {
    SumOf<T> sum = 0;
    long double magnitude = 0;
    bool all_finite = true;
    for_each_cell(windows, o, [&](const Cell& cell, int64_t) {
      const SumOf<T> v = number(x.at<T>(o.n, o.c, cell.d, cell.h, cell.w));
      if constexpr (std::is_integral_v<T>)
        sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(v));  // i64 sums wrap around
      else if (sum += v; std::isfinite(v))
        magnitude += std::abs(static_cast<long double>(v));
      else
        all_finite = false;
    });
    const int64_t divisor = divisor_of(p, windows, o);
    const auto mean = quotient(sum, divisor, p.reduction.rounding);
    out.values.data<T>()[o.offset] = to_element<T>(mean);
    if constexpr (!std::is_integral_v<T>)
      if (tolerant) out.tolerance.data<double>()[o.offset] = tolerance_of<T>(magnitude, all_finite, windows.taps(), divisor, mean);
  });
  return out;
}

template <class T>
Expected backward(const Problem& p, TensorView gradient, std::atomic<int64_t>* done) {
  const Windows windows(p.geometry, {}, done);
  const NcdhwView dy(gradient, p.geometry);
  std::vector<SumOf<T>> sums(static_cast<size_t>(p.geometry.input_numel()), SumOf<T>(0));
  for_each_output(windows, [&](const Output& o) {
    const int64_t divisor = divisor_of(p, windows, o);
    for_each_cell(windows, o, [&](const Cell& cell, int64_t) {
      sums[static_cast<size_t>(windows.input_offset(o, cell))] +=
          number(dy.at<T>(o.n, o.c, o.d, o.h, o.w)) / static_cast<SumOf<T>>(divisor);
    });
  });
  Expected out{Tensor(p.geometry.input_shape(), p.dtype), {}, {}};
  for (size_t i = 0; i < sums.size(); ++i) out.values.data<T>()[i] = T(sums[i]);
  return out;
}

}  // namespace

Expected avg_pool(const Problem& problem, TensorView input, std::atomic<int64_t>* done) {
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return {};
    } else {
      // The op is linear, so its double backward pass is the forward pass on gradients.
      if (problem.pass != Pass::backward) return forward<T>(problem, input, done);
      if constexpr (!std::is_integral_v<T>) return backward<T>(problem, input, done);
      return {};
    }
  });
}

}  // namespace tidepool::reference
