// The channels traversal: channels are adjacent in memory (channels last), a vector holds neighbouring channels of one output.
// Every lane has the same window, so clipped windows need no special care. Where windows are one column apart, the next column's channels
// follow in memory as more of the same: all whole windows of a row are one long run. Elsewhere, channels that do not fill a vector share it
// with channels of neighbouring columns, whose results are not used. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CHANNELS_INL_H_
#undef TIDEPOOL_CHANNELS_INL_H_
#else
#define TIDEPOOL_CHANNELS_INL_H_
#endif

#include <algorithm>

#include "core/cache_sizes.h"
#include "core/portable.h"
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
  const T* input;                        // channel 0 of the first real tap
  T* output;                             // channel 0
  int64_t count;                         // channels, or those of several columns one behind the other
  const int64_t* offsets = nullptr;      // of all taps from the first, when the window is whole
  int64_t index_at = 0;                  // of channel 0 in the array of indices
  hwy::MakeUnsigned<T>* taps = nullptr;  // where tap numbers go, if not to that array

  bool empty() const noexcept { return wd.count == 0 || wh.count == 0 || ww.count == 0; }
  int64_t first_tap() const noexcept { return (wd.first_tap * a.height.kernel + wh.first_tap) * a.width.kernel + ww.first_tap; }
};

// Calls block.first(d, x, tap) with the first tap of the window and block.next(d, x, tap) with every other one, x being channel c of it.
// Members of a class and no lambdas, which the compiler would not inline where they are large: then the vectors go through memory.
template <class D, class T, class Block>
HWY_INLINE void channels_window(D d, const ChannelsCell<T>& cell, int64_t c, Block& block) {
  const KernelArgs& a = cell.a;
  const Strides5& s = a.input_strides;
  const T* first = cell.input + c;
  block.first(d, first, cell.first_tap());
  if (cell.offsets != nullptr) {
    const int64_t taps = cell.wd.count * cell.wh.count * cell.ww.count;
    for (int64_t t = 1; t < taps; ++t) block.next(d, first + cell.offsets[t], t);
    return;
  }
  int64_t begin = 1;
  for (int64_t td = 0; td < cell.wd.count; ++td)
    for (int64_t th = 0; th < cell.wh.count; ++th, begin = 0) {
      const T* x = first + td * a.depth.dilation * s[dim_d] + th * a.height.dilation * s[dim_h];
      const int64_t tap = cell.first_tap() + (td * a.height.kernel + th) * a.width.kernel, step = a.width.dilation * s[dim_w];
      for (int64_t tw = begin; tw < cell.ww.count; ++tw) block.next(d, x + tw * step, tap + tw);
    }
}

// kCount accumulators, for neighbouring vectors of channels: several at once share the walk over the window.
template <int kCount, class Best>
struct ChannelsBlock {
  Best* HWY_RESTRICT best;

  template <class D, class T>
  HWY_INLINE void next(D d, const T* x, int64_t tap) const {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    unrolled<kCount>([&](auto i) HWY_ATTR { best[i].accumulate(d, best[i].prepare(d, hn::LoadU(d, x + i * lanes)), tap); });
  }
  template <class D, class T>
  HWY_INLINE void first(D d, const T* x, int64_t tap) const {
    next(d, x, tap);
  }
};
template <int kCount, class D, class T, class Best>
HWY_INLINE void channels_window_taps(D d, const ChannelsCell<T>& cell, int64_t c, Best* HWY_RESTRICT best) {
  const ChannelsBlock<kCount, Best> block{best};
  channels_window(d, cell, c, block);
}

// Where the taps of a whole window lie: most windows are, and then the walk over three axes is one over a list.
struct TapOffsets {
  static constexpr int64_t most = 64;
  int64_t values[most];
  bool listed;
  bool from_memory;  // caches do not hold what a call reads and writes, and windows do not share it

