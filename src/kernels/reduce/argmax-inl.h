// Maxima and minima on vectors with their places: which tap of its window won, and where that is stored. Included once per target, inside
// foreach_target.
#if defined(TIDEPOOL_ARGMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_ARGMAX_INL_H_
#undef TIDEPOOL_ARGMAX_INL_H_
#else
#define TIDEPOOL_ARGMAX_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The best so far of some windows, one per lane, and which tap it was. R says what is better.
template <class R, class D>
struct Argmax {
  using DI = hn::RebindToUnsigned<D>;
  Held<D> best, mirrored;
  Held<DI> tap;

  HWY_INLINE Argmax(D d, const KernelArgs& a, int64_t first_tap)
      : best(R::identity(d)), mirrored(mirror(d, a)), tap(hn::Set(DI(), static_cast<hn::TFromD<DI>>(first_tap))) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return hn::Xor(loaded, hn::Vec<D>(mirrored)); }
  HWY_INLINE void accumulate(D d, hn::Vec<D> next, int64_t tap_number) {
    const auto replace = R::replaces(d, vector_of(d, best), next);
    best = hn::IfThenElse(replace, next, best);
    tap = hn::IfThenElse(hn::RebindMask(DI(), replace), hn::Set(DI(), static_cast<hn::TFromD<DI>>(tap_number)), tap);
  }
  HWY_INLINE hn::Vec<D> value() const { return hn::Xor(hn::Vec<D>(best), hn::Vec<D>(mirrored)); }
};

// As many taps as there are lanes of 64 bits.
template <class Number>
HWY_INLINE hn::Vec<hn::ScalableTag<uint64_t>> widen_taps(const Number* taps) {
  const hn::ScalableTag<uint64_t> d;
  const auto loaded = hn::LoadU(hn::Rebind<Number, decltype(d)>(), taps);
  if constexpr (sizeof(Number) == 8)
    return loaded;
  else if constexpr (sizeof(Number) == 4)
    return hn::PromoteTo(d, loaded);
  else
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, decltype(d)>(), loaded));
}

// store_taps() for places in the plane or the tensor, side by side.
template <class Number>
HWY_NOINLINE void store_places(const KernelArgs& a, const Number* taps, int64_t count, int64_t at, int64_t start, int64_t step) {
  const hn::ScalableTag<int64_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t* out = reinterpret_cast<int64_t*>(a.index) + at;
  auto origin = hn::Add(hn::Set(d, start), hn::Mul(hn::Iota(d, 0), hn::Set(d, step)));
  const auto next = hn::Set(d, lanes * step);
  int64_t j = 0;
  for (; j + lanes <= count; j += lanes, origin = hn::Add(origin, next)) {
    hn::StoreU(hn::Add(origin, hn::GatherIndex(d, a.tap_offsets, hn::BitCast(d, widen_taps(taps + j)))), d, out + j);
  }
  if (j < count) store_taps(a, taps + j, count - j, at + j, 1, start + j * step, step);
}

// Positions relative to `start`, as 64-bit integers.
template <class DN>
HWY_INLINE void store_positions(DN dn, hn::Vec<DN> positions, int64_t start, int64_t* out, int64_t step) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(dn));
  hn::TFromD<DN> few[hn::MaxLanes(DN())];
  if (step != 1) {
    hn::StoreU(positions, dn, few);
    for (int64_t j = 0; j < lanes; ++j) out[j * step] = start + static_cast<int64_t>(few[j]);
  } else if constexpr (sizeof(hn::TFromD<DN>) == 8) {
    hn::StoreU(hn::Add(positions, hn::Set(dn, start)), dn, out);
  } else if constexpr (sizeof(hn::TFromD<DN>) == 4) {
    const hn::CappedTag<int64_t, hn::MaxLanes(DN())> wide;
    hn::StoreU(positions, dn, few);
    for (int64_t j = 0; j < lanes; j += static_cast<int64_t>(hn::Lanes(wide)))
      hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::LoadU(hn::Rebind<hn::TFromD<DN>, decltype(wide)>(), few + j)), hn::Set(wide, start)), wide,
                 out + j);
  }
}

// Where the winners were: compact indices that lie side by side in one store, all others one by one. The numbers are store_taps's.
template <class D>
HWY_INLINE void store_winners(D d, hn::Vec<D> taps, const KernelArgs& a, int64_t at, int64_t at_step, int64_t start, int64_t step) {
  if (a.index_base == IndexBase::window && a.index_dtype == DType::u8 && at_step == 1) {
    const hn::Rebind<uint8_t, D> bytes;
    uint8_t* to = reinterpret_cast<uint8_t*>(a.index) + at;
    if constexpr (sizeof(hn::TFromD<D>) == 1)
      hn::StoreU(taps, bytes, to);
    else
      hn::StoreU(hn::TruncateTo(bytes, taps), bytes, to);
    return;
  }
  hn::TFromD<D> numbers[hn::MaxLanes(D())];
  hn::StoreU(taps, d, numbers);
  if (a.index_base != IndexBase::window && at_step == 1)
    store_places(a, numbers, static_cast<int64_t>(hn::Lanes(d)), at, start, step);
  else
    store_taps(a, numbers, static_cast<int64_t>(hn::Lanes(d)), at, at_step, start, step);
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
