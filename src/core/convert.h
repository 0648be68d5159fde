// One element to another type, defined for every value: rounded once, integers from floats saturate, integers among themselves wrap.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tidepool/dtype.h"

namespace tidepool::detail {

// Memory may be misaligned, and a bool's byte may hold anything: both would be undefined to read directly.
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

// Of the two floats around an inexact value, the one with an odd last bit: a later rounding to fewer bits then sees on which
// side of a tie the value was, and the result is as if rounded once.
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

}  // namespace tidepool::detail
