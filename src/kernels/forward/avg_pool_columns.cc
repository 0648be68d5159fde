// Average and sum pooling by the columns traversal, and by stacks of rows: cells are added in the order of the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_columns.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/columns-inl.h"
#include "kernels/forward/stacked-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E>
struct AvgColumns {
  using T = Lane16<E>;
  using Traversal = ColumnsTraversal<AvgColumns>;
  // Vectors serve whole windows only, so all lanes divide alike.
  struct Row : ColumnsRow<T> {
    Quotient by;
    Row(const KernelArgs& args, const RowPosition& position)
        : ColumnsRow<T>(args, position), by(args, whole_divisor(args, this->wd, this->wh)) {}
    static int64_t whole_divisor(const KernelArgs& args, const Window& wd, const Window& wh) noexcept {
      const Range whole = args.width.interior;
      return whole.size() == 0 ? 0 : divisor_of(args, wd, wh, args.width.window(whole.begin));
    }
  };
  static constexpr bool fixed_kernels = true;

  template <int kStride, int kKernel, class D>
  static HWY_INLINE void vector_at(D d, const Row& row, int64_t ow) {
    AverageAcc<E, D, kStride == 2> sums(d);
    columns_window_taps<kStride, kKernel>(d, row, ow, sums);
    sums.store(d, row.by, reinterpret_cast<E*>(row.output) + ow);
  }

  static void cells(const Row& row, int64_t begin, int64_t end) { avg_cells<E>(row.a, row.p, begin, end); }
};

template <class E>
struct AvgStacked {
  using Traversal = OneDivisor<StackedTraversal<AvgColumns<E>>>;
};
#endif  // one lane is no vector: the reference serves that target

std::span<const KernelEntry> avg_columns_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table =
      join(average_entries<AvgColumns>("columns", Split::rows), average_entries<AvgStacked>("columns_stacked", Split::planes));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_columns_table);
std::span<const KernelEntry> avg_pool_columns_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_columns_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
