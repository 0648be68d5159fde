// The backward pass of max and min pooling by scattering: every gradient is added to the cell that its window chose, window after window.
// The cell is the window's start plus an offset from a table of taps, so that the time does not depend on the size of windows. Included
// once per target, inside foreach_target.
#if defined(TIDEPOOL_SCATTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SCATTER_INL_H_
#undef TIDEPOOL_SCATTER_INL_H_
#else
#define TIDEPOOL_SCATTER_INL_H_
#endif

#include <algorithm>
#include <numeric>

#include "hwy/highway.h"
#include "kernels/backward/indexed.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class E, Split kSplit>
struct ScatterByTaps : ChannelRangeKernel<E, kSplit> {
  using S = Sum<E>;
  static constexpr bool planes = kSplit == Split::planes;
  static constexpr Dim5 inner = planes ? dim_w : dim_c;
  static constexpr int64_t most_taps = 255;  // of a byte that keeps one value for "nothing chosen"

  // Outputs follow each other without gaps in a line: a whole small plane, a row, or the channels of one window. The first cell of each
  // output's window comes from a table, relative to the line.
  enum class Line : uint8_t { plane, row, window };
  static constexpr int64_t most_in_plane = 4096;  // outputs, times channels

  struct Offsets {
    Line line;
    int64_t length;         // of a line
    const int32_t* starts;  // of windows
    int32_t taps[most_taps + 1];

