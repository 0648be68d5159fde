// Max and min pooling at a cost that does not grow with the window, with and without indices.
// With indices, elements of less than 32 bits are widened, because positions need them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_separable.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/forward/separable_lines-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"
#include "kernels/reduce/positions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {

// How lines hold elements, and what has to be minded beyond a comparison.
enum class Order : uint8_t {
  plain,   // nothing
  floats,  // the last NaN wins
  f16,
  bf16,  // keys (see key16): the same, and that -0 and +0 are equal
};

struct MaxRule {
  // A key without what makes -0 less than +0, and with every NaN above all others.
  template <Order kOrder, class D, class V>
  static HWY_INLINE V rank(D d, V key) {
    using T = hn::TFromD<D>;
    const V equal_zeros = hn::Sub(key, hn::ShiftRight<8 * sizeof(T) - 1>(key));
    const V infinity = hn::Set(d, T{kOrder == Order::f16 ? 0x7c00 : 0x7f80});
    return hn::IfThenElse(hn::Gt(hn::Abs(equal_zeros), infinity), hn::Set(d, T{0x7fff}), equal_zeros);
  }

  template <Order kOrder, class D, class V>
  static HWY_INLINE hn::Mask<D> replaces(D d, V a, V b) {
    if constexpr (kOrder == Order::plain) return hn::Gt(b, a);
    if constexpr (kOrder == Order::floats) return hn::Or(hn::Gt(b, a), hn::IsNaN(b));
    if constexpr (kOrder == Order::f16 || kOrder == Order::bf16) {
      const V rank_b = rank<kOrder>(d, b);
      return hn::Or(hn::Gt(rank_b, rank<kOrder>(d, a)), hn::Eq(rank_b, hn::Set(d, hn::TFromD<D>{0x7fff})));
    }
  }

  template <Order kOrder, class D, class V>
  static HWY_INLINE V better(D d, V a, V b) {
    if constexpr (kOrder == Order::plain) return Extremum<hn::TFromD<D>, false>::combine_ordered(d, a, b);
    return hn::IfThenElse(replaces<kOrder>(d, a, b), b, a);
  }
};

// The code for elements of type E.
template <class E, bool kIndices>
struct SeparableExtremum {
  using T = std::conditional_t<kIndices && sizeof(E) < 4, int32_t, Lane<E>>;
  using Memory = Lane<E>;
  using D = hn::ScalableTag<T>;
  using DM = hn::Rebind<Memory, D>;
  using Lines = SeparableLines<MaxRule, T, kIndices>;
  static constexpr Order exact = std::is_same_v<E, Half>       ? Order::f16
                                 : std::is_same_v<E, BFloat16> ? Order::bf16
                                 : std::is_floating_point_v<E> ? Order::floats
                                                               : Order::plain;
  static constexpr int16_t infinity = std::is_same_v<E, Half> ? 0x7c00 : 0x7f80;

  static void clear(std::byte* values, int64_t count) {
    if constexpr (is_half<E>)
      Lines::fill(static_cast<T>(static_cast<int16_t>(~infinity)), values, count);
    else
      Lines::fill(extremum_identity<E, false>(), values, count);
  }

  // Mirrored; 16-bit floats as keys.
  static unsigned load(const KernelArgs& a, const std::byte* from, int64_t step, int64_t cells, int64_t count, int64_t ahead,
                       std::byte* to) {
    const D d;
    const DM dm;
    const auto mirrored = mirror(dm, a);
    auto sum = hn::Zero(dm), positive_zeros = hn::Zero(dm), negative_zeros = hn::Zero(dm);
    load_cells(d, reinterpret_cast<const Memory*>(from), step, cells, count, reinterpret_cast<T*>(to),
               [&](const Memory* source, T* target) HWY_ATTR {
                 TIDEPOOL_PREFETCH_READ(reinterpret_cast<uintptr_t>(source) + static_cast<uintptr_t>(ahead));
                 auto v = hn::Xor(hn::LoadU(dm, source), mirrored);
                 if constexpr (std::is_floating_point_v<E>) sum = hn::Add(sum, v);
                 if constexpr (is_half<E>) {
                   sum = hn::Max(sum, hn::And(v, hn::Set(dm, int16_t{0x7fff})));
                   v = Extremum<E, false>::key16(dm, v);
                   positive_zeros = hn::Or(positive_zeros, hn::VecFromMask(dm, hn::Eq(v, hn::Zero(dm))));
                   negative_zeros = hn::Or(negative_zeros, hn::VecFromMask(dm, hn::Eq(v, hn::Set(dm, int16_t{-1}))));
                 }
                 if constexpr (sizeof(T) == sizeof(Memory))
                   hn::StoreU(v, d, target);
                 else
                   hn::StoreU(hn::PromoteTo(d, v), d, target);
               });
    // A sum is NaN if any cell was. It may also be NaN because +inf met -inf; then the exact way is taken for nothing.
    if constexpr (std::is_floating_point_v<E>) return hn::AllFalse(dm, hn::IsNaN(sum)) ? 0u : saw_nan;
    if constexpr (is_half<E>) {
      const auto none = [&](auto v) HWY_ATTR { return hn::AllFalse(dm, hn::MaskFromVec(v)); };
      return (none(positive_zeros) ? 0u : saw_positive_zero) | (none(negative_zeros) ? 0u : saw_negative_zero) |
             (hn::AllFalse(dm, hn::Gt(sum, hn::Set(dm, infinity))) ? 0u : saw_nan);
    }
    return 0;
  }

