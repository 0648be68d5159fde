// Rows of output gradients as gathers read them: widened, divided or with their taps, and kept in scratch while rows of the input need
// them. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_STAGED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_STAGED_ROWS_INL_H_
#undef TIDEPOOL_STAGED_ROWS_INL_H_
#else
#define TIDEPOOL_STAGED_ROWS_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/backward/channel_range.h"
#include "kernels/backward/covering.h"
#include "kernels/entries.h"
#include "kernels/halves-inl.h"
#include "kernels/held-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Calls body(d, i) for vectors that cover [0, count): the last one overlaps its neighbour, and fewer elements than lanes take shorter
// vectors. The body must allow that elements are visited twice.
template <class D, class Body>
HWY_INLINE void by_vectors(D d, int64_t count, const Body& body) {
  constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));
  if (count >= lanes) {
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) body(d, i);
    if (i < count) body(d, count - lanes);
  } else if constexpr (lanes > 1) {
    by_vectors(hn::CappedTag<hn::TFromD<D>, lanes / 2>(), count, body);
  }
}

// One-byte tap numbers in lanes as wide as the sums.
template <class DT>
HWY_INLINE hn::Vec<DT> load_taps(DT d, const uint8_t* from) {
  const auto bytes = hn::LoadU(hn::Rebind<uint8_t, DT>(), from);
  if constexpr (sizeof(hn::TFromD<DT>) == 4)
    return hn::PromoteTo(d, bytes);
  else
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, DT>(), bytes));
}

// What windows i, i + 1, … of a staged row contribute to their tap of that number in the row: the same to each of their taps …
template <class Sum>
struct UniformContribution {
  using S = Sum;
  using Row = const S*;
  static HWY_INLINE hn::Vec<hn::ScalableTag<S>> of(Row row, int64_t i, int64_t) { return hn::LoadU(hn::ScalableTag<S>(), row + i); }
};

// … or their gradient to the tap that was chosen.
template <class Sum>
struct ArgmaxContribution {
  using S = Sum;
  using Tap = hwy::MakeUnsigned<S>;
  struct Row {
    const S* grads;
    const Tap* taps;
    const Tap* numbers;  // of the row's taps, in memory, from where vectors of one number are loaded fastest
  };
  static HWY_INLINE hn::Vec<hn::ScalableTag<S>> of(const Row& row, int64_t i, int64_t tap) {
    const hn::ScalableTag<S> d;
    const hn::ScalableTag<Tap> dt;
    const auto chose = hn::Eq(hn::LoadU(dt, row.taps + i), hn::Set(dt, row.numbers[tap]));
    return hn::IfThenElseZero(hn::RebindMask(d, chose), hn::LoadU(d, row.grads + i));
  }
};

// The entries of one kernel, for the floating dtypes.
template <template <class> class Kernel>
constexpr auto gather_entries(std::string_view name, Split split, EnumSet<Op> ops) {
  return entries<Kernel>({.name = name, .ops = ops, .passes = Pass::backward, .split = split, .target = HWY_TARGET}, FloatTypes());
}

// The rows that have been staged so far, in a ring. Some are staged ahead: loads that span two stores wait until both have left the store
// buffer.
class StagedRows {
 public:
  static constexpr int64_t columns_ahead = 5;  // enough for short rows; long ones leave the store buffer sooner

  StagedRows(const KernelArgs& a, const RowRing& ring) noexcept : a_(a), ring_(ring) {}
  void start(const ChannelRange& r) noexcept { r_ = r, od_ = oh_ = 0; }

 protected:
  // The slot of row (od, oh), after fill(slot, od, oh) for all rows up to it that have not been staged.
  template <class Fill>
  HWY_INLINE int64_t slot(int64_t od, int64_t oh, const Fill& fill) noexcept {
    if (od_ < od || (od_ == od && oh_ <= oh)) stage(od, HWY_MIN(oh + ring_.ahead, a_.height.output - 1), fill);
    return ring_.slot(od, oh);
  }

  const KernelArgs& a_;
  ChannelRange r_{};
  RowRing ring_;

 private:
  template <class Fill>
  HWY_NOINLINE void stage(int64_t od, int64_t oh, const Fill& fill) noexcept {
    while (od_ < od || (od_ == od && oh_ <= oh)) {
      fill(ring_.slot(od_, oh_), od_, oh_);
      if (++oh_ == a_.height.output) oh_ = 0, ++od_;
    }
  }

  int64_t od_ = 0, oh_ = 0;  // the next row to stage
};

// Sums of 16-bit floats are floats, and NaN come from 16-bit floats: then the processor's conversions and the cheap rounding of bfloat16
// give the bits of half.h.
template <class E, class DF>
HWY_INLINE hn::Vec<DF> load_grads(DF d, const E* from) {
  if constexpr (is_half<E>)
    return widen_number<E>(d, hn::LoadU(hn::Rebind<uint16_t, DF>(), reinterpret_cast<const uint16_t*>(from)));
  else
    return hn::LoadU(d, from);
}
template <class E, class DF>
HWY_INLINE void store_sums(DF d, hn::Vec<DF> v, E* to) {
  if constexpr (is_half<E>)
    hn::StoreU(narrow_number<E>(d, v), hn::Rebind<uint16_t, DF>(), reinterpret_cast<uint16_t*>(to));
  else
    hn::StoreU(v, d, to);
}

#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