  explicit HWY_NOINLINE TapOffsets(const KernelArgs& a) noexcept {
    const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
    const int64_t cells = a.input_plane() + a.depth.output * a.height.output * a.width.output;
    from_memory = cells * dtype_size(a.dtype) > largest_cache_bytes() / HWY_MAX(a.batch * a.channels, 1) &&
                  a.width.stride >= a.width.kernel && a.height.stride >= a.height.kernel && a.width.stride * a.channels <= 4096;
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

// Policy: the lane type T; most_vectors, 4 or 1, how many vectors it reduces at once; vectors_at<kCount>(d, cell, c), 4, 2 or 1, which
// reduces and stores them for a window that is not empty; one_cell(a, p, ow), a single output; stores_indices, and if it does,
// store_taps_of(cell, taps), which stores the indices of all channels of a cell from their tap numbers.
template <class Policy>
struct ChannelsTraversal {
  using T = typename Policy::T;
  using Cell = ChannelsCell<T>;

  static void each_cell(const Cell& cell) {
    RowPosition p = cell.p;
    for (int64_t ow = cell.ow; ow < cell.ow + cell.count / cell.a.channels; ++ow)
      for (p.c = 0; p.c < cell.a.channels; ++p.c) Policy::one_cell(cell.a, p, ow);
  }

  static bool dense_indices(const KernelArgs& a) {
    return !Policy::stores_indices || (a.index_strides[dim_c] == 1 && a.index_strides[dim_w] == a.channels);
  }

  // Fewer channels than lanes: the others hold channels of the next columns, and what is stored for those is overwritten when their turn
  // comes. At the end of a row they hold channels of the columns before, and the results go through an array. False if the row is too
  // short for either.
  template <class D>
  static HWY_INLINE bool part_of_vector(D d, const Cell& cell) {
    const KernelArgs& a = cell.a;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), others = lanes - cell.count;
    if (a.input_strides[dim_w] != a.channels) return false;
    const int64_t last_column = cell.ww.begin + (cell.ww.count - 1) * a.width.dilation;
    if (lanes <= HWY_MIN(a.width.input - last_column, a.width.output - cell.ow) * a.channels && a.output_strides[dim_w] == a.channels &&
        dense_indices(a)) {
      Policy::template vectors_at<1>(d, cell, 0);
      return true;
    }
    if (cell.ww.begin * a.channels < others) return false;
    T values[hn::MaxLanes(D())];
    hwy::MakeUnsigned<T> taps[Policy::stores_indices ? hn::MaxLanes(D()) : 1];
    Cell shifted = cell;
    shifted.input -= others;
    shifted.output = values;
    shifted.taps = taps;
    Policy::template vectors_at<1>(d, shifted, 0);
    std::copy(values + others, values + lanes, cell.output);
    if constexpr (Policy::stores_indices) Policy::store_taps_of(cell, taps + others);
    return true;
  }

  template <class D>
  static HWY_INLINE void channels(D d, const Cell& cell) {
    constexpr bool shortest = hn::MaxLanes(D()) * sizeof(T) <= 16;
    constexpr int64_t shortest_lanes = 16 / sizeof(T);
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), count = cell.count;
    if (count >= lanes) {
      int64_t c = 0;
      if constexpr (Policy::most_vectors == 4 && hn::MaxLanes(D()) == hn::MaxLanes(hn::ScalableTag<T>()))
        for (; c + 4 * lanes <= count; c += 4 * lanes) Policy::template vectors_at<4>(d, cell, c);
      if constexpr (Policy::most_vectors == 4 && hn::MaxLanes(D()) == hn::MaxLanes(hn::ScalableTag<T>()))
        if (c + 2 * lanes <= count) Policy::template vectors_at<2>(d, cell, c), c += 2 * lanes;
      for (; c < count; c += lanes) Policy::template vectors_at<1>(d, cell, HWY_MIN(c, count - lanes));
      return;
    }
    if ((shortest || count > shortest_lanes) && count == cell.a.channels && part_of_vector(d, cell)) return;
    if constexpr (shortest)
      each_cell(cell);
    else
      channels(hn::CappedTag<T, shortest_lanes>(), cell);
  }

