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
#include "kernels/lanes-inl.h"
#include "kernels/reduce/integer_average-inl.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// As average() does it: never -0, one NaN.
template <class D, class V>
HWY_INLINE V finish_average(D d, V sum, const Quotient& by) {
  using T = hn::TFromD<D>;
  const V quotient = hn::Add(divide(d, sum, by), hn::Zero(d));
  return hn::IfThenElse(hn::IsNaN(quotient), hn::Set(d, std::numeric_limits<T>::quiet_NaN()), quotient);
}

template <class D, class V>
HWY_INLINE V finish_average(D d, V sum, int64_t divisor) {
  return finish_average(d, sum, Quotient(divisor, 0, IntegerRounding::truncate));
}

// The sums of some windows, one per lane, in the order the cells are taken.
template <class E, class D>
struct AverageOf {
  Held<D> sum;

  explicit HWY_INLINE AverageOf(D d) : sum(hn::Zero(d)) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) { sum = hn::Add(sum, next); }
  HWY_INLINE void store(D d, const Quotient& by, E* to) const { hn::StoreU(finish_average(d, vector_of(d, sum), by), d, to); }
};

// f16: two vectors of float sums, of the lower and the upper half of the elements.
template <class E, class D>
struct HalfAverage {
  using DF = hn::Rebind<float, hn::Half<D>>;
  Held<DF> low, high;

  explicit HWY_INLINE HalfAverage(D) : low(hn::Zero(DF())), high(hn::Zero(DF())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }

  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    low = hn::Add(low, widen_number<E>(DF(), hn::LowerHalf(hn::Half<D>(), next)));
    high = hn::Add(high, widen_number<E>(DF(), hn::UpperHalf(hn::Half<D>(), next)));
  }

  HWY_INLINE void store(D, const Quotient& by, E* to) const {
    const DF df;
    const hn::Half<D> half;
    uint16_t* bits = reinterpret_cast<uint16_t*>(to);
    hn::StoreU(narrow_number<E>(df, finish_average(df, vector_of(df, low), by)), half, bits);
    hn::StoreU(narrow_number<E>(df, finish_average(df, vector_of(df, high), by)), half, bits + hn::Lanes(df));
  }
};

// A bf16 is the upper half of a float.
template <class D>
struct Widened<BFloat16, D> {
  using DW = hn::Repartition<float, D>;
  using DU = hn::RebindToUnsigned<DW>;

  static HWY_INLINE hn::Vec<DW> even(hn::Vec<D> v) { return hn::BitCast(DW(), hn::ShiftLeft<16>(hn::BitCast(DU(), v))); }
  static HWY_INLINE hn::Vec<DW> odd(hn::Vec<D> v) { return hn::BitCast(DW(), hn::And(hn::BitCast(DU(), v), hn::Set(DU(), 0xffff0000u))); }
  static HWY_INLINE hn::Vec<DU> finish(hn::Vec<DW> sum, const Quotient& by) {
    const DU du;
    const auto bits = hn::BitCast(du, finish_average(DW(), sum, by));
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    return hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(du, 0x7fffu)), last));  // to nearest even
  }
};

// Elements that are added in lanes of twice their size (integer_average-inl.h). The columns kernels split two adjacent vectors, the second
// one behind the first, into their even and odd elements: where kPairs is set, `first` holds sums of the first, and `second` of the
// second vector; otherwise of the even and the odd elements of one.
template <class E, class D, bool kPairs>
struct WideAverage {
  using W = Widened<E, D>;
  using DW = typename W::DW;
  Held<DW> first, second;

  explicit HWY_INLINE WideAverage(D) : first(hn::Zero(DW())), second(hn::Zero(DW())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    if constexpr (kPairs) {
      const hn::Half<D> half;
      first = hn::Add(first, widened(hn::LowerHalf(half, next))), second = hn::Add(second, widened(hn::UpperHalf(half, next)));
    } else {
      first = hn::Add(first, W::even(next)), second = hn::Add(second, W::odd(next));
    }
  }

