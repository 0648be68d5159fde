// Backward passes where columns are adjacent: a vector holds neighbouring outputs, and every cell of the input sums what the windows that
// cover it contribute, in their order, so that the bits are those of walking the windows. Included once per target, inside foreach_target.
//
//   stride 2, kernel 3, padding 1      windows     a   b   c         a vector of windows gives two of cells:
//                                      cells     . 0 1 2 3 4         even   a, b, c, …     odd   a + b, b + c, …
#if defined(TIDEPOOL_GATHER_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_GATHER_COLUMNS_INL_H_
#undef TIDEPOOL_GATHER_COLUMNS_INL_H_
#else
#define TIDEPOOL_GATHER_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <numeric>

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

inline constexpr int64_t widest_gather_stride = 4;

// Rows of cells from the staged rows of windows that cover them. Contribution: see staged_rows-inl.h.
template <class Contribution>
struct CellRows {
  using S = typename Contribution::S;
  using Row = typename Contribution::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  struct Windows {
    int64_t kernel, dilation, shift;  // shift: cells from tap 0 of a window to the first cell, less than the stride
  };

  // kStride * lanes cells, of which the first is `shift` cells behind tap 0 of window i. kKernel 0: any.
  template <int kStride, int kKernel, int kShift>
  static HWY_INLINE void block(const Row* rows, int64_t count, const Windows& w, int64_t i, S* to) {
    const hn::ScalableTag<S> d;
    Held<decltype(d)> sums[kStride];
    unrolled<kStride>([&](auto j) HWY_ATTR TIDEPOOL_INLINE_LAMBDA { sums[j] = hn::Zero(d); });
    for (int64_t k = 0; k < count; ++k)
      unrolled<kStride>([&](auto j) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
        if constexpr (kKernel == 0) {
          const int64_t tap = (j + w.shift) % kStride, first = i + (j + w.shift) / kStride;
          for (int64_t back = tap < w.kernel ? (w.kernel - 1 - tap) / kStride : -1; back >= 0; --back)
            sums[j] = hn::Add(sums[j], Contribution::of(rows[k], first - back * w.dilation, tap + back * kStride));
        } else if constexpr ((j + kShift) % kStride < kKernel) {
          constexpr int tap = (j + kShift) % kStride, covering = (kKernel - 1 - tap) / kStride + 1;
          unrolled<covering>([&](auto n) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
            constexpr int back = covering - 1 - n;
            sums[j] = hn::Add(sums[j], Contribution::of(rows[k], i + (j + kShift) / kStride - back, tap + back * kStride));
          });
        }
      });
    if constexpr (kStride == 1) hn::StoreU(sums[0], d, to);
    if constexpr (kStride == 2) hn::StoreInterleaved2(sums[0], sums[1], d, to);
    if constexpr (kStride == 3) hn::StoreInterleaved3(sums[0], sums[1], sums[2], d, to);
    if constexpr (kStride == 4) hn::StoreInterleaved4(sums[0], sums[1], sums[2], sums[3], d, to);
  }

  // The first `direct` cells go to `out`, a whole number of blocks; those behind them to `rest`.
  using Function = void (*)(const Row* rows, int64_t count, const Windows& w, int64_t cells, int64_t direct, S* out, S* rest);
  template <int kStride, int kKernel, int kShift>
  static void cells(const Row* rows, int64_t count, const Windows& w, int64_t cells, int64_t direct, S* out, S* rest) {
    for (int64_t at = 0; at < cells; at += kStride * lanes)
      block<kStride, kKernel, kShift>(rows, count, w, at / kStride, at < direct ? out + at : rest + (at - direct));
  }

  // The common windows have code of their own, in which all counts are constants.
  static Function function(int64_t stride, const Windows& w) noexcept {
    if (w.dilation == 1) {
      if (stride == 1 && w.kernel == 3) return cells<1, 3, 0>;
      if (stride == 2 && w.kernel == 3) return w.shift == 0 ? cells<2, 3, 0> : cells<2, 3, 1>;
      if (stride == 2 && w.kernel == 2) return w.shift == 0 ? cells<2, 2, 0> : cells<2, 2, 1>;
    }
    return stride == 1 ? cells<1, 0, 0> : stride == 2 ? cells<2, 0, 0> : stride == 3 ? cells<3, 0, 0> : cells<4, 0, 0>;
  }
};

