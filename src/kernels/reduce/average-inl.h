// The reducer of average and sum pooling on vectors. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_AVERAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_AVERAGE_INL_H_
#undef TIDEPOOL_AVERAGE_INL_H_
#else
#define TIDEPOOL_AVERAGE_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/entries.h"
#include "kernels/halves-inl.h"
#include "kernels/held-inl.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// sum / divisor. Powers of two have exact reciprocals, and multiplying is several times as fast.
template <class D, class V>
HWY_INLINE V divide(D d, V sum, int64_t divisor) {
  using T = hn::TFromD<D>;
  const T by = static_cast<T>(divisor);
  return divisor > 0 && (divisor & (divisor - 1)) == 0 ? hn::Mul(sum, hn::Set(d, 1 / by)) : hn::Div(sum, hn::Set(d, by));
}

// As average() does it: never -0, one NaN.
template <class D, class V>
HWY_INLINE V finish_average(D d, V sum, int64_t divisor) {
  using T = hn::TFromD<D>;
  const V quotient = hn::Add(divide(d, sum, divisor), hn::Zero(d));
  return hn::IfThenElse(hn::IsNaN(quotient), hn::Set(d, std::numeric_limits<T>::quiet_NaN()), quotient);
}

// The sums of some windows, one per lane, in the order the cells are taken.
template <class E, class D>
struct AverageOf {
  Held<D> sum;

  explicit HWY_INLINE AverageOf(D d) : sum(hn::Zero(d)) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) { sum = hn::Add(sum, next); }
  HWY_INLINE void store(D d, const KernelArgs&, int64_t divisor, E* to) const {
    hn::StoreU(finish_average(d, vector_of(d, sum), divisor), d, to);
  }
};

// 16-bit floats: two vectors of float sums.
template <class E, class D>
struct HalfAverageOf {
  using DF = hn::Rebind<float, hn::Half<D>>;
  Held<DF> low, high;

  explicit HWY_INLINE HalfAverageOf(D) : low(hn::Zero(DF())), high(hn::Zero(DF())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }

  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    low = hn::Add(low, widen_number<E>(DF(), hn::LowerHalf(hn::Half<D>(), next)));
    high = hn::Add(high, widen_number<E>(DF(), hn::UpperHalf(hn::Half<D>(), next)));
  }

  // A bf16 is the upper half of a float, so that two of them in a lane need no shuffles. See lane_pairs.
  static constexpr bool pairs = std::is_same_v<E, BFloat16>;
  HWY_INLINE void accumulate_evens(D, hn::Vec<D> first, hn::Vec<D> second) {
    const auto even = [](hn::Vec<D> v)
                          HWY_ATTR { return hn::BitCast(DF(), hn::ShiftLeft<16>(hn::BitCast(hn::RebindToUnsigned<DF>(), v))); };
    low = hn::Add(low, even(first)), high = hn::Add(high, even(second));
  }
  HWY_INLINE void accumulate_odds(D, hn::Vec<D> first, hn::Vec<D> second) {
    const hn::RebindToUnsigned<DF> du;
    const auto odd = [&](hn::Vec<D> v) HWY_ATTR { return hn::BitCast(DF(), hn::And(hn::BitCast(du, v), hn::Set(du, 0xffff0000u))); };
    low = hn::Add(low, odd(first)), high = hn::Add(high, odd(second));
  }

  HWY_INLINE void store(D, const KernelArgs&, int64_t divisor, E* to) const {
    const DF df;
    const hn::Half<D> half;
    uint16_t* bits = reinterpret_cast<uint16_t*>(to);
    hn::StoreU(narrow_number<E>(df, finish_average(df, vector_of(df, low), divisor)), half, bits);
    hn::StoreU(narrow_number<E>(df, finish_average(df, vector_of(df, high), divisor)), half, bits + hn::Lanes(df));
  }
};

// Bytes: two vectors of 16-bit sums, which hold those of as many cells as most_byte_cells. Quotients are taken in float: sums below 2^16
// divide so exactly there that no rounding hides which integer they lie above.
inline constexpr int64_t most_byte_cells = 255;

template <class E, class D>
struct ByteAverageOf {
  using D16 = hn::Rebind<std::conditional_t<std::is_signed_v<E>, int16_t, uint16_t>, hn::Half<D>>;
  using D32 = hn::Rebind<int32_t, hn::Half<D16>>;
  Held<D16> low, high;

  explicit HWY_INLINE ByteAverageOf(D) : low(hn::Zero(D16())), high(hn::Zero(D16())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    const hn::Half<D> half;
    low = hn::Add(low, hn::PromoteTo(D16(), hn::LowerHalf(half, next)));
    high = hn::Add(high, hn::PromoteTo(D16(), hn::UpperHalf(half, next)));
  }

