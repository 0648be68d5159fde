// Backward passes on vectors, seen from the cells: a cell is the sum of what the windows that hold it give to it, in their order, so that
// the bits are those of walking the windows, and every cell is written once. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CELLS_INL_H_
#undef TIDEPOOL_CELLS_INL_H_
#else
#define TIDEPOOL_CELLS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/backward/gather_rows-inl.h"
#include "kernels/backward/sums.h"
#include "kernels/halves-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t most_rows_over = 64;
constexpr int64_t most_cells_scratch = 1 << 26;

// The windows of an axis that hold a cell lie in this range; with dilation not all of it do.
inline Range windows_covering(const AxisTable& x, int64_t cell) noexcept {
  // Bin o holds the cell if floor(o L / O) <= cell < ceil((o + 1) L / O).
  if (!x.regular) return {cell * x.output / x.input, ((cell + 1) * x.output + x.input - 1) / x.input};
  const int64_t behind = cell + x.pad_before - (x.kernel - 1) * x.dilation;
  return {behind <= 0 ? 0 : (behind + x.stride - 1) / x.stride, HWY_MIN((cell + x.pad_before) / x.stride + 1, x.output)};
}
inline bool covers(const AxisTable& x, int64_t o, int64_t cell) noexcept {
  return x.dilation == 1 || (cell + x.pad_before - o * x.stride) % x.dilation == 0;
}
// Which tap of window o a cell is.
inline int64_t tap_of(const AxisTable& x, int64_t o, int64_t cell) noexcept {
  if (!x.regular) return cell - o * x.input / x.output;
  const int64_t ahead = cell + x.pad_before - o * x.stride;
  return x.dilation == 1 ? ahead : ahead / x.dilation;
}
// The most windows that can hold one cell.
inline int64_t most_windows_covering(const Axis& x) noexcept {
  return HWY_MIN(x.output(), x.is_even() ? (x.kernel() - 1) * x.dilation() / x.stride() + 1 : x.output() / HWY_MAX(x.input(), 1) + 2);
}

// All holders of all cells of an axis, looked up once: divisions take longer than a row of small planes.
inline const Range* list_windows_covering(const AxisTable& x, Range* to) noexcept {
  for (int64_t cell = 0; cell < x.input; ++cell) to[cell] = windows_covering(x, cell);
  return to;
}
inline int64_t covering_bytes(const Axis& x) noexcept { return x.input() * static_cast<int64_t>(sizeof(Range)); }

// Calls visit(d, h, rows, count) for every row of the input, with the rows of windows that hold it as find(od, oh, d, h) describes them.
template <class Row, class Find, class Visit>
HWY_INLINE void each_row(const KernelArgs& a, const Range* over_h, Find find, Visit visit) noexcept {
  Row rows[most_rows_over];
  for (int64_t d = 0; d < a.depth.input; ++d) {
    const Range over_d = windows_covering(a.depth, d);
    for (int64_t h = 0; h < a.height.input; ++h) {
      int64_t count = 0;
      for (int64_t od = over_d.begin; od < over_d.end; ++od) {
        if (!covers(a.depth, od, d)) continue;
        for (int64_t oh = over_h[h].begin; oh < over_h[h].end; ++oh)
          if (covers(a.height, oh, h)) rows[count++] = find(od, oh, d, h);
      }
      visit(d, h, rows, count);
    }
  }
}

// Output rows that must be kept: those that one input row can ask for, or all when depth brings rows back.
inline int64_t kept_rows(const Axis& depth, const Axis& height) noexcept {
  return depth.output() > 1 || depth.kernel() > 1 ? depth.output() * height.output() : most_windows_covering(height);
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

// The divisor of whole windows.
inline int64_t whole_divisor(const KernelArgs& a) noexcept {
  return a.reduction.divisor == Divisor::fixed ? a.reduction.fixed_divisor : a.depth.kernel * a.height.kernel * a.width.kernel;
}

// Compact indices in lanes as wide as the sums.
template <class DT>
HWY_INLINE hn::Vec<DT> load_taps(DT d, const uint8_t* from) {
  const auto bytes = hn::LoadU(hn::Rebind<uint8_t, DT>(), from);
  if constexpr (sizeof(hn::TFromD<DT>) == 4)
    return hn::PromoteTo(d, bytes);
  else
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, DT>(), bytes));
}

