// Average and sum pooling of small planes whose windows follow each other column by column, on planes with their padding,
// see padded-inl.h. Cells are added in the order of the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_padded.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/padded-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"
#include "kernels/reduce/average-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E>
struct PaddedAverage {
  using T = Lane16<E>;
  using D = hn::ScalableTag<T>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));

  template <class AnyD>
  static HWY_INLINE hn::Vec<AnyD> blank(AnyD d) {
    return hn::Zero(d);
  }
  struct Seen {
    template <class AnyD>
    Seen(AnyD, const KernelArgs&) {}
    template <class AnyD>
    HWY_INLINE hn::Vec<AnyD> prepare(AnyD, hn::Vec<AnyD> v) {
      return v;
    }
  };

  static void pool_padded(const KernelArgs& a, const Seen&, PlanePrefetcher& next, T*) noexcept {
    const D d;
    const AxisTable w = a.width, h = a.height, z = a.depth;
    const int64_t slice = w.input * h.input, last = w.output - lanes;
    // All windows are whole, and divide alike.
    const Quotient by(a, divisor_of(a, z.window(0), h.window(0), w.window(0)));
    for (int64_t od = 0; od < z.output; ++od)
      for (int64_t oh = 0; oh < h.output; ++oh) {
        const T* top = reinterpret_cast<const T*>(a.input) + od * z.stride * slice + oh * h.stride * w.input;
        E* out = reinterpret_cast<E*>(a.output) + od * a.output_strides[dim_d] + oh * a.output_strides[dim_h];
        next.step();
        for (int64_t i = 0; i < w.output; i += lanes) {
          const int64_t at = HWY_MAX(HWY_MIN(i, last), 0);
          AverageAcc<E, D> sums(d);
          for (int64_t td = 0; td < z.kernel; ++td)
            for (int64_t th = 0; th < h.kernel; ++th) {
              const T* x = top + at + td * z.dilation * slice + th * h.dilation * w.input;
              if (w.kernel == 3)
                unrolled<3>([&](auto t) HWY_ATTR { sums.accumulate(d, hn::LoadU(d, x + t * w.dilation), 0); });
              else
                for (int64_t t = 0; t < w.kernel; ++t) sums.accumulate(d, hn::LoadU(d, x + t * w.dilation), 0);
            }
          store_in_row<lanes>(out, at, w.output, [&](E* to) HWY_ATTR { sums.store(d, by, to); });
        }
      }
  }
  static int64_t padded_scratch(const Problem&) { return 0; }
};

template <class E>
struct AvgPadded {
  using Traversal = OneDivisor<PaddedTraversal<PaddedAverage<E>>>;
};
#endif  // one lane is no vector

std::span<const KernelEntry> avg_padded_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = average_entries<AvgPadded>("columns_padded", Split::planes);
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_padded_table);
std::span<const KernelEntry> avg_pool_padded_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_padded_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
