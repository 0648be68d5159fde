// Converts an element to another dtype, with a defined result for every value: one rounding to nearest even; floats to integers saturate
// and NaN becomes 0; integers to integers wrap.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tidepool/dtype.h"

namespace tidepool::inline v0_1::detail {

// Through memcpy, because the address may be misaligned; and a bool's byte may hold any value. Reading either directly is undefined.
template <class T>
T load_element(const std::byte* at) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return *at != std::byte{0};
  } else {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
}

template <class T>
void store_element(std::byte* at, T value) noexcept {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
inline constexpr bool is_half_like = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// Rounds to odd: an inexact value becomes the neighbouring float whose last bit is 1. A second rounding, to a 16-bit float, then gives
// the same result as one direct rounding, because no inexact value lands on a tie.
inline float round_to_odd(double value) noexcept {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  const uint32_t bits = bits_of(nearest);
  if ((bits & 1u) != 0) return nearest;
  return float_of(std::fabs(static_cast<double>(nearest)) > std::fabs(value) ? bits - 1 : bits + 1);
}

inline float round_to_odd(int64_t value) noexcept {
  constexpr int64_t exact = int64_t{1} << 53;
  if (value >= -exact && value <= exact) return round_to_odd(static_cast<double>(value));
  const int64_t odd = (value >> 10) | ((value & 1023) != 0 ? 1 : 0);
  return round_to_odd(static_cast<double>(odd) * 1024.0);
}

template <class To, class From>
To saturate(From value) noexcept {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (value >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

template <class To, class From>
To convert(From value) noexcept {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_half_like<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (is_half_like<To>) {
    if constexpr (std::is_same_v<From, float>) {
      return To(value);
    } else if constexpr (std::is_same_v<From, double>) {
      return To(round_to_odd(value));
    } else {
      return To(round_to_odd(static_cast<int64_t>(value)));
    }
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace tidepool::inline v0_1::detail
