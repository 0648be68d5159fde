// Max and min pooling by the channels traversal, and by the transposed one on top of it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_channels.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/channels-inl.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/argmax-inl.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kMin>
struct MaxChannels {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 4;

  template <class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Cell& cell, int64_t c) {
    ExactExtremum<R, D> best(d);
    channels_window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value, d, cell.output + c);
  }

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kCount == 1) {
      FastExtremum<R, D> best(d);
      channels_window_taps<1>(d, cell, c, &best);
      if (best.in_doubt(d)) return exact_vector_at(d, cell, c);
      hn::StoreU(best.value(d), d, cell.output + c);
    } else {
      static_assert(kCount == 4);
      FastExtremum<R, D> best[kCount] = {FastExtremum<R, D>(d), FastExtremum<R, D>(d), FastExtremum<R, D>(d), FastExtremum<R, D>(d)};
      channels_window_taps<kCount>(d, cell, c, best);
      unrolled<kCount>([&](auto i) HWY_ATTR {
        if (best[i].in_doubt(d))
          exact_vector_at(d, cell, c + i * lanes);
        else
          hn::StoreU(best[i].value(d), d, cell.output + c + i * lanes);
      });
    }
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { max_cells(a, p, ow, ow + 1); }

  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { ChannelsTraversal<MaxChannels>::run(a, tile); }
};

template <class E>
struct ArgChannels {
  using R = Extremum<E, false>;
  using T = Lane<E>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 1;

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    static_assert(kCount == 1);
    const KernelArgs& a = cell.a;
    Argmax<R, D> best(d, a, cell.first_tap());
    channels_window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value(), d, cell.output + c);
    const int64_t step = a.index_strides[dim_c];
    const int64_t at = cell.p.offset(a.index_strides) + cell.ow * a.index_strides[dim_w] + c * step;
    const int64_t start = index_origin(a, cell.p.n, c) + plane_start(a, cell.p.od, cell.p.oh, cell.ow);
    store_winners(hn::RebindToUnsigned<D>(), best.tap, a, at, step, start, a.index_base == IndexBase::tensor ? a.input_plane() : 0);
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { max_cells(a, p, ow, ow + 1); }

  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { ChannelsTraversal<ArgChannels>::run(a, tile); }
};

template <class E, bool kMin>
struct MaxByChannels : ExtremumBy<ChannelsTraversal<MaxChannels<E, kMin>>, Lane<E>, false> {};
template <class E, bool kMin>
struct MaxTransposed : ExtremumBy<TransposedTraversal<MaxChannels<E, kMin>>, Lane<E>, false> {};
template <class E>
struct ArgByChannels : ExtremumBy<ChannelsTraversal<ArgChannels<E>>, Lane<E>, true> {};
template <class E>
struct ArgTransposed : ExtremumBy<TransposedTraversal<ArgChannels<E>>, Lane<E>, true> {};
#endif  // one lane is no vector: the reference serves that target

std::span<const KernelEntry> max_channels_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table =
      join(value_entries<MaxByChannels>("channels", Split::channel_rows), mirrored_entries<ArgByChannels>("channels", Split::channel_rows),
           value_entries<MaxTransposed>("columns_transposed", Split::planes),
           mirrored_entries<ArgTransposed>("columns_transposed", Split::planes));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_channels_table);
std::span<const KernelEntry> max_pool_channels_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_channels_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
