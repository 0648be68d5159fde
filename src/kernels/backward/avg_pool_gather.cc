// The backward pass of average and sum pooling on vectors: a cell is the sum of the shares of the windows that hold it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/avg_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/gather_stacked-inl.h"
#include "kernels/backward/share_rows-inl.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"
#include "kernels/reference/avg_pool_spread.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// Rows of cells as sums of rows of shares: of one channel if units are planes, or of adjacent channels.
template <class Element, Split kSplit>
struct GatherShares {
  using E = Element;
  using T = Lane16<E>;
  using S = Sum<E>;
  static constexpr int64_t lanes = ShareRows<E>::lanes;
  static constexpr bool backward = true;
  static constexpr int64_t most_channels = 1 << 13;  // that are worked on together
  static constexpr int64_t most_covering = 1 << 10;
  static constexpr int64_t one_block = 4;    // vectors
  static constexpr int64_t most_copies = 8;  // of rows that are longer: each is a stream of writes

  // What a row of cells is the sum of: rows of shares, each loaded from some offsets on; and where it goes.
  struct Cells {
    const S* const* rows;
    int64_t count;
    const int64_t* offsets;
    int64_t levels;
    E* to;
    int64_t copies, step;  // rows of cells that are equal, and the distance between them
  };

  // kVectors vectors, from element i of the row on. kLevels 0: any number of offsets.
  template <int kVectors, int kLevels, class D>
  static HWY_INLINE void block(D d, const Cells& cells, int64_t i) {
    constexpr int64_t step = static_cast<int64_t>(hn::MaxLanes(D()));
    Held<D> sums[kVectors];
    unrolled<kVectors>([&](auto v) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { sums[v] = hn::Zero(d); });
    const int64_t levels = kLevels == 0 ? cells.levels : kLevels;
    for (int64_t row = 0; row < cells.count; ++row)
      for (int64_t l = 0; l < levels; ++l) {
        const S* shares = cells.rows[row] + cells.offsets[l] + i;
        unrolled<kVectors>([&](auto v) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { sums[v] = hn::Add(sums[v], hn::LoadU(d, shares + v * step)); });
      }
    E* to = cells.to + i;
    for (int64_t copy = 0; copy < cells.copies; ++copy, to += cells.step)
      unrolled<kVectors>([&](auto v) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { store_sums(d, sums[v], to + v * step); });
  }
  template <int kLevels>
  static HWY_INLINE void blocks(int64_t vectors, const Cells& cells, int64_t i) {
    const hn::ScalableTag<S> d;
    if (vectors == 4) return block<4, kLevels>(d, cells, i);
    if (vectors == 3) return block<3, kLevels>(d, cells, i);
    if (vectors == 2) return block<2, kLevels>(d, cells, i);
    block<1, kLevels>(d, cells, i);
  }

  // The last block overlaps its neighbour: both write the same.
  template <int kLevels>
  static void add_up(const Cells& cells, int64_t count) {
    const int64_t vectors = (count + lanes - 1) / lanes;
    if (vectors <= one_block) {
      if (count == vectors * lanes) return blocks<kLevels>(vectors, cells, 0);
      return by_vectors(hn::ScalableTag<S>(), count,
                        [&](auto d, int64_t at) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { block<1, kLevels>(d, cells, at); });
    }
    int64_t i = 0;
    for (; i + one_block * lanes <= count; i += one_block * lanes) blocks<kLevels>(one_block, cells, i);
    const int64_t rest = (count - i + lanes - 1) / lanes;
    if (rest > 0) blocks<kLevels>(rest, cells, count - rest * lanes);
  }

  // A row of one channel, in blocks of vectors for every phase of the stride. `left` rows of cells are adjacent, with this one.
  using ColumnSums = CellRows<UniformContribution<S>>;
  static HWY_INLINE void interleave(const AxisTable& w, typename ColumnSums::Function compute, const typename ColumnSums::Windows& windows,
                                    const S* const* rows, int64_t count, int64_t left, E* out, S* aside) {
    const int64_t block = w.stride * lanes, whole = w.input / block * block, cells = (w.input + block - 1) / block * block;
    if constexpr (is_half<E>) {
      compute(rows, count, windows, cells, 0, aside, aside);
      by_vectors(hn::ScalableTag<S>(), w.input, [&](auto d, int64_t i) HWY_ATTR { store_sums(d, hn::LoadU(d, aside + i), out + i); });
    } else {
      const int64_t direct = left * w.input >= cells ? cells : whole;
      compute(rows, count, windows, cells, direct, out, aside);
      if (direct < w.input) std::copy_n(aside, w.input - direct, out + direct);
    }
  }

