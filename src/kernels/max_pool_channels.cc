// Max and min pooling where channels are adjacent in memory (channels last): a vector holds neighbouring channels of one output.
// Every lane has the same window, so clipped windows need no special care.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/max_pool_channels.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/extremum-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kMin, bool kArg>
struct Channels {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Index = hwy::MakeUnsigned<T>;

  struct Cell {
    const KernelArgs& a;
    const RowPosition& p;
    int64_t ow;
    Window wd, wh, ww;
    const T* input;  // channel 0 of the first real tap
    T* output;       // channel 0
  };

  static int64_t first_tap(const Cell& cell) {
    return (cell.wd.first_tap * cell.a.height.kernel + cell.wh.first_tap) * cell.a.width.kernel + cell.ww.first_tap;
  }

  // kCount vectors of channels from c on: several at once share the walk over the window.
  template <int kCount, class D, class Best>
  static HWY_INLINE void window_taps(D d, const Cell& cell, int64_t c, Best* HWY_RESTRICT best) {
    const KernelArgs& a = cell.a;
    const Strides5& s = a.input_strides;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t td = 0; td < cell.wd.count; ++td)
      for (int64_t th = 0; th < cell.wh.count; ++th) {
        const T* x = cell.input + c + td * a.depth.dilation * s[dim_d] + th * a.height.dilation * s[dim_h];
        const int64_t tap = first_tap(cell) + (td * a.height.kernel + th) * a.width.kernel;
        for (int64_t tw = 0; tw < cell.ww.count; ++tw, x += a.width.dilation * s[dim_w])
          for (int i = 0; i < kCount; ++i) best[i].take(d, hn::LoadU(d, x + i * lanes), tap + tw);
      }
  }

  template <class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Cell& cell, int64_t c) {
    ExactBest<R, D> best(d);
    window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value, d, cell.output + c);
  }

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kArg) {
      static_assert(kCount == 1);
      const KernelArgs& a = cell.a;
      ArgBest<R, D> best(d, first_tap(cell));
      window_taps<1>(d, cell, c, &best);
      hn::StoreU(best.value, d, cell.output + c);
      Index taps[hn::MaxLanes(hn::ScalableTag<T>())];
      hn::StoreU(best.tap, hn::RebindToUnsigned<D>(), taps);
      const int64_t step = a.index_strides[dim_c];
      const int64_t at = cell.p.offset(a.index_strides) + cell.ow * a.index_strides[dim_w] + c * step;
      const int64_t start = index_origin(a, cell.p.n, c) + plane_start(a, cell.p.od, cell.p.oh, cell.ow);
      store_taps(a, taps, lanes, at, step, start, 0, a.index_base == IndexBase::tensor ? a.input_plane() : 0);
    } else if constexpr (kCount == 1) {
      QuickBest<R, D> best(d);
      window_taps<1>(d, cell, c, &best);
      if (best.in_doubt(d)) return exact_vector_at(d, cell, c);
      hn::StoreU(best.value, d, cell.output + c);
    } else {
      QuickBest<R, D> best[kCount] = {QuickBest<R, D>(d), QuickBest<R, D>(d), QuickBest<R, D>(d), QuickBest<R, D>(d)};
      window_taps<kCount>(d, cell, c, best);
      for (int i = 0; i < kCount; ++i) {
        if (best[i].in_doubt(d))
          exact_vector_at(d, cell, c + i * lanes);
        else
          hn::StoreU(best[i].value, d, cell.output + c + i * lanes);
      }
    }
  }

  template <class D>
  static HWY_INLINE void channels(D d, const Cell& cell) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), count = cell.a.channels;
    if (count >= lanes) {
      int64_t c = 0;
      if constexpr (!kArg)
        for (; c + 4 * lanes <= count; c += 4 * lanes) vectors_at<4>(d, cell, c);
      for (; c < count; c += lanes) vectors_at<1>(d, cell, HWY_MIN(c, count - lanes));
    } else if constexpr (hn::MaxLanes(D()) * sizeof(T) > 16) {
      channels(hn::CappedTag<T, 16 / sizeof(T)>(), cell);
    } else {
      RowPosition p = cell.p;
      for (p.c = 0; p.c < count; ++p.c) max_cell<E, kMin>(cell.a, p, cell.ow);
    }
  }

  static void row(const KernelArgs& a, const RowPosition& p) noexcept {
    const Window wd = a.depth.window(p.od), wh = a.height.window(p.oh);
    const Strides5& s = a.input_strides;
    const T* rows = reinterpret_cast<const T*>(a.input) + p.n * s[dim_n] + wd.begin * s[dim_d] + wh.begin * s[dim_h];
    T* out = reinterpret_cast<T*>(a.output) + p.offset(a.output_strides);
    for (int64_t ow = 0; ow < a.width.output; ++ow, out += a.output_strides[dim_w]) {
      const Window ww = a.width.window(ow);
      if (wd.count > 0 && wh.count > 0 && ww.count > 0) {
        channels(hn::ScalableTag<T>(), Cell{a, p, ow, wd, wh, ww, rows + ww.begin * s[dim_w], out});
      } else {
        RowPosition cell = p;
        for (cell.c = 0; cell.c < a.channels; ++cell.c) max_cell<E, kMin>(a, cell, ow);
      }
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    for (int64_t u = tile.begin; u < tile.end; ++u) row(a, RowPosition::of_channel_row(a, u));
  }

  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (p.indices.has_value() != kArg) return {kArg ? "no indices asked" : "indices asked"};
    if (kArg && p.geometry.window_taps() > max_vector_taps<T>()) return {"window has too many taps to number in a lane"};
    return {};
  }

  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }

  static double cost(const Problem& p) {
    const double lanes = static_cast<double>(HWY_MIN(hn::Lanes(hn::ScalableTag<T>()), static_cast<size_t>(p.geometry.channels())));
    return static_cast<double>(p.geometry.window_taps()) * 2 / lanes;
  }
};

#endif  // one lane cannot shuffle: the strided kernel serves that target

std::span<const KernelEntry> channels_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto entries = extremum_entries<Channels>({"channels", Split::channel_rows}, {"channels_arg", Split::channel_rows});
  return entries;
#endif
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(channels_table);
std::span<const KernelEntry> max_pool_channels_kernels() { return HWY_DYNAMIC_DISPATCH(channels_table)(); }
}  // namespace tidepool::detail
#endif
