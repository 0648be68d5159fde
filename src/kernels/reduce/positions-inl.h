// How positions of extrema leave a kernel, as the indices that were asked for. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_POSITIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_POSITIONS_INL_H_
#undef TIDEPOOL_POSITIONS_INL_H_
#else
#define TIDEPOOL_POSITIONS_INL_H_
#endif

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/reduce/index_store.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// P is the type of positions. Element j of `count` becomes the index positions[j] - origins[j] - first + base + j * next, which is stored
// at `at + j * at_step`. The first part is taken in the positions' own type.
template <class P>
HWY_NOINLINE void store_positions(const KernelArgs& a, const std::byte* position_bytes, const std::byte* origin_bytes, int64_t first,
                                  int64_t count, int64_t at, int64_t at_step, int64_t base, int64_t next) {
  const P *positions = reinterpret_cast<const P*>(position_bytes), *origins = reinterpret_cast<const P*>(origin_bytes);
  const P start = static_cast<P>(first);
  int64_t j = 0;
  if (at_step == 1 && a.index_dtype == DType::i64) {
    const hn::ScalableTag<uint64_t> d;
    const hn::Rebind<P, decltype(d)> dp;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    uint64_t* to = reinterpret_cast<uint64_t*>(a.index) + at;
    // The next row of outputs; of the last row, addresses where prefetching does nothing.
    const uintptr_t ahead = reinterpret_cast<uintptr_t>(to) + static_cast<uintptr_t>(8 * a.index_strides[dim_h]);
    const auto starts = hn::Set(dp, start);
    auto bases = hn::Add(hn::Set(d, static_cast<uint64_t>(base)), hn::Mul(hn::Iota(d, 0), hn::Set(d, static_cast<uint64_t>(next))));
    const auto step = hn::Set(d, static_cast<uint64_t>(lanes * next));
    for (; j + lanes <= count; j += lanes) {
      TIDEPOOL_PREFETCH_WRITE(ahead + static_cast<uintptr_t>(8 * j));
      const auto numbers = hn::Sub(hn::Sub(hn::LoadU(dp, positions + j), hn::LoadU(dp, origins + j)), starts);
      if constexpr (sizeof(P) == 8)
        hn::StoreU(hn::Add(numbers, bases), d, to + j);
      else
        hn::StoreU(hn::Add(hn::PromoteTo(d, numbers), bases), d, to + j);
      bases = hn::Add(bases, step);
    }
  } else if (at_step == 1 && a.index_dtype == DType::u8) {
    const hn::ScalableTag<P> d;
    const hn::Rebind<uint8_t, decltype(d)> bytes;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    uint8_t* to = reinterpret_cast<uint8_t*>(a.index) + at;
    const auto starts = hn::Set(d, start);
    for (; j + lanes <= count; j += lanes) {
      const auto numbers = hn::Sub(hn::Sub(hn::LoadU(d, positions + j), hn::LoadU(d, origins + j)), starts);
      hn::StoreU(hn::TruncateTo(bytes, numbers), bytes, to + j);
    }
  }
  for (; j < count; ++j)
    store_index(a, at + j * at_step, static_cast<int64_t>(static_cast<P>(positions[j] - origins[j] - start)) + base + j * next);
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