  // Outputs [begin, end) of a row, whose windows are clipped or irregular.
  static void border_cells(Cell& cell, const T* rows, int64_t begin, int64_t end) {
    const KernelArgs& a = cell.a;
    for (cell.ow = begin; cell.ow < end; ++cell.ow) {
      cell.ww = a.width.window(cell.ow);
      cell.input = rows + cell.ww.begin * a.input_strides[dim_w];
      if (cell.empty())
        each_cell(cell);
      else
        channels(hn::ScalableTag<T>(), cell);
      next_output(cell, 1);
    }
  }
  static HWY_INLINE void next_output(Cell& cell, int64_t columns) {
    cell.output += columns * cell.a.output_strides[dim_w];
    if constexpr (Policy::stores_indices) cell.index_at += columns * cell.a.index_strides[dim_w];
  }

  // What windows a few columns on will read first: processors follow badly that taps take turns.
  static HWY_INLINE void prefetch(const Cell& cell, int64_t step) {
    const KernelArgs& a = cell.a;
    const int64_t bytes = step * static_cast<int64_t>(sizeof(T));
    for (int64_t td = 0; td < cell.wd.count; ++td)
      for (int64_t th = 0; th < cell.wh.count; ++th) {
        const T* x = cell.input + td * a.depth.dilation * a.input_strides[dim_d] + th * a.height.dilation * a.input_strides[dim_h];
        const uintptr_t ahead = reinterpret_cast<uintptr_t>(x) + 2048;
        for (int64_t i = 0; i < bytes; i += 64) TIDEPOOL_PREFETCH_READ(ahead + static_cast<uintptr_t>(i));
      }
  }

  static void row(const KernelArgs& a, const RowPosition& p, const TapOffsets& offsets) noexcept {
    const Strides5& s = a.input_strides;
    const int64_t index_at = Policy::stores_indices ? p.offset(a.index_strides) : 0;
    T* output = reinterpret_cast<T*>(a.output) + p.offset(a.output_strides);
    // Windows are made in their place: copies would wait for what was just written.
    Cell cell{a, p, 0, a.depth.window(p.od), a.height.window(p.oh), {}, nullptr, output, a.channels, nullptr, index_at, nullptr};
    const bool no_rows = cell.wd.count == 0 || cell.wh.count == 0;
    const T* rows = reinterpret_cast<const T*>(a.input) + p.n * s[dim_n] + cell.wd.begin * s[dim_d] + cell.wh.begin * s[dim_h];
    const Range interior = no_rows || a.width.interior.size() == 0 ? Range{} : a.width.interior;
    border_cells(cell, rows, 0, interior.begin);
    if (interior.size() == 0) return border_cells(cell, rows, interior.begin, a.width.output);
    cell.ow = interior.begin;
    cell.ww = a.width.window(cell.ow);
    cell.input = rows + cell.ww.begin * s[dim_w];
    if (offsets.listed && cell.wd.count == a.depth.kernel && cell.wh.count == a.height.kernel) cell.offsets = offsets.values;
    const bool runs = Policy::most_vectors == 4 && a.width.stride == 1 && s[dim_w] == a.channels && a.output_strides[dim_w] == a.channels &&
                      dense_indices(a);
    if (runs) {  // the channels of all these columns are one run
      cell.count = interior.size() * a.channels;
      channels(hn::ScalableTag<T>(), cell);
      next_output(cell, interior.size());
      cell.count = a.channels;
    } else {
      const int64_t step = a.width.stride * s[dim_w];
      for (; cell.ow < interior.end; ++cell.ow, cell.ww.begin += a.width.stride, cell.input += step, next_output(cell, 1)) {
        if (offsets.from_memory) prefetch(cell, step);
        channels(hn::ScalableTag<T>(), cell);
      }
    }
    cell.offsets = nullptr;
    border_cells(cell, rows, interior.end, a.width.output);
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const TapOffsets offsets(a);
    RowPosition p = tile.begin == 0 ? RowPosition() : RowPosition::of_channel_row(a, tile.begin);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      row(a, p, offsets);
      p.advance_channels(a);
    }
  }

  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    const Geometry& g = p.geometry;
    constexpr int64_t shortest = 16 / sizeof(T);
    const bool fills = g.channels() >= shortest || g.width().output() >= shortest || g.channels() * g.width().output() >= shortest;
    return {fills ? nullptr : "the channels of a row do not fill a vector"};
  }

  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
