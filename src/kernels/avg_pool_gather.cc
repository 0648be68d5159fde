// The backward pass of average and sum pooling on vectors, seen from the cells: a cell is the sum of the shares of the windows that hold
// it, in their order, so that the bits are those of spreading window by window, and every cell is written once.
//
//   stride 2, kernel 3      shares   a   b   c         a vector of windows gives two of cells:
//   cells                   0 1 2 3 4 5 6              even  a, a + b, b + c, …     odd  a, b, c, …
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/avg_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/avg_pool_spread.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"
#include "kernels/shares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// Columns are adjacent: a vector holds neighbouring windows.
template <class E>
struct GatherColumns {
  using S = Sum<E>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  static int64_t front(const Axis& w) noexcept { return (w.kernel() - 1) / w.stride(); }
  // Windows from the one that begins at or before the first cell to the one that begins behind the last, whether they exist or not.
  static int64_t steps(const Axis& w) noexcept { return (w.input() + w.pad_before() + w.stride() - 1) / w.stride(); }
  static int64_t row_length(const Axis& w) noexcept { return front(w) + HWY_MAX(w.output(), steps(w)) + 2 * lanes; }

  // kStride * lanes cells from tap 0 of window i on.
  template <int kStride>
  static HWY_INLINE void block(const S* const* rows, int64_t count, int64_t kernel, int64_t i, S* to) {
    const hn::ScalableTag<S> d;
    hn::Vec<decltype(d)> sums[kStride];
    unrolled<kStride>([&](auto r) HWY_ATTR { sums[r] = hn::Zero(d); });
    for (int64_t k = 0; k < count; ++k)
      unrolled<kStride>([&](auto r) HWY_ATTR {
        const int64_t first = r < kernel ? (kernel - 1 - r) / kStride : -1;
        for (int64_t back = first; back >= 0; --back) sums[r] = hn::Add(sums[r], hn::LoadU(d, rows[k] + i - back));
      });
    if constexpr (kStride == 1) hn::StoreU(sums[0], d, to);
    if constexpr (kStride == 2) hn::StoreInterleaved2(sums[0], sums[1], d, to);
    if constexpr (kStride == 3) hn::StoreInterleaved3(sums[0], sums[1], sums[2], d, to);
    if constexpr (kStride == 4) hn::StoreInterleaved4(sums[0], sums[1], sums[2], sums[3], d, to);
  }

  template <int kStride>
  static void row(const KernelArgs& a, const S* const* rows, int64_t count, E* out) noexcept {
    const AxisTable& w = a.width;
    for (int64_t i = 0, n = steps(*w.axis); i < n; i += lanes) {
      const int64_t cell = i * kStride - w.pad_before, cells = lanes * kStride;
      if constexpr (!is_half<E>)
        if (cell >= 0 && cell + cells <= w.input) {
          block<kStride>(rows, count, w.kernel, i, out + cell);
          continue;
        }
      S aside[lanes * kStride];
      block<kStride>(rows, count, w.kernel, i, aside);
      const int64_t begin = HWY_MAX(cell, 0), end = HWY_MIN(cell + cells, w.input);
      if (begin < end) store_cells<E>(aside + (begin - cell), end - begin, out + begin);
    }
  }

  template <int kStride>
  static void run_planes(const KernelArgs& a, const Tile& tile) noexcept {
    const int64_t length = row_length(*a.width.axis), kept = kept_rows(*a.depth.axis, *a.height.axis);
    S* scratch = reinterpret_cast<S*>(tile.scratch);
    std::fill_n(scratch, kept * length, S(0));
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, Split::planes, u);
      Shares<E> shares{a, r, scratch, length, front(*a.width.axis), 1, kept};
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h) {
          const S* rows[most_rows_over];
          const int64_t count = shares.over(d, h, rows);
          row<kStride>(a, rows, count, reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, d, h, 0));
        }
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if (a.output_strides[dim_w] != 1) return AvgSpread<E, Split::planes>::run(a, tile);
    if (a.width.stride == 1) return run_planes<1>(a, tile);
    if (a.width.stride == 2) return run_planes<2>(a, tile);
    if (a.width.stride == 3) return run_planes<3>(a, tile);
    return run_planes<4>(a, tile);
  }

  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t rows = kept_rows(g.depth(), g.height()) * row_length(g.width()) * static_cast<int64_t>(sizeof(S));
    return HWY_MAX(rows, (scatter_scratch<E, Split::planes>(p)));
  }
  static Fit fits(const Problem& p) {
    const Axis& w = p.geometry.width();
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (w.dilation() != 1 || w.stride() > 4) return {"windows are dilated, or more than 4 columns apart"};
    if (const Fit fit = fits_shares(p, 0); !fit.ok()) return fit;
    return fits_shares(p, scratch_bytes(p));
  }
  static double cost(const Problem&) { return 1; }
};

