// Max pooling of lines: the maxima of columns first, then of neighbouring columns. Included once per target, inside foreach_target.
//
// The definition goes through a window row by row: of equal cells it keeps the first, and of NaNs the last. Columns first gives the same
// bits, with two exceptions, which LineCheck detects: NaN, and zeros of both signs. (Of zeros of one sign in all maxima of columns, the
// first one in the window is among them.) A group of lines with such cells is then pooled again by the definition.
#if defined(TIDEPOOL_LINE_EXTREMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LINE_EXTREMUM_INL_H_
#undef TIDEPOOL_LINE_EXTREMUM_INL_H_
#else
#define TIDEPOOL_LINE_EXTREMUM_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Lanes that number cells: of the size of a cell, signed because most instruction sets compare those only. Bytes number up to 255 taps.
template <class T>
using NumberOf = std::conditional_t<sizeof(T) == 1, uint8_t, hwy::MakeSigned<T>>;

enum class CellKind : uint8_t { integer, floating, half };
template <class E>
constexpr CellKind cell_kind = is_half<E>                    ? CellKind::half
                               : std::is_floating_point_v<E> ? CellKind::floating
                                                             : CellKind::integer;

// Are there zeros of both signs, or a NaN, among the cells of some lines? The bits of -0 are the lowest signed number, those of +0 the
// lowest unsigned one. Integers need no check.
template <class E, class D, CellKind = cell_kind<E>>
struct LineCheck {
  explicit HWY_INLINE LineCheck(D) {}
  HWY_INLINE bool failed(D) const { return false; }
};

template <class D>
struct ZeroCheck {
  using DI = hn::RebindToSigned<D>;
  using DU = hn::RebindToUnsigned<D>;
  Held<DI> lowest;
  Held<DU> lowest_unsigned;

  explicit HWY_INLINE ZeroCheck(D d) : lowest(hn::Zero(DI())), lowest_unsigned(hn::Not(hn::Zero(DU()))) { (void)d; }
  HWY_INLINE bool both() const {
    const auto negative = hn::Eq(hn::Vec<DI>(lowest), hn::Set(DI(), std::numeric_limits<hn::TFromD<DI>>::min()));
    const auto positive = hn::Eq(hn::Vec<DU>(lowest_unsigned), hn::Zero(DU()));
    return HWY_UNLIKELY(!hn::AllFalse(DI(), negative)) && !hn::AllFalse(DU(), positive);
  }
};

// A sum is NaN if one of its cells is. It is also NaN if +inf met -inf: then lines are pooled again without need.
template <class E, class D>
struct LineCheck<E, D, CellKind::floating> : ZeroCheck<D> {
  Held<D> sum;

  explicit HWY_INLINE LineCheck(D d) : ZeroCheck<D>(d), sum(hn::Zero(d)) {}
  HWY_INLINE bool failed(D d) const { return HWY_UNLIKELY(!hn::AllFalse(d, hn::IsNaN(vector_of(d, sum)))) || this->both(); }
};

// Of 16-bit floats, positive NaNs are above infinity as signed numbers, negative ones above -infinity as unsigned numbers.
template <class E, class D>
struct LineCheck<E, D, CellKind::half> : ZeroCheck<D> {
  Held<D> highest;
  Held<hn::RebindToUnsigned<D>> highest_unsigned;

  explicit HWY_INLINE LineCheck(D d) : ZeroCheck<D>(d), highest(hn::Zero(d)), highest_unsigned(hn::Zero(hn::RebindToUnsigned<D>())) {}
  HWY_INLINE bool failed(D d) const {
    constexpr int16_t infinity = Extremum<E, false>::infinity16;
    const hn::RebindToUnsigned<D> du;
    const auto positive = hn::Gt(vector_of(d, highest), hn::Set(d, infinity));
    const auto lowest_nan = hn::Set(du, static_cast<uint16_t>((0x8000 | infinity) + 1));
    const auto negative = hn::Eq(hn::Max(vector_of(du, highest_unsigned), lowest_nan), vector_of(du, highest_unsigned));
    return HWY_UNLIKELY(!hn::AllFalse(d, positive)) || HWY_UNLIKELY(!hn::AllFalse(du, negative)) || this->both();
  }
};

// The maxima of some columns, one per lane, from the first row to the last; if kNumbered, with the number of the first row that has it.
// finish() returns them as lines hold them: as they are, 16-bit floats as keys.
template <class E, class D, bool kNumbered, CellKind kKind = cell_kind<E>>
class ColumnMax {
  using R = Extremum<E, false>;
  using DN = hn::Rebind<NumberOf<hn::TFromD<D>>, D>;

 public:
  using Check = LineCheck<E, D>;