  static HWY_INLINE hn::Vec<DW> widened(hn::Vec<hn::Half<D>> v) {
    if constexpr (is_half<E>)
      return widen_number<E>(DW(), v);
    else
      return hn::PromoteTo(DW(), v);
  }

  static constexpr bool pairs = kPairs;
  HWY_INLINE void accumulate_evens(D, hn::Vec<D> a, hn::Vec<D> b) {
    first = hn::Add(first, W::even(a)), second = hn::Add(second, W::even(b));
  }
  HWY_INLINE void accumulate_odds(D, hn::Vec<D> a, hn::Vec<D> b) { first = hn::Add(first, W::odd(a)), second = hn::Add(second, W::odd(b)); }

  HWY_INLINE void store(D, const Quotient& by, E* to) const {
    const hn::RebindToUnsigned<D> d;
    const auto x = W::finish(first, by), y = W::finish(second, by);
    hn::Vec<decltype(d)> elements;
    if constexpr (kPairs)
      elements = concat_even(d, hn::BitCast(d, y), hn::BitCast(d, x));
    else
      elements = hn::BitCast(d, hn::Or(x, hn::ShiftLeft<sizeof(E) * 8>(y)));
    hn::StoreU(elements, d, reinterpret_cast<hn::TFromD<decltype(d)>*>(to));
  }
};

// The sums of the windows in the lanes of D, kPairs as above; if kLong, of windows of more than most_byte_taps bytes.
template <class E, class D, bool kPairs = false, bool kLong = false>
using AverageAcc = std::conditional_t<
    kLong, LongByteAverage<E, D>,
    std::conditional_t<
        std::is_same_v<E, Half>, HalfAverage<E, D>,
        std::conditional_t<std::is_same_v<E, int64_t>, LongAverage<D>,
                           std::conditional_t<(std::is_integral_v<E> || is_half<E>), WideAverage<E, D, kPairs>, AverageOf<E, D>>>>>;

// What averages ask beyond their traversal.
inline HWY_NOINLINE Fit fits_sums(const Problem& p, bool long_windows) {
  if (const Fit fit = fits_order(p); !fit.ok()) return fit;
  const auto exceeds = [&](int64_t taps, int64_t divisor) {
    return p.geometry.window_taps() > taps || p.reduction.fixed_divisor > divisor || p.reduction.fixed_divisor < -divisor;
  };
  const size_t bytes = static_cast<size_t>(dtype_size(p.dtype));
  if (!is_floating(p.dtype) &&
      exceeds(bytes == 1 && long_windows ? most_long_byte_taps : most_integer_taps(bytes), most_integer_divisor(bytes)))
    return {"sums leave the lanes of vectors, or divisors"};
  return fits_steps(p);
}
template <class Traversal, bool kLong = false>
struct AverageBy : Traversal {
  static Fit fits(const Problem& p) {
    const Fit fit = fits_sums(p, kLong);
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

template <class Kernel>
constexpr bool has_long_windows() {
  if constexpr (requires { Kernel::long_windows; }) return Kernel::long_windows;
  return false;
}

// The entries of one traversal: average and sum, forward and (the same, being linear) double backward.
// Kernel<E>::long_windows says whether it also adds more than most_byte_taps bytes.
template <template <class> class Kernel>
constexpr auto average_entries(std::string_view name, Split split) {
  const EntryForm form{
      .name = name, .ops = {Op::avg, Op::sum}, .passes = {Pass::forward, Pass::double_backward}, .split = split, .target = HWY_TARGET};
  return [&]<class... E>(Types<E...>) {
    return std::array{entry<AverageBy<typename Kernel<E>::Traversal, has_long_windows<Kernel<E>>()>, E>(form)...};
  }(NumberTypes());
}

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
