// Averages of integers on vectors, with the results of the definition (avg_pool_cell.h) to the bit: sums are exact, quotients are rounded
// as the problem says and clamped to the element type. Included once per target, inside foreach_target.
//
// Bytes are added in 16 bits, i16 in 32, i32 and i64 in 64. A vector of elements becomes two of sums, of its even and its odd elements:
//
//   elements   x0 x1 x2 x3 x4 x5 x6 x7      seen as lanes of twice the size   x1x0 x3x2 x5x4 x7x6
//   even       x0    x2    x4    x6         the lower half of each lane
//   odd        x1    x3    x5    x7         the upper half of each lane
//
// which needs no shuffles, and the quotients are merged again by a shift.
#if defined(TIDEPOOL_INTEGER_AVERAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_INTEGER_AVERAGE_INL_H_
#undef TIDEPOOL_INTEGER_AVERAGE_INL_H_
#else
#define TIDEPOOL_INTEGER_AVERAGE_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/held-inl.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// What whole windows are divided by. Made once for many vectors: its members are known before the vectors are.
struct Quotient {
  int64_t divisor, taps;
  IntegerRounding rounding;
  uint16_t reciprocal;  // of 16 bits, of the divisor's magnitude
  double inverse;       // of a divisor that is a power of two, else 0: multiplying is several times as fast, and as exact

  Quotient(const KernelArgs& a, int64_t d) noexcept
      : Quotient(d, a.depth.kernel * a.height.kernel * a.width.kernel, a.reduction.rounding) {}
  Quotient(int64_t d, int64_t window_taps, IntegerRounding direction) noexcept
      : divisor(d),
        taps(window_taps),
        rounding(direction),
        reciprocal(d == 0 || d < -0xffff || d > 0xffff ? 0 : static_cast<uint16_t>(0xffff / static_cast<int32_t>(d < 0 ? -d : d))),
        inverse(d > 0 && (d & (d - 1)) == 0 ? 1 / static_cast<double>(d) : 0) {}
};

// Sums and divisors for which the arithmetic below is exact. Of 255 bytes, the sum fits in 16 bits; of 32,768 bytes, in a float; of 65,535
// numbers of 16 bits, in 32; of 2^20 numbers of 32 bits, in a double.
inline constexpr int64_t most_byte_taps = 255, most_long_byte_taps = 32768;
constexpr int64_t most_integer_taps(size_t bytes) { return bytes == 1 ? most_byte_taps : bytes == 2 ? 65535 : 1 << 20; }
constexpr int64_t most_integer_divisor(size_t bytes) { return bytes == 1 ? 65535 : 1 << 20; }

template <class D, class V>
HWY_INLINE V divide(D d, V sum, const Quotient& by) {
  using T = hn::TFromD<D>;
  return by.inverse != 0 ? hn::Mul(sum, hn::Set(d, static_cast<T>(by.inverse))) : hn::Div(sum, hn::Set(d, static_cast<T>(by.divisor)));
}

template <class V>
HWY_INLINE V rounded(V quotient, IntegerRounding rounding) {
  return rounding == IntegerRounding::truncate ? hn::Trunc(quotient)
         : rounding == IntegerRounding::floor  ? hn::Floor(quotient)
                                               : hn::Round(quotient);
}

// 2^52 + 2^51 as a double: the last bits of numbers near it are an integer. So integers of up to 51 bits are converted by one addition.
inline constexpr int64_t magic_bits = 0x4338000000000000;
template <class DF>
HWY_INLINE hn::Vec<DF> to_double(DF df, hn::Vec<hn::RebindToSigned<DF>> v) {
  const hn::Vec<DF> magic = hn::BitCast(df, hn::Set(hn::RebindToSigned<DF>(), magic_bits));
  return hn::Sub(hn::BitCast(df, hn::Add(v, hn::BitCast(hn::RebindToSigned<DF>(), magic))), magic);
}
template <class DF>
HWY_INLINE hn::Vec<hn::RebindToSigned<DF>> to_integer(DF df, hn::Vec<DF> v) {
  const hn::RebindToSigned<DF> di;
  const hn::Vec<DF> magic = hn::BitCast(df, hn::Set(di, magic_bits));
  return hn::Sub(hn::BitCast(di, hn::Add(v, magic)), hn::BitCast(di, magic));
}

// How elements E of vectors D are added in lanes of twice their size: DW, the wide lanes; even(v) and odd(v) of a vector of elements; and
// finish(sum, quotient), the elements in the lower halves of the lanes, with zeros above.
template <class E, class D>
struct Widened;

// Quotients of 16-bit magnitudes are estimated by a reciprocal of 16 bits, one too small at most, which the rest shows.
template <class E, class D>
  requires(sizeof(E) == 1)
struct Widened<E, D> {
  using DW = hn::RepartitionToWide<D>;
  using DU = hn::RebindToUnsigned<DW>;
  using DI = hn::RebindToSigned<DW>;
  static constexpr bool is_signed = std::is_signed_v<E>;

