// Backward passes on vectors, seen from the cells: a cell is the sum of what the windows that hold it give to it, in their order, so that
// the bits are those of walking the windows, and every cell is written once. Included once per target, inside foreach_target.
//
//   stride 2, kernel 3      windows   a   b   c          a vector of windows gives two of cells:
//   cells                   0 1 2 3 4 5 6                even  a, a + b, b + c, …     odd  a, b, c, …
#if defined(TIDEPOOL_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CELLS_INL_H_
#undef TIDEPOOL_CELLS_INL_H_
#else
#define TIDEPOOL_CELLS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/halves-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"
#include "kernels/scatter.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t most_rows_over = 64;
constexpr int64_t most_cells_scratch = 1 << 26;
constexpr int64_t wide_channels = 8 * channel_block;  // that are worked on together where they are adjacent

// The windows of an axis that hold a cell lie in this range; with dilation not all of it do.
inline Range holders(const AxisTable& x, int64_t cell) noexcept {
  // Bin o holds the cell if floor(o L / O) <= cell < ceil((o + 1) L / O).
  if (!x.regular) return {cell * x.output / x.input, ((cell + 1) * x.output + x.input - 1) / x.input};
  const int64_t behind = cell + x.pad_before - (x.kernel - 1) * x.dilation;
  return {behind <= 0 ? 0 : (behind + x.stride - 1) / x.stride, HWY_MIN((cell + x.pad_before) / x.stride + 1, x.output)};
}
inline bool holds(const AxisTable& x, int64_t o, int64_t cell) noexcept {
  return x.dilation == 1 || (cell + x.pad_before - o * x.stride) % x.dilation == 0;
}
// Which tap of window o a cell is.
inline int64_t tap_of(const AxisTable& x, int64_t o, int64_t cell) noexcept {
  if (!x.regular) return cell - o * x.input / x.output;
  const int64_t ahead = cell + x.pad_before - o * x.stride;
  return x.dilation == 1 ? ahead : ahead / x.dilation;
}
// The most windows that can hold one cell.
inline int64_t most_holders(const Axis& x) noexcept {
  return HWY_MIN(x.output(), x.is_adaptive() ? x.output() / HWY_MAX(x.input(), 1) + 2 : (x.kernel() - 1) * x.dilation() / x.stride() + 1);
}

// All holders of all cells of an axis, looked up once: divisions take longer than a row of small planes.
inline const Range* list_holders(const AxisTable& x, Range* to) noexcept {
  for (int64_t cell = 0; cell < x.input; ++cell) to[cell] = holders(x, cell);
  return to;
}
inline int64_t holders_bytes(const Axis& x) noexcept { return x.input() * static_cast<int64_t>(sizeof(Range)); }

// Calls visit(d, h, rows, count) for every row of the input, with the rows of windows that hold it as find(od, oh, d, h) describes them.
template <class Row, class Find, class Visit>
HWY_INLINE void each_row(const KernelArgs& a, const Range* over_h, Find find, Visit visit) noexcept {
  Row rows[most_rows_over];
  for (int64_t d = 0; d < a.depth.input; ++d) {
    const Range over_d = holders(a.depth, d);
    for (int64_t h = 0; h < a.height.input; ++h) {
      int64_t count = 0;
      for (int64_t od = over_d.begin; od < over_d.end; ++od) {
        if (!holds(a.depth, od, d)) continue;
        for (int64_t oh = over_h[h].begin; oh < over_h[h].end; ++oh)
          if (holds(a.height, oh, h)) rows[count++] = find(od, oh, d, h);
      }
      visit(d, h, rows, count);
    }
  }
}

// Output rows that must be kept: those that one input row can ask for, or all when depth brings rows back.
inline int64_t kept_rows(const Axis& depth, const Axis& height) noexcept {
  return depth.output() > 1 || depth.kernel() > 1 ? depth.output() * height.output() : most_holders(height);
}

