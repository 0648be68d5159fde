// 16-bit floats to float and back, on vectors, with the bits of half.h on every target. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_HALVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_HALVES_INL_H_
#undef TIDEPOOL_HALVES_INL_H_
#else
#define TIDEPOOL_HALVES_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/element.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// What vectors load: 16-bit floats as their bits.
template <class E>
using Lane16 = std::conditional_t<is_half<E>, uint16_t, E>;

// Exact widening, from bits: sign apart, exponent and mantissa moved up. An f16's exponent is then 112 too small, which a multiplication
// mends for subnormals too; infinities and NaN get the float's full exponent.
template <class E, class DF>
HWY_INLINE hn::Vec<DF> widen(DF df, hn::Vec<hn::Rebind<uint16_t, DF>> v) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::PromoteTo(du, v);
  if constexpr (std::is_same_v<E, BFloat16>) return hn::BitCast(df, hn::ShiftLeft<16>(bits));
  const hn::RebindToSigned<DF> di;
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
  const auto rest = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fffu)));
  const auto finite = hn::BitCast(du, hn::Mul(hn::BitCast(df, rest), hn::Set(df, 0x1p112f)));
  const auto special = hn::Add(rest, hn::Set(du, 0x70000000u));
  const auto is_special = hn::RebindMask(du, hn::Gt(hn::BitCast(di, rest), hn::Set(di, 0x0f7fffff)));
  return hn::BitCast(df, hn::Or(sign, hn::IfThenElse(is_special, special, finite)));
}

// Rounded to nearest even, as float_to_half_bits and float_to_bfloat16_bits say it: all their cases at once, then a choice.
template <class E, class DF>
HWY_INLINE hn::Vec<hn::Rebind<uint16_t, DF>> narrow(DF df, hn::Vec<DF> v) {
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  const auto number = [&](uint32_t x) HWY_ATTR { return hn::Set(du, x); };
  const auto above = [&](hn::Vec<decltype(du)> x, uint32_t limit) HWY_ATTR {  // of magnitudes, which are no negative integers
    return hn::RebindMask(du, hn::Gt(hn::BitCast(di, x), hn::Set(di, static_cast<int32_t>(limit))));
  };
  const auto bits = hn::BitCast(du, v);
  const auto magnitude = hn::And(bits, number(0x7fffffffu));
  const auto is_nan = above(magnitude, 0x7f800000u);
  auto result = bits;
  if constexpr (std::is_same_v<E, BFloat16>) {
    const auto upper = hn::ShiftRight<16>(bits);
    const auto payload = hn::And(upper, number(0x7fu));
    const auto nan = hn::IfThenElse(hn::Eq(payload, hn::Zero(du)), hn::Or(upper, number(0x40u)), upper);
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(number(0x7fffu), hn::And(upper, number(1)))));
    result = hn::IfThenElse(is_nan, nan, rounded);
  } else {
    const auto sign = hn::And(hn::ShiftRight<16>(bits), number(0x8000u));
    const auto last = hn::And(hn::ShiftRight<13>(magnitude), number(1));
    const auto normal = hn::ShiftRight<13>(hn::Sub(hn::Add(hn::Add(magnitude, number(0xfffu)), last), number(112u << 23)));
    const auto half = hn::Set(df, 0.5f);
    const auto small = hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(df, magnitude), half)), hn::BitCast(du, half));
    const auto payload = hn::And(hn::ShiftRight<13>(magnitude), number(0x3ffu));
    const auto nan = hn::Or(number(0x7c00u), hn::IfThenElse(hn::Eq(payload, hn::Zero(du)), number(0x200u), payload));
    result = hn::IfThenElse(above(magnitude, 0x387fffffu), normal, small);            // from 2^-14 on
    result = hn::IfThenElse(above(magnitude, 0x477fefffu), number(0x7c00u), result);  // from 65520 on
    result = hn::Or(sign, hn::IfThenElse(is_nan, nan, result));
  }
  return hn::DemoteTo(hn::Rebind<uint16_t, DF>(), hn::BitCast(di, result));
}

// The processor's own conversions of f16, where it has them. They agree with the above but for what becomes of a NaN's payload.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)
inline constexpr bool has_f16 = true;
#else
inline constexpr bool has_f16 = false;
#endif

// The same for numbers, and for a NaN that stays one: of any payload on the way in, without one on the way out.
template <class E, class DF>
HWY_INLINE hn::Vec<DF> widen_number(DF df, hn::Vec<hn::Rebind<uint16_t, DF>> v) {
  if constexpr (has_f16 && std::is_same_v<E, Half>)
    return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), v));
  else
    return widen<E>(df, v);
}
template <class E, class DF>
HWY_INLINE hn::Vec<hn::Rebind<uint16_t, DF>> narrow_number(DF df, hn::Vec<DF> v) {
  const hn::Rebind<uint16_t, DF> d16;
  if constexpr (std::is_same_v<E, BFloat16>) {
    const hn::RebindToUnsigned<DF> du;
    const auto bits = hn::BitCast(du, v);
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(du, 0x7fffu)), last));
    return hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<DF>(), rounded));
  } else if constexpr (has_f16) {
    return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, DF>(), v));
  } else {
    return narrow<E>(df, v);
  }
}

// Cells as what they are added in.
template <class E, class DF>
HWY_INLINE hn::Vec<DF> load_wide(DF df, const E* from) {
  if constexpr (is_half<E>)
    return widen<E>(df, hn::LoadU(hn::Rebind<uint16_t, DF>(), reinterpret_cast<const uint16_t*>(from)));
  else
    return hn::LoadU(df, from);
}
template <class E, class DF>
HWY_INLINE void store_narrow(DF df, hn::Vec<DF> v, E* to) {
  if constexpr (is_half<E>)
    hn::StoreU(narrow<E>(df, v), hn::Rebind<uint16_t, DF>(), reinterpret_cast<uint16_t*>(to));
  else
    hn::StoreU(v, df, to);
}

#endif  // one lane has half.h

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
