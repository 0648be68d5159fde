// Storage types for the two 16-bit floating formats. They only store and convert; arithmetic is done in float.
#pragma once

#include <cstdint>
#include <cstring>

#include "tidepool/export.h"

namespace tidepool::inline v0_1 {

namespace detail {

inline uint32_t bits_of(float value) noexcept {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(uint32_t bits) noexcept {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TIDEPOOL_API float half_bits_to_float(uint16_t bits) noexcept;
TIDEPOOL_API uint16_t float_to_half_bits(float value) noexcept;
TIDEPOOL_API uint16_t float_to_bfloat16_bits(float value) noexcept;

}  // namespace detail

// IEEE 754 binary16. Conversion from float rounds to nearest even; NaN stays NaN and keeps its sign and top payload bits.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  explicit Half(float value) noexcept : bits(detail::float_to_half_bits(value)) {}
  static constexpr Half from_bits(uint16_t bits) noexcept {
    Half h;
    h.bits = bits;
    return h;
  }
  explicit operator float() const noexcept { return detail::half_bits_to_float(bits); }
};

// bfloat16: the upper 16 bits of a float. Conversion from float rounds to nearest even; NaN stays NaN.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value) noexcept : bits(detail::float_to_bfloat16_bits(value)) {}
  static constexpr BFloat16 from_bits(uint16_t bits) noexcept {
    BFloat16 b;
    b.bits = bits;
    return b;
  }
  explicit operator float() const noexcept { return detail::float_of(uint32_t{bits} << 16); }
};

}  // namespace tidepool::inline v0_1
