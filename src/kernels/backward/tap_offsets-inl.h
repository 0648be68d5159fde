// Where the chosen taps of windows are. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_TAP_OFFSETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_TAP_OFFSETS_INL_H_
#undef TIDEPOOL_TAP_OFFSETS_INL_H_
#else
#define TIDEPOOL_TAP_OFFSETS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/backward/reciprocal-inl.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Distances of cells from the starts of their windows, computed from tap numbers: by vectors, with divisions as products.
class TapOffsets {
 public:
  static constexpr int64_t most_taps = int64_t{1} << 15;

  TapOffsets(const KernelArgs& a, const Strides5& s) noexcept
      : tap_bytes_(dtype_size(a.index_dtype)),
        row_(a.width.kernel),
        slice_(a.width.kernel * a.height.kernel),
        has_depth_(a.depth.kernel > 1),
        // of the next tap, and what the first tap of the next row or slice adds to that
        tap_step_(static_cast<int32_t>(a.width.dilation * s[dim_w])),
        row_step_(static_cast<int32_t>(a.height.dilation * s[dim_h] - a.width.kernel * a.width.dilation * s[dim_w])),
        slice_step_(static_cast<int32_t>(a.depth.dilation * s[dim_d] - a.height.kernel * a.height.dilation * s[dim_h])),
        none_(a.no_index == INT64_MIN ? INT32_MAX : static_cast<int32_t>(a.no_index)) {}

  // starts[i] and the distance of the i-th tap, for `count` taps. False if some are none.
  HWY_INLINE bool add_to(const int32_t* starts, const std::byte* taps, int64_t count, int32_t* to) const {
    return tap_bytes_ == 1 ? add(starts, reinterpret_cast<const uint8_t*>(taps), count, to)
                           : add(starts, reinterpret_cast<const int16_t*>(taps), count, to);
  }
  bool is_none(const std::byte* taps, int64_t i) const noexcept {
    const int32_t tap = tap_bytes_ == 1 ? reinterpret_cast<const uint8_t*>(taps)[i] : reinterpret_cast<const int16_t*>(taps)[i];
    return tap == none_;
  }
  int64_t tap_bytes() const noexcept { return tap_bytes_; }

 private:
  template <class Tap>
  HWY_NOINLINE bool add(const int32_t* starts, const Tap* taps, int64_t count, int32_t* to) const {
    bool complete = true;
    by_vectors(hn::ScalableTag<int32_t>(), count, [&](auto d, int64_t i) HWY_ATTR {
      const hn::RebindToUnsigned<decltype(d)> du;
      const auto tap = hn::PromoteTo(d, hn::LoadU(hn::Rebind<Tap, decltype(d)>(), taps + i));
      complete = complete && hn::AllFalse(d, hn::Eq(tap, hn::Set(d, none_)));
      const auto times = [&](const Reciprocal& by, int32_t step) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
        const auto product = hn::Mul(hn::BitCast(du, tap), hn::Set(du, by.factor));
        return hn::Mul(hn::BitCast(d, shift_right(du, product, 15 + by.bits)), hn::Set(d, step));
      };
      auto at = hn::Add(hn::LoadU(d, starts + i), hn::Mul(tap, hn::Set(d, tap_step_)));
      at = hn::Add(at, times(row_, row_step_));
      if (has_depth_) at = hn::Add(at, times(slice_, slice_step_));
      hn::StoreU(at, d, to + i);
    });
    return complete;
  }

  int64_t tap_bytes_;
  Reciprocal row_, slice_;
  bool has_depth_;
  int32_t tap_step_, row_step_, slice_step_;
  int32_t none_;
};

#endif

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