// Policy: E; Contribution; Rows, which stages rows of windows: see staged_rows-inl.h.
template <class Policy>
struct GatherByColumns {
  using E = typename Policy::E;
  using S = Sum<E>;
  using Contribution = typename Policy::Contribution;
  using Cells = CellRows<Contribution>;
  using Row = typename Contribution::Row;
  static constexpr int64_t lanes = Cells::lanes;

  // One row of windows in scratch: some before the first, those that exist, and some behind the last, which contribute nothing.
  struct Layout {
    int64_t front, length, block_cells, cells;  // cells: of a row, in whole blocks
    explicit Layout(const Axis& w) noexcept
        : front(((w.kernel() - 1) * w.dilation() + w.stride() - 1) / w.stride()),
          block_cells(w.stride() * lanes),
          cells((w.input() + block_cells - 1) / block_cells * block_cells) {
      const int64_t last = w.pad_before() / w.stride() + cells / w.stride() + 1;
      length = (front + HWY_MAX(w.output(), last) + 2 * lanes) / lanes * lanes;
    }
  };

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const AxisTable& w = a.width;
    const Layout layout(*w.axis);
    const typename Cells::Windows windows{w.kernel, w.dilation, w.pad_before % w.stride};
    const auto compute = Cells::function(w.stride, windows);
    std::byte* free = tile.scratch;
    const CoveringList depths(a.depth, free), heights(a.height, free);
    S* const cells = reinterpret_cast<S*>(free);
    free += layout.cells * static_cast<int64_t>(sizeof(S));
    const int64_t first = layout.front + w.pad_before / w.stride;
    typename Policy::Rows staged(a, free, layout.front, layout.length);
    const Strides5& s = a.output_strides;
    // In a plane without gaps a row may be written beyond its end, into rows that are computed later.
    const bool dense = s[dim_h] == w.input && (a.depth.input == 1 || s[dim_d] == a.height.input * w.input);
    const int64_t row_blocks = w.input / layout.block_cells * layout.block_cells;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, Split::planes, u);
      staged.start(r);
      E* const plane = reinterpret_cast<E*>(a.output) + offset5(s, r.n, r.begin, 0, 0, 0);
      int64_t left = a.input_plane();
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h, left -= w.input) {
          Row rows[most_rows_covering];
          int64_t count = 0;
          for (const Covering& in_depth : depths[d])
            for (const Covering& in_height : heights[h]) rows[count++] = staged.find(in_depth, in_height, first);
          E* out = plane + d * s[dim_d] + h * s[dim_h];
          if constexpr (is_half<E>) {
            compute(rows, count, windows, layout.cells, 0, cells, cells);
            narrow_row(cells, w.input, out);
          } else {
            const int64_t direct = dense && left >= layout.cells ? layout.cells : row_blocks;
            compute(rows, count, windows, layout.cells, direct, out, cells);
            if (direct < w.input) std::copy_n(cells, w.input - direct, out + direct);
          }
        }
    }
  }

  // Sums as elements of the output.
  static HWY_INLINE void narrow_row(const S* from, int64_t count, E* to) noexcept {
    by_vectors(hn::ScalableTag<S>(), count, [&](auto d, int64_t i) HWY_ATTR { store_sums(d, hn::LoadU(d, from + i), to + i); });
  }

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.output_strides[dim_w] == 1 && Policy::is_adjacent(a); }
  static int64_t grain(const Problem&) { return 1; }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const Layout layout(g.width());
    return CoveringList::bytes_for(g.depth()) + CoveringList::bytes_for(g.height()) + layout.cells * static_cast<int64_t>(sizeof(S)) +
           Policy::Rows::bytes_for(RowRing(g.depth(), g.height(), StagedRows::columns_ahead), layout.length);
  }
  static Fit fits(const Problem& p) {
    const Axis& w = p.geometry.width();
    if (p.layout != tidepool::Layout::channels_first) return {"columns are not adjacent in memory"};
    if (!w.is_even()) return {"windows differ in size"};
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    if (w.stride() > widest_gather_stride) return {"windows are more than 4 columns apart"};
    if (w.dilation() != 1 && w.stride() != 1) return {"windows are dilated, and more than a column apart"};
    return {scratch_bytes(p) > most_gather_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