  static HWY_INLINE hn::Vec<DW> even(hn::Vec<D> v) {
    const auto wide = hn::BitCast(DW(), v);
    if constexpr (is_signed) return hn::ShiftRight<8>(hn::ShiftLeft<8>(wide));
    return hn::And(wide, hn::Set(DW(), hn::TFromD<DW>{0xff}));
  }
  static HWY_INLINE hn::Vec<DW> odd(hn::Vec<D> v) { return hn::ShiftRight<8>(hn::BitCast(DW(), v)); }

  static HWY_INLINE hn::Vec<DU> finish(hn::Vec<DW> sum, const Quotient& by) {
    const DU du;
    const DI di;
    if (by.divisor == 0 || (!is_signed && by.divisor < 0)) return hn::Zero(du);
    const uint16_t divisor = static_cast<uint16_t>(by.divisor < 0 ? -by.divisor : by.divisor);
    const auto d = hn::Set(du, divisor), one = hn::Set(du, uint16_t{1});
    const auto sign = is_signed ? hn::ShiftRight<15>(hn::BitCast(di, sum)) : hn::Zero(di);
    const auto magnitude = hn::BitCast(du, hn::Sub(hn::Xor(hn::BitCast(di, sum), sign), sign));
    auto quotient = hn::MulHigh(magnitude, hn::Set(du, by.reciprocal));
    auto rest = hn::Sub(magnitude, hn::Mul(quotient, d));
    const auto is_low = hn::Eq(hn::Max(rest, d), rest);
    quotient = hn::IfThenElse(is_low, hn::Add(quotient, one), quotient);
    const auto negative = by.divisor < 0 ? hn::Not(sign) : sign;
    if (by.rounding != IntegerRounding::truncate) {
      rest = hn::IfThenElse(is_low, hn::Sub(rest, d), rest);
      if (by.rounding == IntegerRounding::floor) {
        const auto exact = hn::Eq(rest, hn::Zero(du));
        quotient = hn::Add(quotient, hn::IfThenZeroElse(exact, hn::And(hn::BitCast(du, negative), one)));
      } else {
        // Up, where twice the rest is more than the divisor, or as much and the quotient odd.
        const auto up = hn::Gt(hn::Add(rest, hn::And(quotient, one)), hn::Sub(d, rest));
        quotient = hn::IfThenElse(up, hn::Add(quotient, one), quotient);
      }
    }
    if constexpr (is_signed) {
      auto result = hn::Sub(hn::Xor(hn::BitCast(di, quotient), negative), negative);
      result = hn::Min(hn::Max(result, hn::Set(di, int16_t{-128})), hn::Set(di, int16_t{127}));
      return hn::And(hn::BitCast(du, result), hn::Set(du, uint16_t{0xff}));
    } else {
      return hn::Min(quotient, hn::Set(du, uint16_t{0xff}));
    }
  }
};

// Sums of up to 23 bits divide in float so exactly that the rounding hides nothing.
template <class D>
HWY_INLINE hn::Vec<D> divide_in_float(D d, hn::Vec<D> sum, const Quotient& by) {
  const hn::RebindToFloat<D> df;
  return hn::ConvertTo(d, rounded(divide(df, hn::ConvertTo(df, sum), by), by.rounding));
}

// Sums of up to 255 elements have 23 bits; others are divided in double.
template <class D>
struct Widened<int16_t, D> {
  using DW = hn::RepartitionToWide<D>;
  using DU = hn::RebindToUnsigned<DW>;

  static HWY_INLINE hn::Vec<DW> even(hn::Vec<D> v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(DW(), v))); }
  static HWY_INLINE hn::Vec<DW> odd(hn::Vec<D> v) { return hn::ShiftRight<16>(hn::BitCast(DW(), v)); }

  static HWY_INLINE hn::Vec<DU> finish(hn::Vec<DW> sum, const Quotient& by) {
    const DW d;
    const DU du;
    if (by.divisor == 0) return hn::Zero(du);
    const auto quotient = by.taps <= 255 ? divide_in_float(d, sum, by) : in_double(sum, by);
    const auto clamped = hn::Min(hn::Max(quotient, hn::Set(d, -32768)), hn::Set(d, 32767));
    return hn::And(hn::BitCast(du, clamped), hn::Set(du, 0xffffu));
  }
  static HWY_NOINLINE hn::Vec<DW> in_double(hn::Vec<DW> sum, const Quotient& by) {
    const hn::Half<DW> half;
    const hn::RepartitionToWide<hn::RebindToFloat<DW>> df;
    const auto divided = [&](hn::Vec<hn::Half<DW>> v)
                             HWY_ATTR { return hn::DemoteTo(half, rounded(divide(df, hn::PromoteTo(df, v), by), by.rounding)); };
    return hn::Combine(DW(), divided(hn::UpperHalf(half, sum)), divided(hn::LowerHalf(half, sum)));
  }
};