  static ShareForm form_of(const Axis& d, const Axis& h, const Axis& w, int64_t channels) {
    constexpr bool columns = kSplit == Split::planes;
    return ShareForm(d, h, w, columns, columns ? 1 : HWY_MIN(channels, most_channels), lanes, sizeof(S));
  }

  // What all rows of a run share.
  struct Run {
    using Kind = ShareForm::Kind;
    const KernelArgs& a;
    std::byte* free;
    const ShareForm form;
    const CoveringList depths, heights;
    ShareRows<E> staged;
    S* const aside;  // a row of cells that must not be written beyond its end
    const S** const rows;
    void (*const add)(const Cells&, int64_t);
    const typename ColumnSums::Windows windows;
    const typename ColumnSums::Function compute;

    Run(const KernelArgs& args, std::byte* scratch) noexcept
        : a(args),
          free(scratch),
          form(form_of(*a.depth.axis, *a.height.axis, *a.width.axis, a.channels)),
          depths(a.depth, free),
          heights(a.height, free),
          staged(a, form, free),
          aside(reinterpret_cast<S*>(free)),
          rows(reinterpret_cast<const S**>(free + aside_bytes(form))),
          add(form.kind == Kind::cells ? add_up<0>
              : form.levels == 1       ? add_up<1>
              : form.levels == 2       ? add_up<2>
              : form.levels == 3       ? add_up<3>
                                       : add_up<0>),
          windows{a.width.kernel, 1, a.width.pad_before % a.width.stride},
          compute(ColumnSums::function(a.width.stride, windows)) {}