// What all of these kernels need: windows few enough over one cell, and numbers that can be multiplied.
inline Fit fits_gather(const Problem& p) {
  const Geometry& g = p.geometry;
  if (g.width().is_fractional()) return {"every plane has windows of its own"};
  for (int i = 0; i < 3; ++i)
    if (g.axis(i).is_adaptive() && (g.axis(i).input() > 1 << 30 || g.axis(i).output() > 1 << 30)) return {"too many bins to count"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (most_windows_covering(g.depth()) * most_windows_covering(g.height()) > most_rows_over)
    return {"more than 64 rows of windows hold a cell"};
  return {};
}

// Columns are adjacent: a vector holds neighbouring windows. Their rows are kept in scratch with margins that give nothing.
//
// Policy: element E; Contribution, see cell_rows-inl.h; Rows(a, scratch, length, front), which keeps its rows, with start(range), find(od,
// oh, d, h) and bytes an element.
template <class Policy>
struct GatherByColumns {
  using E = typename Policy::E;
  using S = Sum<E>;
  using RowsOf = CellRows<typename Policy::Contribution>;
  using Row = typename RowsOf::Row;
  static constexpr int64_t lanes = RowsOf::lanes;

  static int64_t front(const Axis& w) noexcept { return RowsOf::front(w.kernel(), w.stride()); }
  static int64_t steps(const Axis& w) noexcept { return RowsOf::steps(w.input(), w.pad_before(), w.stride()); }
  static int64_t row_length(const Axis& w) noexcept { return (front(w) + HWY_MAX(w.output(), steps(w)) + 3 * lanes) / lanes * lanes; }
  // A row of cells from tap 0 of the first window on.
  static int64_t cells_length(const Axis& w) noexcept { return (steps(w) + lanes) * w.stride(); }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const AxisTable& w = a.width;
    const auto fill_row = RowsOf::of(w.stride, w.kernel);
    const int64_t length = row_length(*w.axis), n = steps(*w.axis);
    std::byte* free = tile.scratch;
    const Range* over_h = list_windows_covering(a.height, reinterpret_cast<Range*>(free));
    S* cells = reinterpret_cast<S*>(free += covering_bytes(*a.height.axis));
    free += cells_length(*w.axis) * static_cast<int64_t>(sizeof(S));
    typename Policy::Rows kept(a, free, length, front(*w.axis));
    // Rows whose blocks are all inside go where they belong; others by way of scratch, because their ends hang over.
    const bool direct = !is_half<E> && w.pad_before == 0 && w.input % (w.stride * lanes) == 0;
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
            fill_row(rows, count, w.kernel, n, to);
            if (!direct) store_cells<E>(cells + w.pad_before, w.input, out);
          });
    }
  }

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.output_strides[dim_w] == 1; }
  // What a row costs beside its cells shows where rows are short, and there transposing planes pays.
  static double cost(const Problem& p) { return 0.5 + 15 / static_cast<double>(HWY_MAX(p.geometry.width().input(), 1)); }
  static int64_t grain(const Problem&) { return 1; }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    return covering_bytes(g.height()) + cells_length(g.width()) * static_cast<int64_t>(sizeof(S)) +
           kept_rows(g.depth(), g.height()) * row_length(g.width()) * Policy::Rows::bytes;
  }
  static Fit fits(const Problem& p) {
    const Axis& w = p.geometry.width();
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (!w.is_even()) return {"windows differ in size"};
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    if (w.dilation() != 1 || w.stride() > RowsOf::widest) return {"windows are dilated, or more than 4 columns apart"};
    return {scratch_bytes(p) > most_cells_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

// Arrays may turn out not to be as adjacent as the plan hoped: then a kernel for any strides takes their place.
template <class Kernel, class Otherwise, class E, Split kSplit>
struct WithReferenceFallback : Kernel {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    Kernel::is_adjacent(a) ? Kernel::run(a, tile) : Otherwise::run(a, tile);
  }
  static int64_t scratch_bytes(const Problem& p) { return HWY_MAX(Kernel::scratch_bytes(p), (scatter_scratch<E, kSplit>(p))); }
};

// The entries of one kernel, for the floating dtypes.
template <template <class> class Kernel>
constexpr auto gather_entries(std::string_view name, Split split, EnumSet<Op> ops) {
  return entries<Kernel>({.name = name, .ops = ops, .passes = Pass::backward, .split = split, .target = HWY_TARGET}, FloatTypes());
}
#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
