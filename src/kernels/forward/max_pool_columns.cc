// Max and min pooling by the columns traversal.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_columns.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/columns-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// Outputs one by one, as vectors of one lane: unlike scalar code they compare without branches, which random cells would mislead.
// start(d, window) makes what takes the taps, finish(d, ow, best) stores it.
template <class Row, class Start, class Finish>
HWY_INLINE void one_by_one(const Row& row, int64_t begin, int64_t end, Start start, Finish finish) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(row.output)>>;
  const hn::CappedTag<T, 1> d;
  const KernelArgs& a = row.a;
  for (int64_t ow = begin; ow < end; ++ow) {
    const Window w = a.width.window(ow);
    auto best = start(d, w);
    for (int64_t r = 0; r < row.count; ++r) {
      const T* x = row.inputs[r] + w.begin;
      for (int64_t t = 0; t < w.count; ++t) best.accumulate(d, best.prepare(d, hn::LoadU(d, x + t * a.width.dilation)), 0);
    }
    finish(d, ow, best);
  }
}

template <class E, bool kMin>
struct MaxColumns {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Row = ColumnsRow<T>;
  // Code of their own for what most people pool; minima do with the general one.
  static constexpr bool fixed_kernels = !kMin && (is_float<E> || sizeof(E) == 1);

  template <int kStride, class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Row& row, int64_t ow) {
    ExactExtremum<R, D> best(d);
    columns_window_taps<kStride, 0>(d, row, ow, best);
    hn::StoreU(best.value, d, row.output + ow);
  }

  template <int kStride, int kKernel, class D>
  static HWY_INLINE void vector_at(D d, const Row& row, int64_t ow) {
    FastExtremum<R, D> best(d);
    columns_window_taps<kStride, kKernel>(d, row, ow, best);
    if (best.in_doubt(d)) return exact_vector_at<kStride>(d, row, ow);
    hn::StoreU(best.value(d), d, row.output + ow);
  }

  static HWY_NOINLINE void exact_cells(const Row& row, int64_t begin, int64_t end) {
    one_by_one(
        row, begin, end, [](auto d, const Window&) HWY_ATTR { return ExactExtremum<R, decltype(d)>(d); },
        [&](auto d, int64_t ow, auto& best) HWY_ATTR { hn::StoreU(best.value, d, row.output + ow); });
  }
  // Of 16-bit floats keys are compared several times as fast.
  static HWY_NOINLINE void quick_cells(const Row& row, int64_t begin, int64_t end) {
    one_by_one(
        row, begin, end, [](auto d, const Window&) HWY_ATTR { return FastExtremum<R, decltype(d)>(d); },
        [&](auto d, int64_t ow, auto& best) HWY_ATTR {
          if (best.in_doubt(d)) return exact_cells(row, ow, ow + 1);
          hn::StoreU(best.value(d), d, row.output + ow);
        });
  }
  static void cells(const Row& row, int64_t begin, int64_t end) {
    if constexpr (R::has_keys && fixed_kernels)
      quick_cells(row, begin, end);
    else
      exact_cells(row, begin, end);
  }
};

template <class E, bool kMin>
struct MaxByColumns : ExtremumBy<ColumnsTraversal<MaxColumns<E, kMin>>, Lane<E>, false> {};
#endif  // one lane cannot shuffle: the reference serves that target

std::span<const KernelEntry> max_columns_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = value_entries<MaxByColumns>("columns", Split::rows);
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_columns_table);
std::span<const KernelEntry> max_pool_columns_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_columns_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
