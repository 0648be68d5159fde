// The fast check of window indices. Vectors divide by the kernels of the axes as products with reciprocals, and compare each axis' tap with
// the bounds of its window.
#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/valid_taps.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/reciprocal-inl.h"
#include "kernels/backward/valid_taps.h"
#include "kernels/dispatch.h"
#include "kernels/held-inl.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <class T>
bool check_taps(const TapRow<T>& row) {
  for (int64_t i = 0; i < row.count; ++i) {
    int64_t tap = row.taps[i];
    if (row.may_be_none && row.taps[i] == static_cast<T>(-1)) continue;
    for (int axis = 0; axis < row.axis_count; ++axis) {
      const TapAxis<T>& x = row.axes[axis];
      const int64_t at = x.varies ? i % row.period : 0, own = axis + 1 < row.axis_count ? tap % x.kernel : tap;
      if (own < x.first[at] || own > x.first[at] + x.span[at]) return false;
      tap /= x.kernel;
    }
  }
  return true;
}

#else

// Divides by a kernel, exactly: bytes, as tap * floor(65535 / kernel + 1) >> 16, and numbers below 2^15.
template <class T>
class KernelDivision {
  using D = hn::ScalableTag<T>;
  using DW = hn::ScalableTag<uint16_t>;

 public:
  HWY_INLINE void set(int64_t kernel) {
    const DW dw;
    const Reciprocal reciprocal(kernel);
    shift_ = reciprocal.bits - 1;
    multiplier_ = hn::Set(dw, static_cast<uint16_t>(sizeof(T) == 1 ? 65535 / kernel + 1 : reciprocal.factor));
    kernel_ = hn::Set(dw, static_cast<uint16_t>(kernel));
  }
  HWY_INLINE hn::Vec<D> quotient(hn::Vec<D> tap) const {
    const DW dw;
    const auto multiplier = vector_of(dw, multiplier_);
    if constexpr (sizeof(T) == 1) {  // the even bytes, and the odd ones
      const auto pairs = hn::BitCast(dw, tap);
      const auto even = hn::MulHigh(hn::And(pairs, hn::Set(dw, uint16_t{0xff})), multiplier);
      const auto odd = hn::MulHigh(hn::ShiftRight<8>(pairs), multiplier);
      return hn::BitCast(D(), hn::Or(even, hn::ShiftLeft<8>(odd)));
    } else {
      return shift_right(D(), hn::MulHigh(tap, multiplier), shift_);
    }
  }
  // Products of bytes stay bytes: two at a time.
  HWY_INLINE hn::Vec<D> rest(hn::Vec<D> tap, hn::Vec<D> quotient) const {
    const DW dw;
    const auto product = hn::Mul(hn::BitCast(dw, quotient), vector_of(dw, kernel_));
    return hn::BitCast(D(), hn::Sub(hn::BitCast(dw, tap), product));
  }

 private:
  Held<DW> multiplier_, kernel_;
  int shift_ = 0;
};

// A vector of indices at this position of the period: lanes that are not 0 are wrong.
template <int kAxes, class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> wrong_taps(hn::Vec<hn::ScalableTag<T>> taps, int64_t position, const TapRow<T>& row,
                                                  const KernelDivision<T>* divisions, hn::Vec<hn::ScalableTag<T>> must_be_tap) {
  const hn::ScalableTag<T> d;
  Held<decltype(d)> wrong = hn::Zero(d), left = taps;
  if constexpr (sizeof(T) == 2 && kAxes > 1) wrong = hn::And(taps, hn::Set(d, T{0x8000}));
  unrolled<kAxes>([&](auto axis) HWY_ATTR {
    const TapAxis<T>& x = row.axes[axis];
    auto own = vector_of(d, left);
    if constexpr (axis + 1 < kAxes) {
      const auto quotient = divisions[axis].quotient(own);
      own = divisions[axis].rest(own, quotient);
      left = quotient;
    }
    const int64_t at = x.varies ? position : 0;
    const auto beyond = hn::SaturatedSub(hn::Sub(own, hn::LoadU(d, x.first + at)), hn::LoadU(d, x.span + at));
    wrong = hn::Or(vector_of(d, wrong), beyond);
  });
  const auto is_tap = hn::VecFromMask(d, hn::Ne(taps, hn::Set(d, static_cast<T>(-1))));
  return hn::And(vector_of(d, wrong), hn::Or(is_tap, must_be_tap));
}

