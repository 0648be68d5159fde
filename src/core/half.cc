#include "tidepool/half.h"

namespace tidepool::detail {

//           sign exponent mantissa  bias
//   half      1      5       10      15
//   float     1      8       23     127

float half_bits_to_float(uint16_t bits) noexcept {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t exponent = (bits >> 10) & 0x1Fu;
  const uint32_t mantissa = bits & 0x3FFu;
  if (exponent == 0x1F) return float_of(sign | 0x7F800000u | (mantissa << 13));
  if (exponent != 0) return float_of(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Zero and subnormals are multiples of 2^-24, which a float holds exactly.
  return float_of(sign | bits_of(static_cast<float>(mantissa) * 0x1p-24f));
}

uint16_t float_to_half_bits(float value) noexcept {
  const uint32_t bits = bits_of(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    const uint32_t payload = (magnitude >> 13) & 0x3FFu;
    // A payload that lives in the lost bits alone would turn the NaN into an infinity.
    return static_cast<uint16_t>(sign | 0x7C00u | (payload != 0 ? payload : 0x200u));
  }
  // 65520 lies halfway between the largest half and the next power of two: it and all above round to infinity.
  if (magnitude >= bits_of(65520.0f)) return static_cast<uint16_t>(sign | 0x7C00u);
  if (magnitude < bits_of(0x1p-14f)) {
    // Adding 0.5 leaves a float whose last place is 2^-24, a half's smallest step; the addition does the rounding.
    return static_cast<uint16_t>(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
  }
  // Rounding may carry into the exponent, which is just the next half up.
  const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

uint16_t float_to_bfloat16_bits(float value) noexcept {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
    const uint32_t upper = bits >> 16;
    return static_cast<uint16_t>((upper & 0x7Fu) != 0 ? upper : upper | 0x40u);
  }
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace tidepool::detail
