// Average and sum pooling by the channels traversal, and by the transposed one on top of it: cells are added in the order of the
// definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_channels.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/channels-inl.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kLong>
struct AvgChannels {
  using T = Lane16<E>;
  using Traversal = ChannelsTraversal<AvgChannels>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 4;
  static constexpr bool stores_indices = false;

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    using Acc = AverageAcc<E, D, false, kLong>;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const Quotient by(cell.a, divisor_of(cell.a, cell.wd, cell.wh, cell.ww));
    E* out = reinterpret_cast<E*>(cell.output) + c;
    if constexpr (kCount == 1) {
      Acc sums(d);
      channels_window_taps<1>(d, cell, c, &sums);
      sums.store(d, by, out);
    } else if constexpr (kCount == 2) {
      Acc sums[kCount] = {Acc(d), Acc(d)};
      channels_window_taps<kCount>(d, cell, c, sums);
      unrolled<kCount>([&](auto i) HWY_ATTR { sums[i].store(d, by, out + i * lanes); });
    } else {
      static_assert(kCount == 4);
      Acc sums[kCount] = {Acc(d), Acc(d), Acc(d), Acc(d)};
      channels_window_taps<kCount>(d, cell, c, sums);
      unrolled<kCount>([&](auto i) HWY_ATTR { sums[i].store(d, by, out + i * lanes); });
    }
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { avg_cells<E>(a, p, ow, ow + 1); }
  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { Traversal::run(a, tile); }
};

// Bytes: the window's size decides how they are added.
template <class E, template <class> class Traversal>
struct AvgBySize : Traversal<AvgChannels<E, false>> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if constexpr (sizeof(E) == 1)
      if (a.depth.kernel * a.height.kernel * a.width.kernel > most_byte_taps) return Traversal<AvgChannels<E, true>>::run(a, tile);
    Traversal<AvgChannels<E, false>>::run(a, tile);
  }
};

template <class E>
struct AvgByChannels {
  static constexpr bool long_windows = true;
  using Traversal = AvgBySize<E, ChannelsTraversal>;
};
template <class E>
struct AvgTransposed {
  static constexpr bool long_windows = true;
  using Traversal = AvgBySize<E, TransposedTraversal>;
};
#endif  // one lane is no vector: the reference serves that target

std::span<const KernelEntry> avg_channels_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = join(average_entries<AvgByChannels>("channels", Split::channel_rows),
                                     average_entries<AvgTransposed>("columns_transposed", Split::planes));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_channels_table);
std::span<const KernelEntry> avg_pool_channels_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_channels_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