    // Cells [begin, end) of all rows.
    void strip(const ChannelRange& r, int64_t begin, int64_t end) noexcept {
      const Strides5& s = a.output_strides;
      const int64_t channels = r.end - r.begin, count = (end - begin) * channels, padded = (count + lanes - 1) / lanes * lanes;
      const int64_t width = a.width.input, height = a.height.input, depth = a.depth.input;
      const bool adjacent = form.kind == Kind::cells || s[dim_w] == channels || width == 1, short_row = padded <= one_block * lanes;
      // In a plane without gaps a row may be written beyond its end, into rows that are computed later.
      const bool dense =
          adjacent && end - begin == width && s[dim_h] == width * channels && (depth == 1 || s[dim_d] == height * width * channels);
      const int64_t most = !adjacent ? 1 : short_row ? height : most_copies;
      staged.start(r, begin, end);
      const int64_t lead = form.kind == Kind::interleaved ? staged.offsets()[0] : 0;
      for (int64_t d = 0; d < depth; ++d)
        for (int64_t h = 0, first = 0; h < height; first = h) {
          while (++h < height && h - first < most && heights.same(first, h)) continue;
          int64_t found = 0;
          for (const Covering& in_depth : depths[d])
            for (const Covering& in_height : heights[first]) rows[found++] = staged.row(in_depth, in_height) + lead;
          E* out = reinterpret_cast<E*>(a.output) + offset5(s, r.n, r.begin, d, first, begin);
          Cells cells{rows, found, staged.offsets(), form.levels, out, h - first, s[dim_h]};
          const int64_t behind = (depth - d) * height - h;  // rows after these
          if (form.kind == Kind::interleaved) {
            for (int64_t copy = first; copy < h; ++copy, out += s[dim_h])
              interleave(a.width, compute, windows, rows, found, dense ? behind + h - copy : 1, out, aside);
          } else if (form.kind == Kind::cells) {
            for (int64_t w = begin; w < end; ++w, cells.to += s[dim_w]) {
              cells.offsets = staged.offsets(w, cells.levels);
              add(cells, channels);
            }
          } else if (adjacent) {
            add(cells, dense && behind * count >= padded - count && (cells.copies == 1 || short_row) ? padded : count);
          } else {
            cells.to = reinterpret_cast<E*>(aside);
            add(cells, padded);
            for (int64_t w = begin; w < end; ++w, out += s[dim_w], cells.to += channels) std::copy_n(cells.to, channels, out);
          }
        }
    }
  };

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    Run run(a, tile.scratch);
    for (int64_t u = tile.begin; u < tile.end;) {
      const ChannelRange r = wide_range(a, tile, u);
      for (int64_t begin = 0; begin < a.width.input; begin += run.form.strip)
        run.strip(r, begin, HWY_MIN(begin + run.form.strip, a.width.input));
    }
  }
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { run(a, tile); }

  // The channels of unit u and of those behind it that belong to the same n.
  static ChannelRange wide_range(const KernelArgs& a, const Tile& tile, int64_t& u) noexcept {
    ChannelRange r = ChannelRange::of(a, kSplit, u++);
    if constexpr (kSplit == Split::planes) return r;
    for (; u < tile.end; ++u) {
      const ChannelRange more = ChannelRange::of(a, kSplit, u);
      if (more.n != r.n || more.end - r.begin > most_channels) break;
      r.end = more.end;
    }
    return r;
  }

  static bool is_adjacent(const KernelArgs& a) noexcept {
    constexpr auto dim = kSplit == Split::planes ? dim_w : dim_c;
    return a.input_strides[dim] == 1 && a.output_strides[dim] == 1;
  }
  static int64_t grain(const Problem&) { return 1; }

  // A row of cells, in whole blocks.
  static int64_t aside_bytes(const ShareForm& f) {
    return (f.strip * f.channels + widest_gather_stride * lanes) * static_cast<int64_t>(sizeof(S)) / 64 * 64 + 64;
  }
  static int64_t scratch_of(const Problem& p, int64_t channels) {
    const Geometry& g = p.geometry;
    const ShareForm form = form_of(g.depth(), g.height(), g.width(), channels);
    return CoveringList::bytes_for(g.depth()) + CoveringList::bytes_for(g.height()) + ShareRows<E>::bytes_for(form, g.width()) +
           aside_bytes(form) + most_windows_covering(g.depth()) * most_windows_covering(g.height()) * static_cast<int64_t>(sizeof(S*));
  }
  static int64_t scratch_bytes(const Problem& p) { return scratch_of(p, p.geometry.channels()); }
  static int64_t transposed_scratch(const Problem& p) { return scratch_of(p, TransposedPlanes<hwy::MakeUnsigned<T>>::grain(p)); }
  static Fit fits_windows(const Problem& p, int64_t (*scratch)(const Problem&)) {
    const Geometry& g = p.geometry;
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    // Sizes of scratch must not overflow before they are compared.
    const int64_t deep = most_windows_covering(g.depth()), high = most_windows_covering(g.height());
    if (HWY_MAX(deep, high) > most_covering || deep * high > most_covering || most_windows_covering(g.width()) > most_covering)
      return {"more than 1024 rows or columns of windows cover a cell"};
    for (const Axis* x : {&g.depth(), &g.height(), &g.width()})
      if (HWY_MAX(x->input(), x->output()) > (x == &g.width() ? 1 << 30 : 1 << 20)) return {"planes are too large to list their windows"};
    return {scratch(p) > most_gather_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
  static Fit fits(const Problem& p) {
    if constexpr (kSplit == Split::planes) {
      if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    } else {
      if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    }
    return fits_windows(p, scratch_bytes);
  }
};

// Arrays that are not adjacent are spread window by window.
template <class E>
using AvgGatherColumns = WithReferenceFallback<GatherShares<E, Split::planes>, AvgSpread<E, Split::planes>>;
template <class E>
using AvgGatherStacked = OneDivisor<WithReferenceFallback<GatherStacked<E>, AvgSpread<E, Split::planes>>>;
template <class E>
using AvgGatherChannels = WithReferenceFallback<GatherShares<E, Split::channel_blocks>, AvgSpread<E, Split::channel_blocks>>;

// The same, on planes that are transposed.
template <class E>
struct AvgGatherTransposed : TransposedTraversal<GatherShares<E, Split::channel_blocks>> {
  using Shares = GatherShares<E, Split::channel_blocks>;
  using Base = TransposedTraversal<Shares>;
  static Fit fits(const Problem& p) {
    if (const Fit fit = Base::fits(p); !fit.ok()) return fit;
    return Shares::fits_windows(p, Base::scratch_bytes);
  }
};

#endif  // one lane is no vector: the scalar kernels serve that target

std::span<const KernelEntry> avg_gather_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  constexpr EnumSet<Op> ops = {Op::avg, Op::sum};
  static constexpr auto table = join(gather_entries<AvgGatherColumns>("columns", Split::planes, ops),
                                     gather_entries<AvgGatherChannels>("channels", Split::channel_blocks, ops),
                                     gather_entries<AvgGatherTransposed>("columns_transposed", Split::planes, ops),
                                     gather_entries<AvgGatherStacked>("columns_stacked", Split::planes, ops));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_gather_table);
std::span<const KernelEntry> avg_pool_gather_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_gather_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