  HWY_INLINE ColumnMax(D, hn::Vec<D> first, [[maybe_unused]] int64_t row) : best_(first), sum_(first) {
    if constexpr (kNumbered) number_ = hn::Set(DN(), static_cast<hn::TFromD<DN>>(row));
  }
  HWY_INLINE void take(D d, hn::Vec<D> next, [[maybe_unused]] int64_t row) {
    if constexpr (kNumbered) {
      const auto above = hn::RebindMask(DN(), hn::Gt(next, vector_of(d, best_)));
      number_ = hn::IfThenElse(above, hn::Set(DN(), static_cast<hn::TFromD<DN>>(row)), vector_of(DN(), number_));
    }
    best_ = R::combine_ordered(d, vector_of(d, best_), next);
    if constexpr (kKind == CellKind::floating) sum_ = hn::Add(vector_of(d, sum_), next);
  }
  HWY_INLINE hn::Vec<D> finish(D d, [[maybe_unused]] Check* check) {
    if constexpr (kKind == CellKind::floating) {
      using DI = hn::RebindToSigned<D>;
      using DU = hn::RebindToUnsigned<D>;
      check->sum = hn::Add(vector_of(d, check->sum), vector_of(d, sum_));
      check->lowest = hn::Min(vector_of(DI(), check->lowest), hn::BitCast(DI(), vector_of(d, best_)));
      check->lowest_unsigned = hn::Min(vector_of(DU(), check->lowest_unsigned), hn::BitCast(DU(), vector_of(d, best_)));
    }
    return best_;
  }
  HWY_INLINE hn::Vec<DN> number() const { return number_; }

 private:
  Held<D> best_, sum_;
  Held<DN> number_;
};

// As signed numbers, floats without a sign are above those with one, and these are in reverse. So the largest is the highest number if that
// is positive, and else the lowest; only the result must become a key. Numbered rows need keys to compare.
template <class E, class D, bool kNumbered>
class ColumnMax<E, D, kNumbered, CellKind::half> {
  using R = Extremum<E, false>;
  using DN = hn::Rebind<NumberOf<hn::TFromD<D>>, D>;
  using DU = hn::RebindToUnsigned<D>;

 public:
  using Check = LineCheck<E, D>;

  HWY_INLINE ColumnMax(D d, hn::Vec<D> first, [[maybe_unused]] int64_t row) : high_(first), low_(first), top_(hn::BitCast(DU(), first)) {
    if constexpr (kNumbered) key_ = R::key16(d, first), number_ = hn::Set(DN(), static_cast<int16_t>(row));
  }
  HWY_INLINE void take(D d, hn::Vec<D> next, [[maybe_unused]] int64_t row) {
    if constexpr (kNumbered) {
      const auto key = R::key16(d, next);
      number_ = hn::IfThenElse(hn::Gt(key, vector_of(d, key_)), hn::Set(d, static_cast<int16_t>(row)), vector_of(d, number_));
      key_ = hn::Max(vector_of(d, key_), key);
    } else {
      high_ = hn::Max(vector_of(d, high_), next);
    }
    low_ = hn::Min(vector_of(d, low_), next);
    top_ = hn::Max(vector_of(DU(), top_), hn::BitCast(DU(), next));
  }
  HWY_INLINE hn::Vec<D> finish(D d, Check* check) {
    if constexpr (!kNumbered) {
      const auto negative = hn::Xor(vector_of(d, low_), hn::Set(d, int16_t{0x7fff}));
      key_ = hn::IfThenElse(hn::Lt(vector_of(d, high_), hn::Zero(d)), negative, vector_of(d, high_));
    }
    check->highest = hn::Max(vector_of(d, check->highest), vector_of(d, key_));
    check->highest_unsigned = hn::Max(vector_of(DU(), check->highest_unsigned), vector_of(DU(), top_));
    check->lowest = hn::Min(vector_of(d, check->lowest), vector_of(d, low_));
    check->lowest_unsigned = hn::Min(vector_of(DU(), check->lowest_unsigned), hn::BitCast(DU(), vector_of(d, key_)));
    return key_;
  }
  HWY_INLINE hn::Vec<DN> number() const { return number_; }

 private:
  Held<D> high_, low_, key_;
  Held<DU> top_;
  Held<DN> number_;
};

// A cell of a line as it was in the array. For keys, the way back is the way there.
template <class E, class D>
HWY_INLINE hn::Vec<D> from_line(D d, hn::Vec<D> v) {
  if constexpr (is_half<E>) return Extremum<E, false>::key16(d, v);
  (void)d;
  return v;
}

// The maximum of cells of lines.
template <class E, class D>
HWY_INLINE hn::Vec<D> line_max(D d, hn::Vec<D> a, hn::Vec<D> b) {
  if constexpr (is_half<E>)
    return hn::Max(a, b);
  else
    return Extremum<E, false>::combine_ordered(d, a, b);
}

#endif  // one lane cannot be shuffled

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