// Channels are adjacent: a vector holds neighbouring channels of one cell.
template <class E>
struct GatherChannels {
  using S = Sum<E>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  // Up to 4 vectors of channels of one cell.
  template <int kCount>
  static HWY_INLINE void block(const S* const* rows, int64_t count, const AxisTable& w, int64_t cell, int64_t length, int64_t c, S* to) {
    const hn::ScalableTag<S> d;
    hn::Vec<decltype(d)> sums[kCount];
    unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
    const Range over = holders(w, cell);
    for (int64_t k = 0; k < count; ++k)
      for (int64_t ow = over.begin; ow < over.end; ++ow) {
        if (!holds(w, ow, cell)) continue;
        const S* from = rows[k] + ow * length + c;
        unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Add(sums[i], hn::LoadU(d, from + i * lanes)); });
      }
    unrolled<kCount>([&](auto i) HWY_ATTR { hn::StoreU(sums[i], d, to + i * lanes); });
  }

  static HWY_INLINE void cell(const KernelArgs& a, const S* const* rows, int64_t count, int64_t w, int64_t length, int64_t channels,
                              E* out) {
    int64_t c = 0;
    if constexpr (!is_half<E>)
      for (; c + 4 * lanes <= channels; c += 4 * lanes) block<4>(rows, count, a.width, w, length, c, out + c);
    for (; c < channels; c += lanes) {
      S aside[lanes];
      block<1>(rows, count, a.width, w, length, c, aside);
      store_cells<E>(aside, HWY_MIN(lanes, channels - c), out + c);
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if (a.output_strides[dim_c] != 1) return AvgSpread<E, Split::channel_blocks>::run(a, tile);
    const int64_t length = cell_length(a.channels), kept = kept_rows(*a.depth.axis, *a.height.axis);
    S* scratch = reinterpret_cast<S*>(tile.scratch);
    std::fill_n(scratch, kept * length * a.width.output, S(0));
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, Split::channel_blocks, u);
      Shares<E> shares{a, r, scratch, length * a.width.output, 0, length, kept};
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h) {
          const S* rows[most_rows_over];
          const int64_t count = shares.over(d, h, rows);
          E* out = reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, d, h, 0);
          for (int64_t w = 0; w < a.width.input; ++w, out += a.output_strides[dim_w]) cell(a, rows, count, w, length, r.end - r.begin, out);
        }
    }
  }

  static int64_t cell_length(int64_t channels) noexcept { return (HWY_MIN(channels, channel_block) + lanes - 1) / lanes * lanes; }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t rows =
        kept_rows(g.depth(), g.height()) * g.width().output() * cell_length(g.channels()) * static_cast<int64_t>(sizeof(S));
    return HWY_MAX(rows, (scatter_scratch<E, Split::channel_blocks>(p)));
  }
  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    if (const Fit fit = fits_shares(p, 0); !fit.ok()) return fit;
    return fits_shares(p, scratch_bytes(p));
  }
  static double cost(const Problem&) { return 1; }
};

template <template <class> class Kernel>
constexpr auto gather_entries(std::string_view name, Split split) {
  std::array<KernelEntry, 8> all{};
  size_t i = 0;
  const auto add_entries = [&]<class E>(DType dtype) {
    for (Op op : {Op::avg, Op::sum})
      all[i++] = KernelEntry{.name = name,
                             .op = op,
                             .pass = Pass::backward,
                             .dtype = dtype,
                             .target = HWY_TARGET,
                             .split = split,
                             .fits = Kernel<E>::fits,
                             .cost = Kernel<E>::cost,
                             .scratch_bytes = Kernel<E>::scratch_bytes,
                             .grain = unit_grain,
                             .run = Kernel<E>::run};
  };
  add_entries.template operator()<float>(DType::f32);
  add_entries.template operator()<double>(DType::f64);
  add_entries.template operator()<Half>(DType::f16);
  add_entries.template operator()<BFloat16>(DType::bf16);
  return all;
}
#endif  // one lane is no vector: the scalar kernels serve that target

std::span<const KernelEntry> avg_gather_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto entries = join(gather_entries<GatherColumns>("gather_columns", Split::planes),
                                       gather_entries<GatherChannels>("gather_channels", Split::channel_blocks));
  return entries;
#endif
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(avg_gather_table);
std::span<const KernelEntry> avg_pool_gather_kernels() { return HWY_DYNAMIC_DISPATCH(avg_gather_table)(); }
}  // namespace tidepool::detail
#endif
