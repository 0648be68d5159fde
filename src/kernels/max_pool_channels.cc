// Max and min pooling by the channels traversal, and by the packed one on top of it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/max_pool_channels.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/channels-inl.h"
#include "kernels/extremum-inl.h"
#include "kernels/kernel.h"
#include "kernels/packed-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kMin, bool kArg>
struct MaxChannels {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Traversal = ChannelsTraversal<MaxChannels>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = kArg ? 1 : 4;

  template <class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Cell& cell, int64_t c) {
    ExactBest<R, D> best(d);
    channels_window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value, d, cell.output + c);
  }

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kArg) {
      static_assert(kCount == 1);
      const KernelArgs& a = cell.a;
      ArgBest<R, D> best(d, cell.first_tap());
      channels_window_taps<1>(d, cell, c, &best);
      hn::StoreU(best.value, d, cell.output + c);
      const int64_t step = a.index_strides[dim_c];
      const int64_t at = cell.p.offset(a.index_strides) + cell.ow * a.index_strides[dim_w] + c * step;
      const int64_t start = index_origin(a, cell.p.n, c) + plane_start(a, cell.p.od, cell.p.oh, cell.ow);
      store_winners(hn::RebindToUnsigned<D>(), best.tap, a, at, step, start, 0, a.index_base == IndexBase::tensor ? a.input_plane() : 0);
    } else if constexpr (kCount == 1) {
      QuickBest<R, D> best(d);
      channels_window_taps<1>(d, cell, c, &best);
      if (best.in_doubt(d)) return exact_vector_at(d, cell, c);
      hn::StoreU(best.value(d), d, cell.output + c);
    } else {
      static_assert(kCount == 4);
      QuickBest<R, D> best[kCount] = {QuickBest<R, D>(d), QuickBest<R, D>(d), QuickBest<R, D>(d), QuickBest<R, D>(d)};
      channels_window_taps<kCount>(d, cell, c, best);
      unrolled<kCount>([&](auto i) HWY_ATTR {
        if (best[i].in_doubt(d))
          exact_vector_at(d, cell, c + i * lanes);
        else
          hn::StoreU(best[i].value(d), d, cell.output + c + i * lanes);
      });
    }
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { max_cells<E, kMin>(a, p, ow, ow + 1); }

  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { Traversal::run(a, tile); }
  static int64_t packed_scratch(const Problem&) { return 0; }
};

template <class Traversal, class T, bool kArg>
struct MaxBy : Traversal {
  static Fit fits(const Problem& p) {
    const Fit fit = Traversal::fits(p);
    return fit.ok() ? fits_extremum<T, kArg>(p) : fit;
  }
};
template <class E, bool kMin, bool kArg>
struct MaxByChannels : MaxBy<ChannelsTraversal<MaxChannels<E, kMin, kArg>>, Lane<E>, kArg> {};
template <class E, bool kMin, bool kArg>
struct MaxByPacking : MaxBy<PackedTraversal<MaxChannels<E, kMin, kArg>>, Lane<E>, kArg> {};
#endif  // one lane is no vector: the strided kernel serves that target

std::span<const KernelEntry> max_channels_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto entries =
      join(extremum_entries<MaxByChannels>({"channels", Split::channel_rows}, {"channels_arg", Split::channel_rows}),
           extremum_entries<MaxByPacking>({"packed", Split::planes}, {"packed_arg", Split::planes}));
  return entries;
#endif
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(max_channels_table);
std::span<const KernelEntry> max_pool_channels_kernels() { return HWY_DYNAMIC_DISPATCH(max_channels_table)(); }
}  // namespace tidepool::detail
#endif
