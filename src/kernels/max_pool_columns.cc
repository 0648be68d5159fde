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
      hwy::MakeUnsigned<T> tap_numbers[hn::MaxLanes(hn::ScalableTag<T>())];
      hn::StoreU(best.tap, hn::RebindToUnsigned<D>(), tap_numbers);
      const KernelArgs& a = row.a;
      const int64_t at = row.p.offset(a.index_strides) + ow * a.index_strides[dim_w];
      store_taps(a, tap_numbers, static_cast<int64_t>(hn::Lanes(d)), at, a.index_strides[dim_w],
                 index_origin(a, row.p.n, row.p.c) + plane_start(a, row.p.od, row.p.oh, ow), a.width.stride, 0);
    } else {
      QuickBest<R, D> best(d);
      columns_window_taps<kStride, kKernel>(d, row, ow, best);
      if (best.in_doubt(d)) return exact_vector_at<kStride>(d, row, ow);
      hn::StoreU(best.value, d, row.output + ow);
    }
  }

  static HWY_NOINLINE void cells(const Row& row, int64_t begin, int64_t end) {
    if constexpr (kArg) return max_cells<E, kMin>(row.a, row.p, begin, end);
    // Vectors of one lane: unlike scalar code they compare without branches, which random cells would mislead.
    const hn::CappedTag<T, 1> d;
    for (int64_t ow = begin; ow < end; ++ow) {
      const Window w = row.a.width.window(ow);
      ExactBest<R, hn::CappedTag<T, 1>> best(d);
      for (int64_t r = 0; r < row.count; ++r) {
        const T* x = row.inputs[r] + w.begin;
        for (int64_t t = 0; t < w.count; ++t) best.take(d, hn::LoadU(d, x + t * row.a.width.dilation), 0);
      }
      hn::StoreU(best.value, d, row.output + ow);
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
