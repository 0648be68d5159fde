// The reducer of max and min pooling on vectors. Included once per target, inside foreach_target.
//
// combine(a, b), a before b in the window, keeps the first of equals and the last NaN. That makes it associative for any
// grouping that keeps the order, and idempotent under overlap, so that every traversal gives the same bits.
#if defined(TIDEPOOL_EXTREMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_EXTREMUM_INL_H_
#undef TIDEPOOL_EXTREMUM_INL_H_
#else
#define TIDEPOOL_EXTREMUM_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/entries.h"
#include "kernels/held-inl.h"
#include "kernels/reference/max_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The type vectors hold: 16-bit floats are compared as integers in their own width, bool as a byte.
template <class E>
struct LaneOf {
  using type = E;
};
template <>
struct LaneOf<Half> {
  using type = int16_t;
};
template <>
struct LaneOf<BFloat16> {
  using type = int16_t;
};
template <>
struct LaneOf<bool> {
  using type = uint8_t;
};
template <class E>
using Lane = typename LaneOf<E>::type;

template <class E, bool kMin>
struct Extremum {
  template <class D>
  static HWY_INLINE hn::Vec<D> identity(D d) {
    const Stored<E> e = extremum_identity<E, kMin>();
    Lane<E> lane;
    static_assert(sizeof lane == sizeof e);
    hwy::CopyBytes<sizeof lane>(&e, &lane);
    return hn::Set(d, lane);
  }

  // Order of a 16-bit float as an integer: sign and magnitude become two's complement, both zeros 0, NaN the largest.
  //   bits    0x0000 0x8000 0x3c00 0xbc00 0x7c00 0x7e00
  //   order   0      0      15360  -15360 31744  32767
  template <class D, class V>
  static HWY_INLINE V order16(D d, V x) {
    const V magnitude_bits = hn::Set(d, int16_t{0x7fff});
    const V sign = hn::ShiftRight<15>(x);
    const V magnitude = hn::And(x, magnitude_bits);
    V order = hn::Sub(hn::Xor(magnitude, sign), sign);
    if constexpr (kMin) order = hn::Neg(order);
    const V infinity = hn::Set(d, infinity16);
    return hn::IfThenElse(hn::Gt(magnitude, infinity), magnitude_bits, order);
  }

  template <class D, class V>
  static HWY_INLINE hn::Mask<D> replaces(D d, V a, V b) {
    if constexpr (is_half<E>) {
      const V order_b = order16(d, b);
      return hn::Or(hn::Gt(order_b, order16(d, a)), hn::Eq(order_b, hn::Set(d, int16_t{0x7fff})));
    } else if constexpr (std::is_floating_point_v<E>) {
      return hn::Or(kMin ? hn::Lt(b, a) : hn::Gt(b, a), hn::IsNaN(b));
    } else {
      return kMin ? hn::Lt(b, a) : hn::Gt(b, a);
    }
  }

  // combine() for cells that are not NaN: one instruction where the processor has it.
  template <class D, class V>
  static HWY_INLINE V combine_ordered(D d, V a, V b) {
    if constexpr (is_half<E>) {
      return combine(d, a, b);
    } else if constexpr (std::is_floating_point_v<E>) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
      // x86's max(b, a) is b > a ? b : a, also for zeros and NaN: it returns its second operand unless the first wins.
      return kMin ? hn::Min(b, a) : hn::Max(b, a);
#else
      return hn::IfThenElse(kMin ? hn::Lt(b, a) : hn::Gt(b, a), b, a);
#endif
    } else {
      return kMin ? hn::Min(a, b) : hn::Max(a, b);
    }
  }

  template <class D, class V>
  static HWY_INLINE V combine(D d, V a, V b) {
    if constexpr (is_half<E>)
      return hn::IfThenElse(replaces(d, a, b), b, a);
    else if constexpr (std::is_floating_point_v<E>)
      return hn::IfThenElse(hn::IsNaN(b), b, combine_ordered(d, a, b));
    else
      return combine_ordered(d, a, b);
  }

  // Looking for NaN once, at the end, is cheaper than at every cell: a sum is NaN if any cell was. It may also be NaN because
  // +inf met -inf; then the exact way is taken for nothing, and gives the same bits.
  static constexpr bool checks_nan = std::is_floating_point_v<E>;

  // A 16-bit float as an integer that orders like it, -0 below +0; and back, the way being the same:
  //   bits   0x0000 0x8000 0x3c00 0xbc00
  //   key    0      -1     15360  -15361
  static constexpr bool has_keys = is_half<E>, is_min = kMin;
  static constexpr int16_t infinity16 = std::is_same_v<E, Half> ? 0x7c00 : 0x7f80;
  template <class D, class V>
  static HWY_INLINE V key16(D d, V x) {
    return hn::Xor(x, hn::And(hn::ShiftRight<15>(x), hn::Set(d, int16_t{0x7fff})));
  }
};

// Elements that share code after mirror.h has changed their bits, and the vector that changes them.
template <class E>
using Mirrored = std::conditional_t<sizeof(E) == 1, int8_t, E>;

template <class D>
HWY_INLINE hn::Vec<D> mirror(D d, const KernelArgs& a) {
  using U = hwy::MakeUnsigned<hn::TFromD<D>>;
  return hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), static_cast<U>(a.mirror)));
}

// Traversals hand every vector they load to prepare(), and every tap of what that returns, perhaps shuffled out of several, to
// accumulate().