// Sums as cells of the output.
template <class E>
HWY_INLINE void store_cells(const Sum<E>* from, int64_t count, E* to) noexcept {
  const hn::ScalableTag<Sum<E>> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) store_narrow(d, hn::LoadU(d, from + i), to + i);
  for (; i < count; ++i) to[i] = E(from[i]);
}

// What all of these kernels need: windows few enough over one cell, and numbers that can be multiplied.
inline Fit fits_cells(const Problem& p) {
  const Geometry& g = p.geometry;
  if (g.width().is_fractional()) return {"every plane has windows of its own"};
  for (int i = 0; i < 3; ++i)
    if (g.axis(i).is_adaptive() && (g.axis(i).input() > 1 << 30 || g.axis(i).output() > 1 << 30)) return {"too many bins to count"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (most_holders(g.depth()) * most_holders(g.height()) > most_rows_over) return {"more than 64 rows of windows hold a cell"};
  return {};
}

// Columns are adjacent: a vector holds neighbouring windows. Their rows are kept in scratch with margins that give nothing.
//
// Policy: element E; Row, a kept row; Rows(a, range, scratch, length), which keeps them, with find(od, oh, d, h), clear() and bytes an
// element; given(row, i, tap), a vector of what windows i, i + 1, … give to their tap of that number in the row.
template <class Policy>
struct CellsByColumns {
  using E = typename Policy::E;
  using S = Sum<E>;
  using Row = typename Policy::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  static int64_t front(const Axis& w) noexcept { return (w.kernel() - 1) / w.stride(); }
  // Windows from the one that begins at or before the first cell to the one that begins behind the last, whether they exist or not.
  static int64_t steps(const Axis& w) noexcept { return (w.input() + w.pad_before() + w.stride() - 1) / w.stride(); }
  static int64_t row_length(const Axis& w) noexcept { return (front(w) + HWY_MAX(w.output(), steps(w)) + 3 * lanes) / lanes * lanes; }
  // A row of cells from tap 0 of the first window on.
  static int64_t cells_length(const Axis& w) noexcept { return (steps(w) + lanes) * w.stride(); }

  // kStride * lanes cells from tap 0 of window i on.
  template <int kStride, int kKernel>
  static HWY_INLINE void block(const Row* rows, int64_t count, int64_t any_kernel, int64_t i, S* to) {
    const hn::ScalableTag<S> d;
    const int64_t kernel = kKernel == 0 ? any_kernel : kKernel;
    hn::Vec<decltype(d)> sums[kStride];
    unrolled<kStride>([&](auto r) HWY_ATTR { sums[r] = hn::Zero(d); });
    for (int64_t k = 0; k < count; ++k)
      unrolled<kStride>([&](auto r) HWY_ATTR {
        if constexpr (kKernel == 0) {
          const int64_t first = r < kernel ? (kernel - 1 - r) / kStride : -1;
          for (int64_t back = first; back >= 0; --back) sums[r] = hn::Add(sums[r], Policy::given(rows[k], i - back, r + back * kStride));
        } else if constexpr (r < kKernel) {
          constexpr int holding = (kKernel - 1 - r) / kStride + 1;
          unrolled<holding>([&](auto n) HWY_ATTR {
            constexpr int64_t back = holding - 1 - n;
            sums[r] = hn::Add(sums[r], Policy::given(rows[k], i - back, r + back * kStride));
          });
        }
      });
    if constexpr (kStride == 1) hn::StoreU(sums[0], d, to);
    if constexpr (kStride == 2) hn::StoreInterleaved2(sums[0], sums[1], d, to);
    if constexpr (kStride == 3) hn::StoreInterleaved3(sums[0], sums[1], sums[2], d, to);
    if constexpr (kStride == 4) hn::StoreInterleaved4(sums[0], sums[1], sums[2], sums[3], d, to);
  }

  template <int kStride, int kKernel>
  static void run_planes(const KernelArgs& a, const Tile& tile) noexcept {
    const AxisTable& w = a.width;
    const int64_t length = row_length(*w.axis), n = steps(*w.axis);
    std::byte* free = tile.scratch;
    const Range* over_h = list_holders(a.height, reinterpret_cast<Range*>(free));
    S* cells = reinterpret_cast<S*>(free += holders_bytes(*a.height.axis));
    free += cells_length(*w.axis) * static_cast<int64_t>(sizeof(S));
    typename Policy::Rows kept(a, free, length, front(*w.axis));
    // Rows whose blocks are all inside go where they belong; others by way of scratch, because their ends hang over.
    const bool direct = !is_half<E> && w.pad_before == 0 && w.input % (kStride * lanes) == 0;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, Split::planes, u);
      kept.start(r);
      E* plane = reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, 0, 0, 0);
      each_row<Row>(
          a, over_h, [&](int64_t od, int64_t oh, int64_t d, int64_t h) { return kept.find(od, oh, d, h); },
          [&](int64_t d, int64_t h, const Row* rows, int64_t count) HWY_ATTR {
            E* out = plane + d * a.output_strides[dim_d] + h * a.output_strides[dim_h];
            S* to = cells;
            if constexpr (!is_half<E>) to = direct ? out : cells;
            for (int64_t i = 0; i < n; i += lanes) block<kStride, kKernel>(rows, count, w.kernel, i, to + i * kStride);
            if (!direct) store_cells<E>(cells + w.pad_before, w.input, out);
          });
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const int64_t stride = a.width.stride, kernel = a.width.kernel;
    if (stride == 1) return kernel == 3 ? run_planes<1, 3>(a, tile) : run_planes<1, 0>(a, tile);
    if (stride == 2) return kernel == 3 ? run_planes<2, 3>(a, tile) : kernel == 2 ? run_planes<2, 2>(a, tile) : run_planes<2, 0>(a, tile);
    return stride == 3 ? run_planes<3, 0>(a, tile) : run_planes<4, 0>(a, tile);
  }

  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    return holders_bytes(g.height()) + cells_length(g.width()) * static_cast<int64_t>(sizeof(S)) +
           kept_rows(g.depth(), g.height()) * row_length(g.width()) * Policy::Rows::bytes;
  }
  static Fit fits(const Problem& p) {
    const Axis& w = p.geometry.width();
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (w.is_adaptive()) return {"windows differ in size"};
    if (const Fit fit = fits_cells(p); !fit.ok()) return fit;
    if (w.dilation() != 1 || w.stride() > 4) return {"windows are dilated, or more than 4 columns apart"};
    return {scratch_bytes(p) > most_cells_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

// What a row costs beside its cells shows where rows are short, and there transposing planes pays.
inline double cells_by_columns_cost(const Problem& p) { return 0.5 + 15 / static_cast<double>(HWY_MAX(p.geometry.width().input(), 1)); }
constexpr double cells_by_packing_cost = 1;

// Channels are adjacent: a vector holds neighbouring channels of one cell.
//
// Policy: element E; Row, a row of windows; Rows(a, scratch), which finds them, with start(range), find(od, oh, d, h) and the scratch they
// take; given(a, row, ow, c, tap), a vector of what channels c, c + 1, … of window ow give to that tap of the row; one_given(…), one
// channel.
template <class Policy>
struct CellsByChannels {
  using E = typename Policy::E;
  using T = Lane16<E>;
  using S = Sum<E>;
  using Row = typename Policy::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  static constexpr bool backward = true;

  // Calls visit(row, ow, tap) for the windows that hold cell w.
  template <class Visit>
  static HWY_INLINE void each_window(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, Visit visit) {
    for (int64_t k = 0; k < count; ++k)
      for (int64_t ow = over.begin; ow < over.end; ++ow)
        if (holds(a.width, ow, w)) visit(rows[k], ow, tap_of(a.width, ow, w));
  }

  // kCount vectors of channels, from channel c on.
  template <int kCount>
  static HWY_INLINE void block(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t c, E* to) {
    const hn::ScalableTag<S> d;
    hn::Vec<decltype(d)> sums[kCount];
    unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
    each_window(a, rows, count, over, w, [&](const Row& row, int64_t ow, int64_t tap) HWY_ATTR {
      unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Add(sums[i], Policy::given(a, row, ow, c + i * lanes, tap)); });
    });
    unrolled<kCount>([&](auto i) HWY_ATTR { store_narrow(d, sums[i], to + c + i * lanes); });
  }

  static HWY_NOINLINE void last_channels(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t c, int64_t end,
                                         E* to) {
    for (; c < end; ++c) {
      S sum = 0;
      each_window(a, rows, count, over, w, [&](const Row& row, int64_t ow, int64_t tap) { sum += Policy::one_given(a, row, ow, c, tap); });
      to[c] = E(sum);
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    std::byte* free = tile.scratch;
    const Range* over_w = list_holders(a.width, reinterpret_cast<Range*>(free));
    const Range* over_h = list_holders(a.height, reinterpret_cast<Range*>(free += holders_bytes(*a.width.axis)));
    typename Policy::Rows found(a, free + holders_bytes(*a.height.axis));
    for (int64_t u = tile.begin; u < tile.end;) {
      const ChannelRange r = wide_range(a, tile, u);
      const int64_t channels = r.end - r.begin;
      found.start(r);
      each_row<Row>(
          a, over_h, [&](int64_t od, int64_t oh, int64_t d, int64_t h) { return found.find(od, oh, d, h); },
          [&](int64_t d, int64_t h, const Row* rows, int64_t count) HWY_ATTR {
            E* out = reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, d, h, 0);
            for (int64_t w = 0; w < a.width.input; ++w, out += a.output_strides[dim_w]) {
              int64_t c = 0;
              for (; c + 4 * lanes <= channels; c += 4 * lanes) block<4>(a, rows, count, over_w[w], w, c, out);
              for (; c + lanes <= channels; c += lanes) block<1>(a, rows, count, over_w[w], w, c, out);
              if (c < channels) last_channels(a, rows, count, over_w[w], w, c, channels, out);
            }
          });
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

  static int64_t scratch_of(const Problem& p, int64_t channels) {
    return holders_bytes(p.geometry.width()) + holders_bytes(p.geometry.height()) + Policy::Rows::scratch(p.geometry, channels);
  }
  static int64_t scratch_bytes(const Problem& p) { return scratch_of(p, p.geometry.channels()); }
  static int64_t packed_scratch(const Problem& p) { return scratch_of(p, channel_block); }
  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    if (const Fit fit = fits_cells(p); !fit.ok()) return fit;
    return {scratch_bytes(p) > most_cells_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

// The entries of one kernel, for the floating dtypes and two ops.
template <template <class> class Kernel>
constexpr auto cells_entries(std::string_view name, Split split, std::array<Op, 2> ops) {
  std::array<KernelEntry, 8> all{};
  size_t i = 0;
  const auto add_entries = [&]<class E>(DType dtype) {
    for (Op op : ops)
      all[i++] = KernelEntry{.name = name,
                             .op = op,
                             .pass = Pass::backward,
                             .dtype = dtype,
                             .target = HWY_TARGET,
                             .split = split,
                             .fits = Kernel<E>::fits,
                             .cost = Kernel<E>::cost,
                             .scratch_bytes = Kernel<E>::scratch_bytes,
                             .grain = Kernel<E>::grain,
                             .run = Kernel<E>::run};
  };
  add_entries.template operator()<float>(DType::f32);
  add_entries.template operator()<double>(DType::f64);
  add_entries.template operator()<Half>(DType::f16);
  add_entries.template operator()<BFloat16>(DType::bf16);
  return all;
}
#endif  // one lane has nothing to share

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
