// Average and sum pooling of large windows. Along rows, sums of 2, 4, 8, … neighbours are built from each other, and a window is put
// together from those that its size has bits for:
//
//   x        a   b   c   d   e          kernel 3 = 1 + 2
//   1        a   b   c   d   e          window 0:  a + (b + c)
//   2        ab  bc  cd  de             window 1:  b + (c + d)
//
// Nothing is ever subtracted, so a NaN or an infinity stays inside its windows and no digits are lost. The order of additions is not that
// of the definition, but the same for every layout, instruction set and number of threads: problems that this kernel serves are served by
// no other (ADR 9).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_separable.cc"
#include <type_traits>

#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/forward/separable-inl.h"
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

// S is the type of the sums.
template <class E, class S>
class SeparableSum {
 public:
  using Memory = E;
  using Lines = SeparableLines<AddRule, S, false>;
  using Line = typename Lines::Line;
  using D = typename Lines::D;
  static constexpr bool fast = false, exact = false;

  explicit SeparableSum(const KernelArgs& a) : a_(a) {}
  static S identity() noexcept { return 0; }

  bool load(const E* from, int64_t ahead, int64_t step, int64_t cells, int64_t pitch, S* to) const {
    const D d;
    read_cells(d, from, step, cells, pitch, to, [&](const E* source, S* target) HWY_ATTR {
      TIDEPOOL_PREFETCH_READ(address(source, ahead));
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
    return false;
  }

  // Each cell takes up its followers. Two steps at once where no part is taken in between: the sums are the same.
  template <bool kExact>
  static typename Lines::Parts reduce(const AxisTable& w, const Line& from, const Line&, const Line& sums, int64_t padded, int64_t pitch) {
    const int64_t kernel = w.kernel, starts = (padded - kernel + 1) * pitch;
    int64_t covered = 0;
    for (int64_t width = 1;; width *= 2) {
      const int64_t shift = width * pitch;
      const auto four = Lines::four(from, shift, 2 * shift, 3 * shift);
      if ((kernel & (3 * width)) == 0 && 4 * width <= kernel) {
        if (4 * width == kernel) return four;
        Lines::template join<false>(four, from, padded * pitch - 4 * shift + pitch);
        width *= 2;
        continue;
      }
      if ((kernel & width) != 0) {
        const Line part = from.at(covered * pitch);
        const auto parts = covered == 0 ? Lines::one(part) : Lines::two(sums, part);
        covered += width;
        if (covered == kernel) return parts;
        Lines::template join<false>(parts, sums, starts);
      }
      const auto two = Lines::two(from, from.at(shift));
      if (2 * width == kernel) return two;
      Lines::template join<false>(two, from, padded * pitch - 2 * shift + pitch);
    }
  }

  template <bool kTwo>
  void store(const RowPosition& p, int64_t ow, int64_t outputs, int64_t pitch, const S* from, int64_t second) const {
    const D d;
    const Window wd = a_.depth.window(p.od), wh = a_.height.window(p.oh);
    const int64_t step = a_.output_strides[dim_w], ahead = a_.output_strides[dim_h];
    E* to = reinterpret_cast<E*>(a_.output) + p.offset(a_.output_strides);
    for (int64_t o = ow, count = 1; o < ow + outputs; o += count, from += count * pitch) {
      const int64_t divisor = divisor_of(a_, wd, wh, a_.width.window(o));
      // Windows inside the input have one divisor.
      const Range same = has_one_divisor() ? Range{o, a_.width.output} : a_.width.interior;
      count = o >= same.begin && o < same.end ? std::min(same.end, ow + outputs) - o : 1;
      write_cells(d, from, to + o * step, step, count, pitch, [&](const S* source, E* target) HWY_ATTR {
        TIDEPOOL_PREFETCH_WRITE(address(target, ahead));
        auto sums = hn::LoadU(d, source);
        if constexpr (kTwo) sums = hn::Add(sums, hn::LoadU(d, source + second));
        finish(d, sums, divisor, a_.reduction.rounding, target);
      });
    }
  }

 private:
  bool has_one_divisor() const noexcept { return a_.reduction.divisor == Divisor::full_kernel || a_.reduction.divisor == Divisor::fixed; }

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

  const KernelArgs& a_;
};

template <class E>
struct SeparableAverage {
  // Sums of small integers fit in 32 bits.
  static constexpr bool has_short_sums = std::is_integral_v<E> && sizeof(E) < 4;
  using Long = Separable<SeparableSum<E, Sum<E>>>;
  using Short = Separable<SeparableSum<E, std::conditional_t<has_short_sums, int32_t, Sum<E>>>>;

  static Fit fits(const Problem& p) { return {has_large_sums(p) ? nullptr : "windows are small, or far apart"}; }
  static double cost(const Problem&) { return 1; }
  static int64_t scratch_bytes(const Problem& p) { return std::max(Long::scratch_bytes(p), Short::scratch_bytes(p)); }
  static int64_t grain(const Problem& p) { return separable_grain(p); }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if constexpr (has_short_sums)
      if (a.height.kernel * a.width.kernel < int64_t{1} << (31 - 8 * sizeof(E))) return Short::run(a, tile);
    Long::run(a, tile);
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
