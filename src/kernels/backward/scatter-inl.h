// The backward pass of max and min pooling by scattering: every gradient is added to the cell that its window chose, window after window.
// The cell is the window's start plus the distance of the tap, so that the time does not depend on the size of windows. Included
// once per target, inside foreach_target.
#if defined(TIDEPOOL_SCATTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SCATTER_INL_H_
#undef TIDEPOOL_SCATTER_INL_H_
#else
#define TIDEPOOL_SCATTER_INL_H_
#endif

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/backward/indexed.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/backward/tap_offsets-inl.h"
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
  static constexpr int at_once = 4;      // planes, because additions to one cell wait for each other
  static constexpr int64_t block = 256;  // outputs whose cells are computed before the first of them is added to

  // Outputs follow each other without gaps in a line: a whole small plane, a row, or some channels of one window. The first cell of each
  // output's window comes from a table, relative to the line.
  enum class Line : uint8_t { plane, row, window };
  // Outputs, times channels. Planes of up to twice as many cells are done whole: they stay in a near cache, the nearest where rows are
  // long.
  static constexpr int64_t most_in_plane(int64_t width) noexcept { return planes && width <= 64 ? 16384 : 4096; }

  struct Offsets {
    Line line;
    int64_t length;         // of a line
    const int32_t* starts;  // of windows
    TapOffsets taps;

    Offsets(const KernelArgs& a, const Strides5& s, bool in_place, int32_t* scratch) noexcept
        : line(line_of(a, in_place)), length(line_length(a, line)), starts(scratch), taps(a, s) {
      int32_t* next = scratch;
      if (line == Line::window) std::iota(next, next + length, 0);
      if (line == Line::window) return;
      const int64_t row = a.width.output * (planes ? 1 : a.channels), rows = line == Line::plane ? a.depth.output * a.height.output : 1;
      const int64_t first = line == Line::plane ? row_start(a, s, 0) : 0;
      for (int64_t ow = 0; ow < a.width.output; ++ow, next += planes ? 1 : a.channels)
        std::iota(next, next + (planes ? 1 : a.channels), static_cast<int32_t>(first + a.width.start(ow) * s[dim_w]));
      for (int64_t r = 1; r < rows; ++r, next += row) {
        const auto down = static_cast<int32_t>(row_start(a, s, r) - first);
        for (int64_t i = 0; i < row; ++i) next[i] = scratch[i] + down;
      }
    }
  };
  static int64_t row_start(const KernelArgs& a, const Strides5& s, int64_t row) noexcept {
    return a.depth.start(row / a.height.output) * s[dim_d] + a.height.start(row % a.height.output) * s[dim_h];
  }
  static int64_t line_length(const KernelArgs& a, Line line) noexcept {
    const int64_t row = a.width.output * (planes ? 1 : a.channels);
    return line == Line::plane ? a.depth.output * a.height.output * row : line == Line::row ? row : std::min(block, a.channels);
  }
  static Line line_of(const KernelArgs& a, bool in_place) noexcept {
    const int64_t step = planes ? 1 : a.channels, row = step * a.width.output;
    const auto has_rows = [&](const Strides5& s) { return s[dim_w] == step; };
    const auto has_plane = [&](const Strides5& s) {
      return (a.height.output == 1 || s[dim_h] == row) && (a.depth.output == 1 || s[dim_d] == a.height.output * row);
    };
    // Sums of 16-bit floats that are kept aside are those of a block of channels.
    const bool short_row = a.channels <= channel_block || (in_place && row <= most_in_plane(a.width.output));
    if (!planes && !(short_row && has_rows(a.input_strides) && has_rows(a.index_strides))) return Line::window;
    const int64_t most = most_in_plane(a.width.output);
    const bool small = row * a.height.output * a.depth.output <= most && a.input_plane() * step <= 2 * most;
    return small && has_plane(a.input_strides) && has_plane(a.index_strides) ? Line::plane : Line::row;
  }

  // Where some planes are. Windows that do not overlap give each cell one gradient, which is stored in the type of the output: Cell is E,
  // otherwise S.
  template <class Cell>
  struct Arrays {
    Cell* sums;
    const E* grads;
    const std::byte* taps;
  };

  // Gradients of 16-bit floats as cells take them: widened, or 0 + gradient.
  template <bool kDisjoint, class Cell>
  static HWY_INLINE const Cell* staged(const E* from, int64_t count, [[maybe_unused]] Cell* to) {
    if constexpr (!is_half<E>) return from;
    if constexpr (is_half<E>) {
      by_vectors(hn::ScalableTag<S>(), count, [&](auto d, int64_t i) HWY_ATTR {
        const auto grad = load_grads(d, from + i);
        if constexpr (kDisjoint)
          store_sums(d, hn::Add(hn::Zero(d), grad), to + i);
        else
          hn::StoreU(grad, d, to + i);
      });
      return to;
    }
  }
  template <bool kDisjoint, class Cell>
  static HWY_INLINE void add(Cell& cell, Cell grad) {
    if constexpr (!kDisjoint)
      cell += grad;
    else if constexpr (is_half<E>)
      cell = grad;
    else
      cell = Cell(0) + grad;  // -0 becomes 0
  }

  // Adds the lines at these offsets in the arrays of outputs.
  template <bool kDisjoint, int kCount, class Cell>
  static HWY_NOINLINE void add_lines(const Arrays<Cell> (&arrays)[kCount], const Offsets& offsets, int64_t count, int64_t at,
                                     int64_t grads_at, int64_t taps_at) {
    HWY_ALIGN int32_t cells[kCount][block];
    HWY_ALIGN Cell wide[is_half<E> ? kCount : 1][is_half<E> ? block : 1];
    for (int64_t first = 0; first < count; first += block) {
      const int64_t some = std::min(block, count - first);
      Cell* sums[kCount];
      const Cell* grads[kCount];
      const std::byte* taps[kCount];
      bool complete = true;
      for (int p = 0; p < kCount; ++p) {
        sums[p] = arrays[p].sums + at;
        grads[p] = staged<kDisjoint>(arrays[p].grads + grads_at + first, some, wide[is_half<E> ? p : 0]);
        taps[p] = arrays[p].taps + (taps_at + first) * offsets.taps.tap_bytes();
        complete &= offsets.taps.add_to(offsets.starts + first, taps[p], some, cells[p]);
      }
      if (HWY_LIKELY(complete)) {
        for (int64_t i = 0; i < some; ++i)
          unrolled<kCount>([&](auto p) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { add<kDisjoint>(sums[p][cells[p][i]], grads[p][i]); });
      } else {
        for (int p = 0; p < kCount; ++p)
          for (int64_t i = 0; i < some; ++i)
            if (!offsets.taps.is_none(taps[p], i)) add<kDisjoint>(sums[p][cells[p][i]], grads[p][i]);
      }
    }
  }

  template <bool kDisjoint, int kCount>
  static void run_ranges(const KernelArgs& a, const ChannelRange (&ranges)[kCount], const Strides5& s, const Offsets& offsets,
                         S* aside) noexcept {
    using Cell = std::conditional_t<kDisjoint, E, S>;
    const int64_t channels = ranges[0].end - ranges[0].begin;
    Arrays<Cell> arrays[kCount];
    for (int p = 0; p < kCount; ++p) {
      const ChannelRange& r = ranges[p];
      Cell* to;
      if constexpr (is_half<E> && !kDisjoint)
        to = aside + p * a.input_plane();
      else
        to = reinterpret_cast<Cell*>(a.output) + r.n * s[dim_n] + r.begin * s[dim_c];
      arrays[p] = {to, reinterpret_cast<const E*>(a.input) + offset5(a.input_strides, r.n, r.begin, 0, 0, 0),
                   a.index + offset5(a.index_strides, r.n, r.begin, 0, 0, 0) * offsets.taps.tap_bytes()};
    }
    int64_t ready = 0;  // cells that have been cleared
    const auto clear = [&](int64_t cells) {
      if (cells <= ready) return;
      const int64_t from = ready / a.width.input, rows = (cells - ready + a.width.input - 1) / a.width.input;
      for (const auto& to : arrays) clear_rows(to.sums, s, rows, a.height.input, a.width.input, channels, from);
      ready += rows * a.width.input;
    };
    // Of some of the channels, window by window.
    const Line line = planes || channels == a.channels ? offsets.line : Line::window;
    const int64_t most_channels = offsets.line == Line::window ? offsets.length : channels;
    if (line == Line::plane) {
      clear(a.input_plane());
      add_lines<kDisjoint>(arrays, offsets, offsets.length, 0, 0, 0);
    } else {
      for (int64_t row = 0; row < a.depth.output * a.height.output; ++row) {
        const int64_t od = row / a.height.output, oh = row % a.height.output, at = row_start(a, s, row);
        clear(end_of_windows(a, od, oh));
        const int64_t grads_at = offset5(a.input_strides, 0, 0, od, oh, 0), taps_at = offset5(a.index_strides, 0, 0, od, oh, 0);
        if (line == Line::row) {
          add_lines<kDisjoint>(arrays, offsets, offsets.length, at, grads_at, taps_at);
        } else {
          for (int64_t ow = 0; ow < a.width.output; ++ow)
            for (int64_t c = 0; c < channels; c += most_channels)
              add_lines<kDisjoint>(arrays, offsets, std::min(most_channels, channels - c),
                                   at + a.width.start(ow) * s[dim_w] + c - offsets.starts[0], grads_at + ow * a.input_strides[dim_w] + c,
                                   taps_at + ow * a.index_strides[dim_w] + c);
        }
      }
      clear(a.input_plane());
    }
    if constexpr (is_half<E> && !kDisjoint)
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

  // Arrays that come from memory are read faster plane after plane.
  static bool in_cache(const KernelArgs& a) noexcept {
    constexpr int64_t cache_bytes = int64_t{32} << 20;
    const int64_t outputs = a.depth.output * a.height.output * a.width.output, size = static_cast<int64_t>(sizeof(E));
    return a.batch * a.channels * (a.input_plane() * size + outputs * (size + 1)) <= cache_bytes;
  }
  template <bool kDisjoint>
  static void run_units(const KernelArgs& a, const Tile& tile) noexcept {
    constexpr bool in_place = !is_half<E> || kDisjoint;
    const Strides5 s = in_place ? a.output_strides : Sums<E>::strides_of(a, kSplit);
    S* const aside = reinterpret_cast<S*>(tile.scratch);
    const int64_t cells = in_place ? 0 : (planes ? at_once : std::min(channel_block, a.channels)) * a.input_plane();
    const Offsets offsets(a, s, in_place, reinterpret_cast<int32_t*>(aside + cells));
    const auto range = [&](int64_t u) { return ChannelRange::of(a, kSplit, u); };
    int64_t u = tile.begin;
    if (planes && in_cache(a))
      for (; u + 4 <= tile.end; u += 4)
        run_ranges<kDisjoint, 4>(a, {range(u), range(u + 1), range(u + 2), range(u + 3)}, s, offsets, aside);
    // With many channels it takes long until the next addition to a cell, and blocks of channels may differ in size.
    constexpr int64_t few_channels = 16;
    if (planes ? in_cache(a) : in_place && a.channels <= few_channels)
      for (; u + 2 <= tile.end; u += 2) run_ranges<kDisjoint, 2>(a, {range(u), range(u + 1)}, s, offsets, aside);
    while (u < tile.end) {
      ChannelRange r = range(u++);
      // Blocks of one image together: whole cells are written at once.
      if constexpr (in_place && !planes)
        for (; u < tile.end && range(u).n == r.n; ++u) r.end = range(u).end;
      run_ranges<kDisjoint, 1>(a, {r}, s, offsets, aside);
    }
  }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    has_disjoint_windows(a) ? run_units<true>(a, tile) : run_units<false>(a, tile);
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
    if (a.index_base != IndexBase::window || a.width.starts_at >= 0 || !a.small_steps) return false;
    if (a.index_dtype != DType::u8 && a.index_dtype != DType::i16) return false;
    // Where all 256 values of a byte are taps, only the geometry tells of windows without one.
    if (a.no_index == INT64_MIN && (has_empty_windows(a.depth) || has_empty_windows(a.height) || has_empty_windows(a.width))) return false;
    return a.input_strides[inner] == 1 && a.index_strides[inner] == 1 && a.output_strides[inner] == 1 && has_small_offsets(a);
  }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t width = g.width().output(), channels = planes ? 1 : std::min(channel_block, g.channels());
    const int64_t line = std::max(width * channels, most_in_plane(width));
    return (planes ? at_once : 1) * scatter_scratch<E, kSplit>(p) + line * static_cast<int64_t>(sizeof(int32_t));
  }
};

#endif  // one lane follows indices one by one

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