template <int kAxes, class T>
bool check_axes(const TapRow<T>& row) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  KernelDivision<T> divisions[kAxes];
  unrolled<kAxes>([&](auto axis) HWY_ATTR {
    if constexpr (axis + 1 < kAxes) divisions[axis].set(row.axes[axis].kernel);
  });
  const auto must_be_tap = hn::Set(d, static_cast<T>(row.may_be_none ? 0 : -1));
  auto wrong = hn::Zero(d);
  int64_t i = 0, position = 0;
  for (; i + lanes <= row.count; i += lanes) {
    wrong = hn::Or(wrong, wrong_taps<kAxes>(hn::LoadU(d, row.taps + i), position, row, divisions, must_be_tap));
    position += lanes;
    if (position >= row.period) position -= row.period;
  }
  if (const int64_t rest = row.count - i; rest > 0) {
    T last[tap_vector] = {};
    std::memcpy(last, row.taps + i, static_cast<size_t>(rest) * sizeof(T));
    const auto of_last = wrong_taps<kAxes>(hn::LoadU(d, last), position, row, divisions, must_be_tap);
    wrong = hn::Or(wrong, hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(rest)), of_last));
  }
  return hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)));
}

template <class T>
bool check_taps(const TapRow<T>& row) {
  return row.axis_count == 1 ? check_axes<1>(row) : row.axis_count == 2 ? check_axes<2>(row) : check_axes<3>(row);
}

#endif

// An offset that is in range has no highest bit, and neither has its distance from the last one.
bool check_places(const int64_t* indices, int64_t count, int64_t origin, int64_t size, int64_t step) {
  const hn::ScalableTag<int64_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t origins[hn::MaxLanes(hn::ScalableTag<int64_t>())];
  for (int64_t i = 0; i < lanes; ++i) origins[i] = origin + i * step;
  const auto last = hn::Set(d, size - 1);
  auto high = hn::Zero(d), first = hn::LoadU(d, origins);
  const auto next = hn::Set(d, lanes * step);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes, first = hn::Add(first, next)) {
    const auto offset = hn::Sub(hn::LoadU(d, indices + i), first);
    high = hn::Or(high, hn::Or(offset, hn::Sub(last, offset)));
  }
  bool valid = hn::AllFalse(d, hn::Lt(high, hn::Zero(d)));
  for (; i < count; ++i) valid &= indices[i] >= origin + i * step && indices[i] - (origin + i * step) < size;
  return valid;
}

bool check_bytes(const TapRow<uint8_t>& row) { return check_taps(row); }
bool check_words(const TapRow<uint16_t>& row) { return check_taps(row); }

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(check_bytes);
HWY_EXPORT(check_words);
HWY_EXPORT(check_places);
bool are_in_planes(int64_t target, const int64_t* indices, int64_t count, int64_t origin, int64_t size, int64_t step) noexcept {
  return function_for(HWY_DISPATCH_TABLE(check_places), target)(indices, count, origin, size, step);
}
bool taps_valid(int64_t target, const TapRow<uint8_t>& row) noexcept { return function_for(HWY_DISPATCH_TABLE(check_bytes), target)(row); }
bool taps_valid(int64_t target, const TapRow<uint16_t>& row) noexcept { return function_for(HWY_DISPATCH_TABLE(check_words), target)(row); }
}  // namespace tidepool::inline v0_1::detail
#endif
