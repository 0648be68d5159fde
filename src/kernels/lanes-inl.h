// Lane movements that Highway does not have. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LANES_INL_H_
#undef TIDEPOOL_LANES_INL_H_
#else
#define TIDEPOOL_LANES_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// f(0), …, f(kCount - 1) with constants for arguments, so that what they index can live in registers: a loop may stay a loop, and
// then arrays of vectors go through memory.
template <int kCount, class F>
HWY_INLINE void unrolled(const F& f) {
  if constexpr (kCount > 1) unrolled<kCount - 1>(f);
  f(std::integral_constant<int, kCount - 1>());
}

#if HWY_TARGET != HWY_SCALAR

// The even or the odd lanes of two vectors:
//
//   low   a b c d      high   e f g h      even   a c e g      odd   b d f h
//
// Highway 1.0.3 takes the vectors for full ones on SVE of 256 bits. Shorter ones are put into one vector first.
template <class D, class V, class Concat>
HWY_INLINE V concat_every_second([[maybe_unused]] D d, V high, V low, const Concat& concat) {
#if HWY_TARGET == HWY_SVE_256
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) < 32) {
    const auto both = hn::Combine(hn::Twice<D>(), high, low);
    return concat(both, both);
  }
#endif
  return concat(high, low);
}
template <class D, class V>
HWY_INLINE V concat_even(D d, V high, V low) {
  return concat_every_second(d, high, low, [d](auto h, auto l) HWY_ATTR { return hn::ConcatEven(d, h, l); });
}
template <class D, class V>
HWY_INLINE V concat_odd(D d, V high, V low) {
  return concat_every_second(d, high, low, [d](auto h, auto l) HWY_ATTR { return hn::ConcatOdd(d, h, l); });
}

#endif

// Moves every lane one down across the whole vector and fills the last from `next`:
//
//   v     a b c d      next   e . . .      shift_in   b c d e
//
// One or two instructions on AVX-512; elsewhere reading memory again one cell on is as good, and has_shift_in says so.
template <class D>
constexpr bool has_shift_in() {
#if HWY_TARGET == HWY_AVX3
  return hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 64;
#else
  return false;
#endif
}

template <class D, class V>
HWY_INLINE V shift_in(D d, V v, V next) {
#if HWY_TARGET == HWY_AVX3
  const hn::RebindToUnsigned<D> du;
  const auto low = hn::BitCast(du, v), high = hn::BitCast(du, next);
  if constexpr (sizeof(hn::TFromD<D>) == 4)
    return hn::BitCast(d, hn::Vec<decltype(du)>{_mm512_alignr_epi32(high.raw, low.raw, 1)});
  else if constexpr (sizeof(hn::TFromD<D>) == 8)
    return hn::BitCast(d, hn::Vec<decltype(du)>{_mm512_alignr_epi64(high.raw, low.raw, 1)});
  else  // inside every 16 bytes, from those and the next 16
    return hn::BitCast(
        d, hn::Vec<decltype(du)>{_mm512_alignr_epi8(_mm512_alignr_epi64(high.raw, low.raw, 2), low.raw, sizeof(hn::TFromD<D>))});
#endif
  (void)d, (void)next;
  return v;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
