#include "tidepool/half.h"

namespace tidepool::inline v0_1::detail {

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
    // If all remaining payload bits are 0, one must be set: otherwise the result would be an infinity.
    return static_cast<uint16_t>(sign | 0x7C00u | (payload != 0 ? payload : 0x200u));
  }
  // 65520 is halfway between the largest half, 65504, and 65536: values from there on round to infinity.
  if (magnitude >= bits_of(65520.0f)) return static_cast<uint16_t>(sign | 0x7C00u);
  if (magnitude < bits_of(0x1p-14f)) {
    // Subnormal halves are multiples of 2^-24. The last bit of a float in [0.5, 1) is 2^-24, so adding 0.5 rounds to that multiple.
    return static_cast<uint16_t>(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
  }
  // Rounds to nearest even. A carry into the exponent gives the next larger half, which is correct.
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

}  // namespace tidepool::inline v0_1::detail
