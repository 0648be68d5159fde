// Average and sum pooling of large windows.
//
// Nothing is ever subtracted, so a NaN or an infinity stays inside its windows and no digits are lost. The order of additions is not that
// of the definition, but the same for every layout, instruction set and number of threads: problems that this kernel serves are served by
// no other (ADR 9).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_separable.cc"
#include <type_traits>

#include "hwy/foreach_target.h"
// foreach_target comes first
#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/forward/separable_lines-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct AddRule {
  template <bool kExact, class D, class V>
  static HWY_INLINE V better(D, V a, V b) {
    return hn::Add(a, b);
  }
};

// The code for elements of type E, whose sums are of type S.
template <class E, class S>
class SeparableSum {
  using D = hn::ScalableTag<S>;
  using Lines = SeparableLines<AddRule, S, false>;

  static void clear(std::byte* values, int64_t count) { Lines::fill(S(0), values, count); }

  static unsigned load(const KernelArgs&, const std::byte* from, int64_t step, int64_t cells, int64_t count, int64_t ahead, std::byte* to) {
    const D d;
    load_cells(d, reinterpret_cast<const E*>(from), step, cells, count, reinterpret_cast<S*>(to), [&](const E* source, S* target) HWY_ATTR {
      TIDEPOOL_PREFETCH_READ(reinterpret_cast<uintptr_t>(source) + static_cast<uintptr_t>(ahead));
#if HWY_TARGET == HWY_SCALAR
      *target = static_cast<S>(*source);
#else
      if constexpr (is_float<E>)
        hn::StoreU(load_wide<E>(d, source), d, target);
      else if constexpr (sizeof(E) == sizeof(S))
        hn::StoreU(hn::LoadU(d, source), d, target);
      else if constexpr (sizeof(S) == 8 && sizeof(E) < 4)
        hn::StoreU(hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<int32_t, D>(), hn::LoadU(hn::Rebind<E, D>(), source))), d, target);
      else
        hn::StoreU(hn::PromoteTo(d, hn::LoadU(hn::Rebind<E, D>(), source)), d, target);
#endif
    });
    return 0;
  }

  static void store(const KernelArgs& a, const std::byte* first, const std::byte* second, int64_t divisor, int64_t ahead, std::byte* to,
                    int64_t step, int64_t cells, int64_t count) {
    const D d;
    const S *upper = reinterpret_cast<const S*>(first), *lower = reinterpret_cast<const S*>(second);
    store_cells(d, reinterpret_cast<E*>(to), step, cells, count, [&](int64_t i, E* target) HWY_ATTR {
      TIDEPOOL_PREFETCH_WRITE(reinterpret_cast<uintptr_t>(target) + static_cast<uintptr_t>(ahead));
      auto sums = hn::LoadU(d, upper + i);
      if (lower != nullptr) sums = hn::Add(sums, hn::LoadU(d, lower + i));
      finish(d, sums, divisor, a.reduction.rounding, target);
    });
  }

  static HWY_INLINE void finish(D d, hn::Vec<D> sums, int64_t divisor, IntegerRounding rounding, E* to) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (is_float<E>) {
      if (HWY_LIKELY(divisor != 0)) return store_narrow<E>(d, finish_average(d, sums, divisor), to);
    } else if constexpr (sizeof(S) == 4) {
      if (HWY_LIKELY(divisor != 0)) return finish_integers(d, sums, divisor, rounding, to);
    }
#endif
    S buffer[hn::MaxLanes(D())];
    hn::StoreU(sums, d, buffer);
    for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = average<E>(buffer[i], divisor, rounding);
  }

#if HWY_TARGET != HWY_SCALAR
  // Quotients of 32-bit sums are taken in double, where no rounding hides which integer they lie above, or that they lie in the middle.
  static HWY_INLINE void finish_integers(D d, hn::Vec<D> sums, int64_t divisor, IntegerRounding rounding, E* to) {
    const hn::Half<D> half;
    const hn::Rebind<double, hn::Half<D>> df;
    const auto by = hn::Set(df, static_cast<double>(divisor));
    const auto quotient = [&](hn::Vec<hn::Half<D>> part) HWY_ATTR {
      const auto exact = hn::Div(hn::PromoteTo(df, part), by);
      return hn::DemoteTo(half, rounding == IntegerRounding::truncate ? hn::Trunc(exact)
                                : rounding == IntegerRounding::floor  ? hn::Floor(exact)
                                                                      : hn::Round(exact));
    };
    const auto both = hn::Combine(d, quotient(hn::UpperHalf(half, sums)), quotient(hn::LowerHalf(half, sums)));
    hn::StoreU(hn::DemoteTo(hn::Rebind<E, D>(), both), hn::Rebind<E, D>(), to);
  }
#endif

 public:
  static constexpr SeparableCode code{.bytes = sizeof(S),
                                      .memory_bytes = sizeof(E),
                                      .has_positions = false,
                                      .is_sum = true,
                                      .join = {Lines::template joins<false>(), Lines::template joins<false>()},
                                      .clear = clear,
                                      .load = load,
                                      .store = store,
                                      .store_indices = nullptr};
};

template <class E>
struct SeparableAverage {
  // Sums of small integers fit in 32 bits.
  static constexpr bool has_short_sums = std::is_integral_v<E> && sizeof(E) < 4;
  using Long = SeparableSum<E, Sum<E>>;
  using Short = SeparableSum<E, std::conditional_t<has_short_sums, int32_t, Sum<E>>>;

  static Fit fits(const Problem& p) { return {has_large_sums(p) ? nullptr : "windows are small, or far apart"}; }
  static int64_t scratch_bytes(const Problem& p) { return std::max(separable_scratch(Long::code, p), separable_scratch(Short::code, p)); }
  static int64_t grain(const Problem& p) { return separable_grain(p); }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const bool is_short = has_short_sums && a.height.kernel * a.width.kernel < int64_t{1} << (has_short_sums ? 31 - 8 * sizeof(E) : 0);
    run_separable(is_short ? Short::code : Long::code, a, tile);
  }
};

constexpr EntryForm separable_form{.name = "separable",
                                   .ops = {Op::avg, Op::sum},
                                   .passes = {Pass::forward, Pass::double_backward},
                                   .split = Split::grouped_rows,
                                   .target = HWY_TARGET};

std::span<const KernelEntry> avg_separable_table() {
  static constexpr auto table = entries<SeparableAverage>(separable_form, NumberTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_separable_table);
std::span<const KernelEntry> avg_pool_separable_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_separable_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
