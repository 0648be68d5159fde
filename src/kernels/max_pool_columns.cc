// Max and min pooling by the columns traversal.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/max_pool_columns.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/columns-inl.h"
#include "kernels/extremum-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kMin, bool kArg>
struct MaxColumns {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Traversal = ColumnsTraversal<MaxColumns>;
  using Row = ColumnsRow<T, kArg>;
  static constexpr bool taps = kArg;
  static constexpr bool fixed_kernels = !kArg && (is_float<E> || sizeof(E) == 1);

  template <class D>
  static HWY_INLINE void store_row_winners(D, const Row& row, int64_t ow, const ArgBest<R, D>& best) {
    const KernelArgs& a = row.a;
    const int64_t at = row.p.offset(a.index_strides) + ow * a.index_strides[dim_w];
    store_winners(hn::RebindToUnsigned<D>(), best.tap, a, at, a.index_strides[dim_w],
                  index_origin(a, row.p.n, row.p.c) + plane_start(a, row.p.od, row.p.oh, ow), a.width.stride, 0);
  }

  template <int kStride, class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Row& row, int64_t ow) {
    ExactBest<R, D> best(d);
    columns_window_taps<kStride, 0>(d, row, ow, best);
    hn::StoreU(best.value, d, row.output + ow);
  }

  template <int kStride, int kKernel, class D>
  static HWY_INLINE void vector_at(D d, const Row& row, int64_t ow) {
    if constexpr (kArg) {
      ArgBest<R, D> best(d, row.first_taps[0]);
      columns_window_taps<kStride, kKernel>(d, row, ow, best);
      hn::StoreU(best.value, d, row.output + ow);
      store_row_winners(d, row, ow, best);
    } else {
      QuickBest<R, D> best(d);
      columns_window_taps<kStride, kKernel>(d, row, ow, best);
      if (best.in_doubt(d)) return exact_vector_at<kStride>(d, row, ow);
      hn::StoreU(best.value(d), d, row.output + ow);
    }
  }

  // Vectors of one lane: unlike scalar code they compare without branches, which random cells would mislead.
  static HWY_NOINLINE void cells(const Row& row, int64_t begin, int64_t end) {
    using D1 = hn::CappedTag<T, 1>;
    const D1 d;
    const KernelArgs& a = row.a;
    if (kArg && row.count == 0) return max_cells<E, kMin>(a, row.p, begin, end);
    for (int64_t ow = begin; ow < end; ++ow) {
      const Window w = a.width.window(ow);
      if (kArg && w.count == 0) {
        max_cells<E, kMin>(a, row.p, ow, ow + 1);
        continue;
      }
      const auto each_tap = [&](auto& best) HWY_ATTR {
        for (int64_t r = 0; r < row.count; ++r) {
          const T* x = row.inputs[r] + w.begin;
          const int64_t tap = row.first_taps[kArg ? r : 0] + w.first_tap;
          for (int64_t t = 0; t < w.count; ++t) best.take(d, hn::LoadU(d, x + t * a.width.dilation), tap + t);
        }
      };
      if constexpr (kArg) {
        ArgBest<R, D1> best(d, row.first_taps[0] + w.first_tap);
        each_tap(best);
        hn::StoreU(best.value, d, row.output + ow);
        store_row_winners(d, row, ow, best);
      } else {
        ExactBest<R, D1> best(d);
        each_tap(best);
        hn::StoreU(best.value, d, row.output + ow);
      }
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept { Traversal::run(a, tile); }
  static Fit fits(const Problem& p) {
    const Fit fit = Traversal::fits(p);
    return fit.ok() ? fits_extremum<T, kArg>(p) : fit;
  }
  static double cost(const Problem& p) { return Traversal::cost(p); }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};
#endif  // one lane cannot shuffle: the strided kernel serves that target

std::span<const KernelEntry> max_columns_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto entries = extremum_entries<MaxColumns>({"columns", Split::rows}, {"columns_arg", Split::rows});
  return entries;
#endif
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(max_columns_table);
std::span<const KernelEntry> max_pool_columns_kernels() { return HWY_DYNAMIC_DISPATCH(max_columns_table)(); }
}  // namespace tidepool::detail
#endif