// The best so far of some windows, one per lane, when only values are asked.
template <class R, class D, bool kKeys = R::has_keys>
struct FastExtremum {
  Held<D> best, sum;

  // Whether the order of cells leaves no trace: of floats the first of two zeros is kept, whatever their signs.
  static constexpr bool any_order = !R::checks_nan;

  explicit HWY_INLINE FastExtremum(D d) : best(R::identity(d)), sum(hn::Zero(d)) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) {
    if constexpr (R::checks_nan) sum = hn::Add(sum, loaded);
    return loaded;
  }
  static HWY_INLINE hn::Vec<D> better(D d, hn::Vec<D> a, hn::Vec<D> b) { return R::combine_ordered(d, a, b); }
  HWY_INLINE void accumulate(D d, hn::Vec<D> next, int64_t) { best = better(d, best, next); }
  HWY_INLINE bool in_doubt(D d) const {
    if constexpr (R::checks_nan) return HWY_UNLIKELY(!hn::AllFalse(d, hn::IsNaN(sum)));
    return false;
  }
  HWY_INLINE hn::Vec<D> value(D) const { return best; }
};

// 16-bit floats as keys, which one instruction compares. NaN and -0, which keys tell from +0, leave doubt.
template <class R, class D>
struct FastExtremum<R, D, true> {
  using DU = hn::RebindToUnsigned<D>;
  Held<D> best, other;
  Held<DU> highest;
  static constexpr bool any_order = true;

  explicit HWY_INLINE FastExtremum(D d) : best(R::key16(d, R::identity(d))), other(hn::Zero(d)), highest(hn::Zero(DU())) {}
  HWY_INLINE hn::Vec<D> prepare(D d, hn::Vec<D> loaded) {
    const auto key = R::key16(d, loaded);
    other = R::is_min ? hn::Max(other, key) : hn::Min(other, key);
    highest = hn::Max(highest, hn::BitCast(DU(), key));
    return key;
  }
  static HWY_INLINE hn::Vec<D> better(D, hn::Vec<D> a, hn::Vec<D> b) { return R::is_min ? hn::Min(a, b) : hn::Max(a, b); }
  HWY_INLINE void accumulate(D d, hn::Vec<D> next, int64_t) { best = better(d, best, next); }
  HWY_INLINE bool in_doubt(D d) const {
    const hn::Vec<D> low = R::is_min ? best : other, high = R::is_min ? other : best;
    const auto nan = hn::Or(hn::Gt(high, hn::Set(d, R::infinity16)), hn::Lt(low, hn::Set(d, static_cast<int16_t>(~R::infinity16))));
    const auto negative_zero = hn::RebindMask(d, hn::Eq(highest, hn::Set(DU(), uint16_t{0xffff})));
    return HWY_UNLIKELY(!hn::AllFalse(d, hn::Or(nan, negative_zero)));
  }
  HWY_INLINE hn::Vec<D> value(D d) const { return R::key16(d, vector_of(d, best)); }
};

// The same, minding NaN at every cell.
template <class R, class D>
struct ExactExtremum {
  Held<D> value;

  explicit HWY_INLINE ExactExtremum(D d) : value(R::identity(d)) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D d, hn::Vec<D> next, int64_t) { value = R::combine(d, vector_of(d, value), next); }
};

// Taps that a lane can number, and a table can hold.
constexpr int64_t max_vector_taps(size_t bytes) { return bytes == 1 ? 256 : 4096; }

// What max and min ask beyond their traversal.
template <size_t kBytes, bool kArg>
HWY_NOINLINE Fit fits_extremum(const Problem& p, Fit traversal) {
  if (!traversal.ok()) return traversal;
  if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
  if (p.geometry.width().is_fractional()) return {"every plane has windows of its own"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (kArg && p.geometry.window_taps() > max_vector_taps(kBytes)) return {"window has too many taps to number in a lane"};
  return {};
}

template <class Traversal, class T, bool kArg>
struct ExtremumBy : Traversal {
  static constexpr Indices indices = kArg ? Indices::present : Indices::absent;
  static Fit fits(const Problem& p) { return fits_extremum<sizeof(T), kArg>(p, Traversal::fits(p)); }
};

// Maxima of bool are maxima of bytes. Minima are not: where a window has no cell, they are 1, not 255.
template <class E, bool kMin>
using SharedElement = std::conditional_t<std::is_same_v<E, bool> && !kMin, uint8_t, E>;

// The entries of Kernel<E, kMin> for every dtype.
template <template <class, bool> class Kernel>
constexpr auto value_entries(std::string_view name, Split split) {
  const auto form = [&](Op op) {
    return EntryForm{.name = name, .ops = op, .passes = Pass::forward, .split = split, .target = HWY_TARGET, .indices = Indices::absent};
  };
  return [&]<class... E>(Types<E...>) {
    return std::array{entry<Kernel<SharedElement<E, false>, false>, E>(form(Op::max))..., entry<Kernel<E, true>, E>(form(Op::min))...};
  }(AllTypes());
}

// The entries of Kernel<E>, which mirrors.
template <template <class> class Kernel>
constexpr auto mirrored_entries(std::string_view name, Split split) {
  const EntryForm form{.name = name,
                       .ops = {Op::max, Op::min},
                       .passes = Pass::forward,
                       .split = split,
                       .target = HWY_TARGET,
                       .indices = Kernel<float>::indices};
  return [&]<class... E>(Types<E...>) { return std::array{entry<Kernel<Mirrored<E>>, E>(form)...}; }(AllTypes());
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