    Offsets(const KernelArgs& a, const Strides5& s, int32_t* scratch) noexcept
        : line(line_of(a)), length(line_length(a, line)), starts(scratch) {
      int32_t* next = scratch;
      if (line == Line::window) std::iota(next, next + length, 0);
      const int64_t rows = line == Line::plane ? a.depth.output * a.height.output : line == Line::row ? 1 : 0;
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t ow = 0; ow < a.width.output; ++ow, next += planes ? 1 : a.channels) {
          const int64_t at = (line == Line::plane ? row_start(a, s, row) : 0) + a.width.start(ow) * s[dim_w];
          std::iota(next, next + (planes ? 1 : a.channels), static_cast<int32_t>(at));
        }
      int64_t tap = 0;
      for (int64_t d = 0; d < a.depth.kernel; ++d)
        for (int64_t h = 0; h < a.height.kernel; ++h)
          for (int64_t w = 0; w < a.width.kernel; ++w)
            taps[tap++] =
                static_cast<int32_t>(d * a.depth.dilation * s[dim_d] + h * a.height.dilation * s[dim_h] + w * a.width.dilation * s[dim_w]);
    }
  };
  static int64_t row_start(const KernelArgs& a, const Strides5& s, int64_t row) noexcept {
    return a.depth.start(row / a.height.output) * s[dim_d] + a.height.start(row % a.height.output) * s[dim_h];
  }
  static int64_t line_length(const KernelArgs& a, Line line) noexcept {
    const int64_t row = a.width.output * (planes ? 1 : a.channels);
    return line == Line::plane ? a.depth.output * a.height.output * row : line == Line::row ? row : std::min(channel_block, a.channels);
  }
  static Line line_of(const KernelArgs& a) noexcept {
    const int64_t step = planes ? 1 : a.channels, row = step * a.width.output;
    const auto has_rows = [&](const Strides5& s) { return s[dim_w] == step; };
    const auto has_plane = [&](const Strides5& s) {
      return (a.height.output == 1 || s[dim_h] == row) && (a.depth.output == 1 || s[dim_d] == a.height.output * row);
    };
    if (!planes && (a.channels > channel_block || !has_rows(a.input_strides) || !has_rows(a.index_strides))) return Line::window;
    const bool small = row * a.height.output * a.depth.output <= most_in_plane;
    return small && has_plane(a.input_strides) && has_plane(a.index_strides) ? Line::plane : Line::row;
  }

  static HWY_INLINE void add(S* HWY_RESTRICT window, const int32_t* HWY_RESTRICT taps, uint8_t tap, S grad) {
    if (HWY_LIKELY(tap != most_taps)) window[taps[tap]] += grad;
  }
  // Two planes at once, because additions to one cell wait for each other.
  static HWY_NOINLINE void add_lines(const Offsets& offsets, int64_t count, S* sums, const S* grads, const uint8_t* taps, S* sums2,
                                     const S* grads2, const uint8_t* taps2) {
    const int32_t* HWY_RESTRICT starts = offsets.starts;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = starts[i];
      add(sums + at, offsets.taps, taps[i], grads[i]);
      add(sums2 + at, offsets.taps, taps2[i], grads2[i]);
    }
  }
  static HWY_NOINLINE void add_line(const Offsets& offsets, int64_t count, S* sums, const S* grads, const uint8_t* taps) {
    const int32_t* HWY_RESTRICT starts = offsets.starts;
    for (int64_t i = 0; i < count; ++i) add(sums + starts[i], offsets.taps, taps[i], grads[i]);
  }

  // Gradients as what they are added in.
  static HWY_INLINE const S* widened(const E* from, int64_t count, [[maybe_unused]] S* scratch) {
    if constexpr (!is_half<E>) {
      return from;
    } else {
      by_vectors(hn::ScalableTag<S>(), count, [&](auto d, int64_t i) HWY_ATTR { hn::StoreU(load_grads(d, from + i), d, scratch + i); });
      return scratch;
    }
  }

  // Where some planes are.
  struct Arrays {
    S* sums;
    const E* grads;
    const uint8_t* taps;
  };

  // Adds the lines at these offsets in the arrays of outputs.
  template <int kCount>
  static HWY_INLINE void add_at(const Arrays (&arrays)[kCount], const Offsets& offsets, int64_t count, int64_t at, int64_t grads_at,
                                int64_t taps_at, S* wide) {
    const S* const grads = widened(arrays[0].grads + grads_at, count, wide);
    if constexpr (kCount == 2)
      add_lines(offsets, count, arrays[0].sums + at, grads, arrays[0].taps + taps_at, arrays[1].sums + at,
                widened(arrays[1].grads + grads_at, count, wide + offsets.length), arrays[1].taps + taps_at);
    else
      add_line(offsets, count, arrays[0].sums + at, grads, arrays[0].taps + taps_at);
  }

  template <int kCount>
  static void run_ranges(const KernelArgs& a, const ChannelRange (&ranges)[kCount], const Strides5& s, const Offsets& offsets, S* sums,
                         S* wide) noexcept {
    const int64_t channels = ranges[0].end - ranges[0].begin;
    Arrays arrays[kCount];
    for (int p = 0; p < kCount; ++p) {
      const ChannelRange& r = ranges[p];
      S* to = sums + p * a.input_plane();
      if constexpr (!is_half<E>) to = reinterpret_cast<S*>(a.output) + r.n * s[dim_n] + r.begin * s[dim_c];
      arrays[p] = {to, reinterpret_cast<const E*>(a.input) + offset5(a.input_strides, r.n, r.begin, 0, 0, 0),
                   reinterpret_cast<const uint8_t*>(a.index) + offset5(a.index_strides, r.n, r.begin, 0, 0, 0)};
    }
    int64_t ready = 0;  // cells that have been cleared
    const auto clear = [&](int64_t cells) {
      if (cells <= ready) return;
      const int64_t from = ready / a.width.input, rows = (cells - ready + a.width.input - 1) / a.width.input;
      for (const Arrays& to : arrays) clear_rows(to.sums, s, rows, a.height.input, a.width.input, channels, from);
      ready += rows * a.width.input;
    };
    if (offsets.line == Line::plane) {
      clear(a.input_plane());
      add_at(arrays, offsets, offsets.length, 0, 0, 0, wide);
    } else {
      for (int64_t row = 0; row < a.depth.output * a.height.output; ++row) {
        const int64_t od = row / a.height.output, oh = row % a.height.output, at = row_start(a, s, row);
        clear(end_of_windows(a, od, oh));
        const int64_t grads_at = offset5(a.input_strides, 0, 0, od, oh, 0), taps_at = offset5(a.index_strides, 0, 0, od, oh, 0);
        if (offsets.line == Line::row) {
          add_at(arrays, offsets, offsets.length, at, grads_at, taps_at, wide);
        } else {
          for (int64_t ow = 0; ow < a.width.output; ++ow)
            add_at(arrays, offsets, channels, at + a.width.start(ow) * s[dim_w], grads_at + ow * a.input_strides[dim_w],
                   taps_at + ow * a.index_strides[dim_w], wide);
        }
      }
      clear(a.input_plane());
    }
    if constexpr (is_half<E>)
      for (int p = 0; p < kCount; ++p) narrow(a, ranges[p], arrays[p].sums, s);
  }

  // Sums that were kept aside into the output, by runs of adjacent cells.
  static HWY_NOINLINE void narrow(const KernelArgs& a, const ChannelRange& r, const S* sums, const Strides5& s) noexcept {
    const Strides5& o = a.output_strides;
    const int64_t count = r.end - r.begin, rows = a.depth.input * a.height.input;
    const bool row_runs = o[dim_w] == s[dim_w] && s[dim_w] == count;
    const bool one_run = row_runs && o[dim_h] == s[dim_h] && (a.depth.input == 1 || o[dim_d] == s[dim_d]);
    const int64_t length = one_run ? a.input_plane() * count : row_runs ? a.width.input * count : count;
    for (int64_t row = 0; row < (one_run ? 1 : rows); ++row) {
      const int64_t d = row / a.height.input, h = row % a.height.input;
      const S* from = sums + d * s[dim_d] + h * s[dim_h];
      E* to = reinterpret_cast<E*>(a.output) + offset5(o, r.n, r.begin, d, h, 0);
      for (int64_t w = 0; w < (row_runs ? 1 : a.width.input); ++w, from += s[dim_w], to += o[dim_w])
        by_vectors(hn::ScalableTag<S>(), length, [&](auto dv, int64_t i) HWY_ATTR { store_sums(dv, hn::LoadU(dv, from + i), to + i); });
    }
  }

  // Cells of the plane, row-major, up to the last that a window of this output row can name.
  static int64_t end_of_windows(const KernelArgs& a, int64_t od, int64_t oh) noexcept {
    const Window wd = a.depth.window(od), wh = a.height.window(oh);
    if (wd.count == 0 || wh.count == 0) return 0;
    const int64_t last_d = wd.begin + (wd.count - 1) * a.depth.dilation, last_h = wh.begin + (wh.count - 1) * a.height.dilation;
    return (last_d * a.height.input + (wd.count > 1 ? a.height.input : last_h + 1)) * a.width.input;
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Strides5 s = Sums<E>::strides_of(a, kSplit);
    S* const aside = reinterpret_cast<S*>(tile.scratch);
    S* wide = aside;
    if constexpr (is_half<E>) wide += (planes ? 2 : std::min(channel_block, a.channels)) * a.input_plane();
    const Offsets offsets(a, s, reinterpret_cast<int32_t*>(is_half<E> ? wide + 2 * line_length(a, line_of(a)) : wide));
    int64_t u = tile.begin;
    // With many channels it takes long until the next addition to a cell, and blocks of channels may differ in size.
    constexpr int64_t few_channels = 16;
    if (planes || (!is_half<E> && a.channels <= few_channels))
      for (; u + 2 <= tile.end; u += 2)
        run_ranges<2>(a, {ChannelRange::of(a, kSplit, u), ChannelRange::of(a, kSplit, u + 1)}, s, offsets, aside, wide);
    for (; u < tile.end; ++u) run_ranges<1>(a, {ChannelRange::of(a, kSplit, u)}, s, offsets, aside, wide);
  }

  // Whether the offsets of all windows and taps fit into the tables.
  static bool has_small_offsets(const KernelArgs& a) noexcept {
    const auto reach = [](const AxisTable& x, int64_t step) {
      const auto number = [](int64_t n) { return static_cast<double>(n); };
      return (number(x.pad_before) + number(x.output) * number(x.stride) + number(x.kernel) * number(x.dilation) + number(x.input)) *
             number(step < 0 ? -step : step);
    };
    const Strides5& s = a.output_strides;
    const double steps =
        planes ? 1 : static_cast<double>(std::min(channel_block, a.channels));  // sums that are kept aside have steps of their own
    const double plane = static_cast<double>(a.height.input) * static_cast<double>(a.width.input);
    return reach(a.depth, s[dim_d]) + reach(a.height, s[dim_h]) + reach(a.width, s[dim_w]) < INT32_MAX &&
           (reach(a.depth, 1) * plane + reach(a.height, a.width.input) + reach(a.width, 1)) * steps < INT32_MAX;
  }
  static bool is_adjacent(const KernelArgs& a) noexcept {
    // Window indices of a byte, of which one value means "nothing chosen".
    if (a.index_base != IndexBase::window || a.index_dtype != DType::u8 || a.no_index != most_taps || a.width.starts_at >= 0) return false;
    return a.small_steps && a.input_strides[inner] == 1 && a.index_strides[inner] == 1 && a.output_strides[inner] == 1 &&
           has_small_offsets(a);
  }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t channels = planes ? 1 : std::min(channel_block, g.channels());
    const int64_t line = std::max(g.width().output() * channels, most_in_plane);
    return (planes ? 2 : 1) * scatter_scratch<E, kSplit>(p) + (is_half<E> ? 2 * line * static_cast<int64_t>(sizeof(S)) : 0) +
           line * static_cast<int64_t>(sizeof(int32_t));
  }
  static Fit fits(const Problem& p) {
    if (p.indices != IndexBase::window) return {"indices are not compact"};
    if (p.geometry.window_taps() > most_taps) return {"more than 255 taps do not leave a byte for none"};
    if (p.layout != (planes ? Layout::channels_first : Layout::channels_last)) return {"elements are not adjacent in memory"};
    if (p.geometry.width().is_fractional()) return {"every plane has windows of its own"};
    return fits_steps(p);
  }
};

#endif  // one lane follows indices one by one

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
