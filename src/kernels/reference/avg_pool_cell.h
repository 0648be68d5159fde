// Average and sum pooling of one output cell, by the book: the definition that fits every shape, and the border of the vector kernels.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/element.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// What the sum over these windows is divided by; 0 for a window that has nothing to count.
inline int64_t divisor_of(const KernelArgs& a, const Window& wd, const Window& wh, const Window& ww) noexcept {
  switch (a.reduction.divisor) {
    case Divisor::window_in_padded:
      return wd.padded_count * wh.padded_count * ww.padded_count;
    case Divisor::full_kernel:
      return a.depth.kernel * a.height.kernel * a.width.kernel;
    case Divisor::valid_only:
      return wd.count * wh.count * ww.count;
    case Divisor::fixed:
      return a.reduction.fixed_divisor;
  }
  return 1;
}

// Integers wrap instead of overflowing.
template <class S>
S add(S a, S b) noexcept {
  if constexpr (std::is_integral_v<S>)
    return static_cast<S>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}

inline int64_t divide(int64_t sum, int64_t divisor, IntegerRounding rounding) noexcept {
  if (divisor == -1) return static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(sum));
  const int64_t quotient = sum / divisor, rest = sum % divisor;
  if (rest == 0 || rounding == IntegerRounding::truncate) return quotient;
  const int64_t away = (sum < 0) == (divisor < 0) ? 1 : -1;
  if (rounding == IntegerRounding::floor) return away < 0 ? quotient - 1 : quotient;
  // Twice the rest against the divisor, in magnitudes that cannot overflow.
  const uint64_t r = rest < 0 ? uint64_t{0} - static_cast<uint64_t>(rest) : static_cast<uint64_t>(rest);
  const uint64_t d = divisor < 0 ? uint64_t{0} - static_cast<uint64_t>(divisor) : static_cast<uint64_t>(divisor);
  const bool up = r > d - r || (r == d - r && quotient % 2 != 0);
  return up ? quotient + away : quotient;
}

// The sum as an element. Floats: one division, never -0, and NaN always the same one, so that all targets agree. Integers saturate.
template <class E>
E average(Sum<E> sum, int64_t divisor, IntegerRounding rounding) noexcept {
  if (divisor == 0) return E(Sum<E>(0));
  if constexpr (is_float<E>) {
    const Sum<E> quotient = sum / static_cast<Sum<E>>(divisor) + Sum<E>(0);
    return E(std::isnan(quotient) ? std::numeric_limits<Sum<E>>::quiet_NaN() : quotient);
  } else {
    const int64_t quotient = divide(sum, divisor, rounding);
    if (quotient < std::numeric_limits<E>::min()) return std::numeric_limits<E>::min();
    if (quotient > std::numeric_limits<E>::max()) return std::numeric_limits<E>::max();
    return static_cast<E>(quotient);
  }
}

template <class E>
[[gnu::noinline]] void avg_cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept {
  const Window wd = a.depth.window(p.od), wh = a.height.window(p.oh);
  const Strides5& s = a.input_strides;
  const E* plane = reinterpret_cast<const E*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
  E* out = reinterpret_cast<E*>(a.output) + p.offset(a.output_strides);
  for (int64_t ow = begin; ow < end; ++ow) {
    const Window ww = a.width.window(ow);
    Sum<E> sum = 0;
    for (int64_t td = 0; td < wd.count; ++td)
      for (int64_t th = 0; th < wh.count; ++th) {
        const E* x = plane + (wd.begin + td * a.depth.dilation) * s[dim_d] + (wh.begin + th * a.height.dilation) * s[dim_h];
        for (int64_t tw = 0; tw < ww.count; ++tw) sum = add(sum, static_cast<Sum<E>>(x[(ww.begin + tw * a.width.dilation) * s[dim_w]]));
      }
    out[ow * a.output_strides[dim_w]] = average<E>(sum, divisor_of(a, wd, wh, ww), a.reduction.rounding);
  }
}

}  // namespace tidepool::inline v0_1::detail