  static void store(const KernelArgs& a, const std::byte* first, const std::byte* second, int64_t, int64_t ahead, std::byte* to,
                    int64_t step, int64_t cells, int64_t count) {
    const D d;
    const DM dm;
    const auto mirrored = mirror(dm, a);
    const auto convert = [&](hn::Vec<D> wide, Memory* target) HWY_ATTR {
      TIDEPOOL_PREFETCH_WRITE(reinterpret_cast<uintptr_t>(target) + static_cast<uintptr_t>(ahead));
      hn::Vec<DM> v;
      if constexpr (sizeof(T) == sizeof(Memory))
        v = wide;
      else
        v = hn::DemoteTo(dm, wide);
      if constexpr (is_half<E>) v = Extremum<E, false>::key16(dm, v);
      hn::StoreU(hn::Xor(v, mirrored), dm, target);
    };
    const T *upper = reinterpret_cast<const T*>(first), *lower = reinterpret_cast<const T*>(second);
    Memory* out = reinterpret_cast<Memory*>(to);
    if (second == nullptr || kIndices)
      return store_cells(d, out, step, cells, count, [&](int64_t i, Memory* target) HWY_ATTR { convert(hn::LoadU(d, upper + i), target); });
    store_cells(d, out, step, cells, count, [&](int64_t i, Memory* target) HWY_ATTR {
      convert(MaxRule::better<Order::plain>(d, hn::LoadU(d, upper + i), hn::LoadU(d, lower + i)), target);
    });
  }

  static constexpr SeparableCode code{.bytes = sizeof(T),
                                      .memory_bytes = sizeof(Memory),
                                      .has_positions = kIndices,
                                      .is_sum = false,
                                      .join = {Lines::template joins<Order::plain>(), Lines::template joins<exact>()},
                                      .clear = clear,
                                      .load = load,
                                      .store = store,
                                      .store_indices = store_positions<hwy::MakeUnsigned<std::conditional_t<sizeof(T) < 4, int32_t, T>>>};
};

// What the plan asks.
template <class E, bool kIndices>
struct SeparableEntry {
  using Code = SeparableExtremum<E, kIndices>;
  using T = typename Code::T;
  static constexpr Indices indices = kIndices ? Indices::present : Indices::absent;

  static Fit fits(const Problem& p) {
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    return fits_separable(p, sizeof(T) * (kIndices ? 2 : 1), sizeof(T) == 4);
  }
  static int64_t scratch_bytes(const Problem& p) { return separable_scratch(Code::code, p); }
  static int64_t grain(const Problem& p) { return separable_grain(p); }
  static void run(const KernelArgs& a, const Tile& tile) noexcept { run_separable(Code::code, a, tile); }
};

template <class E>
using SeparableValues = SeparableEntry<E, false>;
template <class E>
using SeparableIndices = SeparableEntry<E, true>;

std::span<const KernelEntry> max_separable_table() {
  static constexpr auto table = join(mirrored_entries<SeparableValues>("separable", Split::grouped_rows),
                                     mirrored_entries<SeparableIndices>("separable", Split::grouped_rows));
  return table;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_separable_table);
std::span<const KernelEntry> max_pool_separable_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_separable_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
