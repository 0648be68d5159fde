// Backward passes where channels are adjacent: a vector holds neighbouring channels of one cell, which sums what the windows that cover it
// contribute, in their order. Included once per target, inside foreach_target.
//
//   kernel 3, stride 2: up to four windows cover a cell      channels   c0 c1 c2 c3 | c4 c5 c6 c7 | …
//   (0, 0) by tap 8, (0, 1) by tap 6, (1, 0), (1, 1)         each vector of channels walks the same windows
#if defined(TIDEPOOL_GATHER_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_GATHER_CHANNELS_INL_H_
#undef TIDEPOOL_GATHER_CHANNELS_INL_H_
#else
#define TIDEPOOL_GATHER_CHANNELS_INL_H_
#endif

#include <algorithm>
#include <span>

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/backward/channel_range.h"
#include "kernels/backward/covering.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t wide_channels = 8 * channel_block;  // that are worked on together

// Vectors of channels that every window of a cell takes, with fewer lanes where channels do not fill a vector.
template <class S>
int64_t channel_vectors(int64_t channels) noexcept {
  constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  int64_t step = lanes;
  while (step > 1 && step > channels) step /= 2;
  return (channels + step - 1) / step;
}

// Policy: E; Row, a row of windows; Rows(a, scratch), with start(range), row(in_depth, in_height) and bytes_for(geometry, channels);
// Source(a, row, in_width), a window of a row, with contribution(d, c).
template <class Policy>
struct GatherByChannels {
  using E = typename Policy::E;
  using T = Lane16<E>;
  using S = Sum<E>;
  using Row = typename Policy::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  static constexpr bool backward = true;

  struct Cell {
    const KernelArgs& a;
    std::span<const Row> rows;         // that cover it
    std::span<const Covering> widths;  // the windows of each
    E* to;
  };

  // kVectors vectors of channels, from channel c on.
  template <int kVectors, class D>
  static HWY_INLINE void block(D d, const Cell& cell, int64_t c) {
    constexpr int64_t step = static_cast<int64_t>(hn::MaxLanes(D()));
    Held<D> sums[kVectors];
    unrolled<kVectors>([&](auto i) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { sums[i] = hn::Zero(d); });
    for (const Row& row : cell.rows)
      for (const Covering& in_width : cell.widths) {
        const typename Policy::Source source(cell.a, row, in_width);
        unrolled<kVectors>([&](auto i)
                               HWY_ATTR TIDEPOOL_INLINE_LAMBDA { sums[i] = hn::Add(sums[i], source.contribution(d, c + i * step)); });
      }
    unrolled<kVectors>([&](auto i) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { store_sums(d, sums[i], cell.to + c + i * step); });
  }

  static HWY_INLINE void add_up(const Cell& cell, int64_t channels) {
    const hn::ScalableTag<S> d;
    int64_t c = 0;
    for (; c + 4 * lanes <= channels; c += 4 * lanes) block<4>(d, cell, c);
    if (c + 2 * lanes <= channels) block<2>(d, cell, c), c += 2 * lanes;
    if (c + lanes <= channels) block<1>(d, cell, c), c += lanes;
    if (c == channels) return;
    // The last vector overlaps its neighbour: both write the same.
    if (channels >= lanes) return block<1>(d, cell, channels - lanes);
    by_vectors(d, channels, [&](auto few, int64_t at) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { block<1>(few, cell, at); });
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    std::byte* free = tile.scratch;
    const CoveringList depths(a.depth, free), heights(a.height, free), widths(a.width, free);
    typename Policy::Rows staged(a, free);
    for (int64_t u = tile.begin; u < tile.end;) {
      const ChannelRange r = wide_range(a, tile, u);
      staged.start(r);
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h) {
          Row rows[most_rows_covering];
          size_t count = 0;
          for (const Covering& in_depth : depths[d])
            for (const Covering& in_height : heights[h]) rows[count++] = staged.row(in_depth, in_height);
          E* out = reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, d, h, 0);
          for (int64_t w = 0; w < a.width.input; ++w, out += a.output_strides[dim_w])
            add_up({a, {rows, count}, widths[w], out}, r.end - r.begin);
        }
    }
  }
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { run(a, tile); }

  // The channels of unit u and of those behind it that belong to the same n: cells of one row after the other, not some channels of all.
  static ChannelRange wide_range(const KernelArgs& a, const Tile& tile, int64_t& u) noexcept {
    ChannelRange r = ChannelRange::of(a, Split::channel_blocks, u);
    while (++u < tile.end) {
      const ChannelRange more = ChannelRange::of(a, Split::channel_blocks, u);
      if (more.n != r.n || more.end - r.begin > wide_channels) break;
      r.end = more.end;
    }
    return r;
  }

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.output_strides[dim_c] == 1 && Policy::is_adjacent(a); }
  static int64_t grain(const Problem&) { return 1; }
  static int64_t scratch_of(const Problem& p, int64_t channels) {
    const Geometry& g = p.geometry;
    return CoveringList::bytes_for(g.depth()) + CoveringList::bytes_for(g.height()) + CoveringList::bytes_for(g.width()) +
           Policy::Rows::bytes_for(g, channels);
  }
  static int64_t scratch_bytes(const Problem& p) { return scratch_of(p, p.geometry.channels()); }
  static int64_t transposed_scratch(const Problem& p) { return scratch_of(p, channel_block); }
  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    return {scratch_bytes(p) > most_gather_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