// A product of even lanes with 1 widens them.
template <class D>
struct Widened<int32_t, D> {
  using DW = hn::RepartitionToWide<D>;
  using DU = hn::RebindToUnsigned<DW>;

  static HWY_INLINE hn::Vec<DW> even(hn::Vec<D> v) { return hn::MulEven(v, hn::Set(D(), 1)); }
  static HWY_INLINE hn::Vec<DW> odd(hn::Vec<D> v) { return even(hn::BitCast(D(), hn::ShiftRight<32>(hn::BitCast(DU(), v)))); }

  static HWY_INLINE hn::Vec<DU> finish(hn::Vec<DW> sum, const Quotient& by) {
    const hn::RebindToFloat<DW> df;
    const DU du;
    if (by.divisor == 0) return hn::Zero(du);
    const auto quotient = rounded(divide(df, to_double(df, sum), by), by.rounding);
    const auto clamped = hn::Min(hn::Max(quotient, hn::Set(df, -2147483648.0)), hn::Set(df, 2147483647.0));
    return hn::And(hn::BitCast(du, to_integer(df, clamped)), hn::Set(du, uint64_t{0xffffffff}));
  }
};

// Windows of more bytes than 16 bits can add: sums of every fourth element in 32 bits.
template <class E, class D>
struct LongByteAverage {
  using DI = hn::Repartition<int32_t, D>;
  using DU = hn::RebindToUnsigned<DI>;
  Held<DI> sum0, sum1, sum2, sum3;

  explicit HWY_INLINE LongByteAverage(D) : sum0(hn::Zero(DI())), sum1(hn::Zero(DI())), sum2(hn::Zero(DI())), sum3(hn::Zero(DI())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    const auto v = hn::BitCast(DU(), next);
    sum0 = hn::Add(sum0, upper(hn::ShiftLeft<24>(v))), sum1 = hn::Add(sum1, upper(hn::ShiftLeft<16>(v)));
    sum2 = hn::Add(sum2, upper(hn::ShiftLeft<8>(v))), sum3 = hn::Add(sum3, upper(v));
  }
  HWY_INLINE void store(D d, const Quotient& by, E* to) const {
    const auto low = hn::Or(finish(sum0, by), hn::ShiftLeft<8>(finish(sum1, by)));
    const auto high = hn::Or(finish(sum2, by), hn::ShiftLeft<8>(finish(sum3, by)));
    hn::StoreU(hn::BitCast(d, hn::Or(low, hn::ShiftLeft<16>(high))), d, to);
  }

 private:
  static HWY_INLINE hn::Vec<DI> upper(hn::Vec<DU> v) {
    if constexpr (std::is_signed_v<E>) return hn::ShiftRight<24>(hn::BitCast(DI(), v));
    return hn::BitCast(DI(), hn::ShiftRight<24>(v));
  }
  static HWY_INLINE hn::Vec<DU> finish(hn::Vec<DI> sum, const Quotient& by) {
    const DI d;
    if (by.divisor == 0) return hn::Zero(DU());
    const auto low = hn::Set(d, std::numeric_limits<E>::min()), high = hn::Set(d, std::numeric_limits<E>::max());
    const auto clamped = hn::Min(hn::Max(divide_in_float(d, sum, by), low), high);
    return hn::And(hn::BitCast(DU(), clamped), hn::Set(DU(), 0xffu));
  }
};

// Sums wrap around. Those of up to 51 bits are divided as doubles, others one by one.
template <class D>
struct LongAverage {
  Held<D> sum;

  explicit HWY_INLINE LongAverage(D d) : sum(hn::Zero(d)) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) { sum = hn::Add(sum, next); }
  HWY_INLINE void store(D d, const Quotient& by, int64_t* to) const {
    if (by.divisor == 1) return hn::StoreU(sum, d, to);
    const hn::RebindToFloat<D> df;
    const hn::Vec<D> v = sum, limit = hn::Set(d, int64_t{1} << 51);
    const auto beyond = hn::ShiftRight<52>(hn::BitCast(hn::RebindToUnsigned<D>(), hn::Add(v, limit)));
    if (by.divisor != 0 && hn::AllTrue(d, hn::Eq(hn::BitCast(d, beyond), hn::Zero(d))))
      return hn::StoreU(to_integer(df, rounded(divide(df, to_double(df, v), by), by.rounding)), d, to);
    hn::StoreU(v, d, to);
    one_by_one(to, static_cast<int64_t>(hn::Lanes(d)), by);
  }
  static HWY_NOINLINE void one_by_one(int64_t* sums, int64_t count, const Quotient& by) {
    for (int64_t i = 0; i < count; ++i) sums[i] = average<int64_t>(sums[i], by.divisor, by.rounding);
  }
};

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
