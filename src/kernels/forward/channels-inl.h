// The channels traversal: channels are adjacent in memory (channels last), a vector holds neighbouring channels of one output.
// Every lane has the same window, so clipped windows need no special care. Where windows are one column apart, the next column's channels
// follow in memory as more of the same: all whole windows of a row are one long run. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CHANNELS_INL_H_
#undef TIDEPOOL_CHANNELS_INL_H_
#else
#define TIDEPOOL_CHANNELS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class T>
struct ChannelsCell {
  const KernelArgs& a;
  const RowPosition& p;
  int64_t ow;
  Window wd, wh, ww;
  const T* input;                    // channel 0 of the first real tap
  T* output;                         // channel 0
  int64_t count;                     // channels, or those of several columns one behind the other
  const int64_t* offsets = nullptr;  // of all taps from the first, when the window is whole

  bool empty() const noexcept { return wd.count == 0 || wh.count == 0 || ww.count == 0; }
  int64_t first_tap() const noexcept { return (wd.first_tap * a.height.kernel + wh.first_tap) * a.width.kernel + ww.first_tap; }
};

// kCount vectors of channels from c on: several at once share the walk over the window.
template <int kCount, class D, class T, class Best>
HWY_INLINE void channels_window_taps(D d, const ChannelsCell<T>& cell, int64_t c, Best* HWY_RESTRICT best) {
  const KernelArgs& a = cell.a;
  const Strides5& s = a.input_strides;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto take = [&](const T* x, int64_t tap) HWY_ATTR {
    unrolled<kCount>([&](auto i) HWY_ATTR { best[i].accumulate(d, best[i].prepare(d, hn::LoadU(d, x + i * lanes)), tap); });
  };
  if (cell.offsets != nullptr) {
    const int64_t taps = cell.wd.count * cell.wh.count * cell.ww.count;
    for (int64_t t = 0; t < taps; ++t) take(cell.input + c + cell.offsets[t], t);
    return;
  }
  for (int64_t td = 0; td < cell.wd.count; ++td)
    for (int64_t th = 0; th < cell.wh.count; ++th) {
      const T* x = cell.input + c + td * a.depth.dilation * s[dim_d] + th * a.height.dilation * s[dim_h];
      const int64_t tap = cell.first_tap() + (td * a.height.kernel + th) * a.width.kernel;
      for (int64_t tw = 0; tw < cell.ww.count; ++tw, x += a.width.dilation * s[dim_w]) take(x, tap + tw);
    }
}

// Where the taps of a whole window lie: most windows are, and then the walk over three axes is one over a list.
struct TapOffsets {
  static constexpr int64_t most = 64;
  int64_t values[most];
  bool listed;

  explicit HWY_NOINLINE TapOffsets(const KernelArgs& a) noexcept {
    const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
    listed = taps <= most && a.depth.regular && a.height.regular && a.width.regular;
    if (!listed) return;
    const Strides5& s = a.input_strides;
    int64_t* to = values;
    for (int64_t td = 0; td < a.depth.kernel; ++td)
      for (int64_t th = 0; th < a.height.kernel; ++th)
        for (int64_t tw = 0; tw < a.width.kernel; ++tw)
          *to++ = td * a.depth.dilation * s[dim_d] + th * a.height.dilation * s[dim_h] + tw * a.width.dilation * s[dim_w];
  }
};

// Policy: the lane type T; most_vectors, 4 or 1, how many vectors it reduces at once; vectors_at<kCount>(d, cell, c), which reduces
// and stores them for a window that is not empty; one_cell(a, p, ow), a single output.
template <class Policy>
struct ChannelsTraversal {
  using T = typename Policy::T;
  using Cell = ChannelsCell<T>;

  static void each_cell(const Cell& cell) {
    RowPosition p = cell.p;
    for (int64_t ow = cell.ow; ow < cell.ow + cell.count / cell.a.channels; ++ow)
      for (p.c = 0; p.c < cell.a.channels; ++p.c) Policy::one_cell(cell.a, p, ow);
  }

  template <class D>
  static HWY_INLINE void channels(D d, const Cell& cell) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), count = cell.count;
    if (count >= lanes) {
      int64_t c = 0;
      if constexpr (Policy::most_vectors == 4 && hn::MaxLanes(D()) == hn::MaxLanes(hn::ScalableTag<T>()))
        for (; c + 4 * lanes <= count; c += 4 * lanes) Policy::template vectors_at<4>(d, cell, c);
      for (; c < count; c += lanes) Policy::template vectors_at<1>(d, cell, HWY_MIN(c, count - lanes));
    } else if constexpr (hn::MaxLanes(D()) * sizeof(T) > 16) {
      channels(hn::CappedTag<T, 16 / sizeof(T)>(), cell);
    } else {
      each_cell(cell);
    }
  }

  static void row(const KernelArgs& a, const RowPosition& p, const TapOffsets& offsets) noexcept {
    const Strides5& s = a.input_strides;
    Cell cell{a, p, 0, a.depth.window(p.od), a.height.window(p.oh), {}, nullptr, nullptr, a.channels};
    const bool whole = offsets.listed && cell.wd.count == a.depth.kernel && cell.wh.count == a.height.kernel;
    const T* rows = reinterpret_cast<const T*>(a.input) + p.n * s[dim_n] + cell.wd.begin * s[dim_d] + cell.wh.begin * s[dim_h];
    cell.output = reinterpret_cast<T*>(a.output) + p.offset(a.output_strides);
    // Columns whose channels are one run.
    const bool runs = Policy::most_vectors == 4 && a.width.regular && a.width.stride == 1;
    const Range together = runs && s[dim_w] == a.channels && a.output_strides[dim_w] == a.channels ? a.width.interior : Range{};
    for (int64_t columns = 1; cell.ow < a.width.output; cell.ow += columns, cell.output += columns * a.output_strides[dim_w]) {
      columns = cell.ow == together.begin ? HWY_MAX(together.size(), 1) : 1;
      cell.count = columns * a.channels;
      cell.ww = a.width.window(cell.ow);
      cell.input = rows + cell.ww.begin * s[dim_w];
      cell.offsets = whole && cell.ww.count == a.width.kernel ? offsets.values : nullptr;
      if (cell.empty())
        each_cell(cell);
      else
        channels(hn::ScalableTag<T>(), cell);
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const TapOffsets offsets(a);
    for (int64_t u = tile.begin; u < tile.end; ++u) row(a, RowPosition::of_channel_row(a, u), offsets);
  }

  static Fit fits(const Problem& p) { return {p.layout == Layout::channels_last ? nullptr : "channels are not adjacent in memory"}; }

  static double cost(const Problem& p) {
    const bool runs = Policy::most_vectors == 4 && p.geometry.width().stride() == 1;
    const int64_t adjacent = runs ? HWY_MAX(p.geometry.width().interior().size(), 1) * p.geometry.channels() : p.geometry.channels();
    const double lanes = static_cast<double>(HWY_MIN(static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>())), adjacent));
    return static_cast<double>(p.geometry.window_taps()) * 2 / lanes;
  }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