  // Two bytes in a lane of a sum need no shuffles either.
  static constexpr bool pairs = true;
  HWY_INLINE void accumulate_evens(D, hn::Vec<D> first, hn::Vec<D> second) {
    const auto even = [](hn::Vec<D> v) HWY_ATTR { return hn::ShiftRight<8>(hn::ShiftLeft<8>(hn::BitCast(D16(), v))); };
    low = hn::Add(low, even(first)), high = hn::Add(high, even(second));
  }
  HWY_INLINE void accumulate_odds(D, hn::Vec<D> first, hn::Vec<D> second) {
    const auto odd = [](hn::Vec<D> v) HWY_ATTR { return hn::ShiftRight<8>(hn::BitCast(D16(), v)); };
    low = hn::Add(low, odd(first)), high = hn::Add(high, odd(second));
  }

  HWY_INLINE void store(D, const KernelArgs& a, int64_t divisor, E* to) const {
    const hn::Half<D16> half;
    const size_t step = hn::Lanes(D32());
    finish(a, hn::LowerHalf(half, low), divisor, to);
    finish(a, hn::UpperHalf(half, low), divisor, to + step);
    finish(a, hn::LowerHalf(half, high), divisor, to + 2 * step);
    finish(a, hn::UpperHalf(half, high), divisor, to + 3 * step);
  }

 private:
  static HWY_INLINE void finish(const KernelArgs& a, hn::Vec<hn::Half<D16>> sums, int64_t divisor, E* to) {
    const D32 d;
    const hn::RebindToFloat<D32> df;
    const hn::Rebind<E, D32> de;
    if (divisor == 0) return hn::StoreU(hn::Zero(de), de, to);
    const auto quotient = divide(df, hn::ConvertTo(df, hn::PromoteTo(d, sums)), divisor);
    const auto rounded = a.reduction.rounding == IntegerRounding::truncate ? hn::Trunc(quotient)
                         : a.reduction.rounding == IntegerRounding::floor  ? hn::Floor(quotient)
                                                                           : hn::Round(quotient);
    hn::StoreU(hn::DemoteTo(de, hn::ConvertTo(d, rounded)), de, to);
  }
};

template <class E, class D>
using AverageAcc =
    std::conditional_t<is_half<E>, HalfAverageOf<E, D>, std::conditional_t<sizeof(E) == 1, ByteAverageOf<E, D>, AverageOf<E, D>>>;

// What averages ask beyond their traversal.
inline HWY_NOINLINE Fit fits_sums(const Problem& p) {
  if (has_large_sums(p)) return {large_sums_refusal};
  if (dtype_size(p.dtype) == 1 &&
      (p.geometry.window_taps() > most_byte_cells || p.reduction.fixed_divisor > 1 << 20 || p.reduction.fixed_divisor < -(1 << 20)))
    return {"sums of bytes would leave 16 bits, or the divisor a float"};
  return fits_steps(p);
}
template <class Traversal>
struct AverageBy : Traversal {
  static Fit fits(const Problem& p) {
    const Fit fit = fits_sums(p);
    return fit.ok() ? Traversal::fits(p) : fit;
  }
};

// Whether all windows are divided by the same number, wherever they lie.
inline Fit fits_one_divisor(const Problem& p) {
  const Geometry& g = p.geometry;
  const auto is_whole = [](const Axis& x) { return x.interior().size() == x.output(); };
  if (is_whole(g.depth()) && is_whole(g.height()) && is_whole(g.width())) return {};
  if (p.reduction.divisor == Divisor::valid_only) return {"windows divide by the cells they hold"};
  if (p.reduction.divisor != Divisor::window_in_padded) return {};
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (x.output() > 0 && x.window(x.output() - 1).padded_count != x.kernel()) return {"the last windows hang over the padding"};
  }
  return {};
}

template <class Kernel>
struct OneDivisor : Kernel {
  static Fit fits(const Problem& p) {
    const Fit fit = Kernel::fits(p);
    return fit.ok() ? fits_one_divisor(p) : fit;
  }
};

// The entries of one traversal: average and sum, forward and (the same, being linear) double backward.
template <template <class> class Kernel>
constexpr auto average_entries(std::string_view name, Split split) {
  const EntryForm form{
      .name = name, .ops = {Op::avg, Op::sum}, .passes = {Pass::forward, Pass::double_backward}, .split = split, .target = HWY_TARGET};
  return [&]<class... E>(Types<E...>) {
    return std::array{entry<AverageBy<typename Kernel<E>::Traversal>, E>(form)...};
  }(Types<float, double, Half, BFloat16, uint8_t, int8_t>());
}

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
