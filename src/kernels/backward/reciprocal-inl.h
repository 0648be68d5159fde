// Divisions of tap numbers as products. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_RECIPROCAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_RECIPROCAL_INL_H_
#undef TIDEPOOL_RECIPROCAL_INL_H_
#else
#define TIDEPOOL_RECIPROCAL_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// number * factor >> (15 + bits) is number / divisor, for numbers below 2^15: factor is 2^(15 + bits) / divisor rounded up, where
// 2^(bits - 1) < divisor <= 2^bits.
struct Reciprocal {
  uint32_t factor;  // at most 16 bits, for divisors above 1
  int bits = 0;
  explicit Reciprocal(int64_t divisor) noexcept {
    while ((int64_t{1} << bits) < divisor) ++bits;
    factor = static_cast<uint32_t>((int64_t{1} << (15 + bits)) / divisor + 1);
  }
};

// Highway 1.0.3 has no ShiftRightSame for SVE.
template <class D>
HWY_INLINE hn::Vec<D> shift_right(D d, hn::Vec<D> v, int bits) {
#if HWY_TARGET == HWY_SVE_256
  return hn::Shr(v, hn::Set(d, static_cast<hn::TFromD<D>>(bits)));
#else
  (void)d;
  return hn::ShiftRightSame(v, bits);
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
