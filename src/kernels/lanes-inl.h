// Lane movements that Highway does not have. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LANES_INL_H_
#undef TIDEPOOL_LANES_INL_H_
#else
#define TIDEPOOL_LANES_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Moves every lane one down across the whole vector and fills the last from `next`:
//
//   v     a b c d      next   e . . .      shift_in   b c d e
//
// One instruction on AVX-512; elsewhere reading memory again one cell on is as good, and has_shift_in says so.
template <class D>
constexpr bool has_shift_in() {
#if HWY_TARGET == HWY_AVX3
  return hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 64 && sizeof(hn::TFromD<D>) >= 4;
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
#endif
  (void)d, (void)next;
  return v;
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
