// What kernels ask of an element type.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tidepool/half.h"

namespace tidepool::inline v0_1::detail {

template <class E>
inline constexpr bool is_half = std::is_same_v<E, Half> || std::is_same_v<E, BFloat16>;
template <class E>
inline constexpr bool is_float = std::is_floating_point_v<E> || is_half<E>;

// What memory holds: a bool that came from outside may be any byte, so it is read as one.
template <class E>
using Stored = std::conditional_t<std::is_same_v<E, bool>, uint8_t, E>;

// What sums are kept in: the element type for f32 and f64, as PyTorch does; float for 16-bit floats, rounded once at the end;
// 64 bits for integers.
template <class E>
using Sum = std::conditional_t<is_half<E>, float, std::conditional_t<std::is_floating_point_v<E>, E, int64_t>>;

// A double as an element, rounded once. 16-bit floats: to odd into float first, so that the second rounding cannot see a false tie.
template <class E>
E to_element(double value) noexcept {
  if constexpr (!is_half<E>) {
    return static_cast<E>(value);
  } else {
    float f = static_cast<float>(value);
    const double back = static_cast<double>(f);
    if (back != value && (std::bit_cast<uint32_t>(f) & 1) == 0)  // inexact and even: the neighbour on the other side is odd
      f = std::nextafter(f, back < value ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity());
    return E(f);
  }
}

}  // namespace tidepool::inline v0_1::detail
