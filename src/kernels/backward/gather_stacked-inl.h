// Backward passes of small planes, whose rows of windows are copied end to end with room between them: one long row of windows gives one
// long row of cells for every phase of the stride. Included once per target, inside foreach_target.
//
//   kernel 3, stride 2      windows   a b      stack   . . .      even rows of cells   (.. + ab) (ab + cd) (cd + ..)
//                                     c d              a b .      odd rows                  (ab) (cd) (..)
//                                                      c d .
//                                                      . . .      where the dots give nothing
#if defined(TIDEPOOL_GATHER_STACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_GATHER_STACKED_INL_H_
#undef TIDEPOOL_GATHER_STACKED_INL_H_
#else
#define TIDEPOOL_GATHER_STACKED_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/forward/padded-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_cell_stack_bytes = 1 << 18;  // of a core's own cache

// One axis of the stack.
struct StackSide {
  int64_t front;  // windows before the first that may be asked for
  int64_t steps;  // windows that begin before the last cell ends, whether they exist or not
  int64_t kept;   // those that exist
  explicit StackSide(const Axis& x) noexcept
      : front((x.kernel() - 1) / x.stride()),
        steps((x.input() + x.pad_before() + x.stride() - 1) / x.stride()),
        kept(HWY_MIN(x.output(), steps)) {}
};

struct CellStack {
  StackSide h, w;
  int64_t pitch;    // windows of a row: behind those that exist there is room for the next row's front
  int64_t windows;  // in all
  int64_t cells;    // of one phase
  CellStack(const Axis& height, const Axis& width, int64_t lanes) noexcept
      : h(height),
        w(width),
        pitch(HWY_MAX(w.steps, w.kept + w.front)),
        windows((h.front + h.steps) * pitch + w.front + 2 * lanes),
        cells((h.steps * pitch + lanes) * width.stride()) {}
};

// What is done to sums, whatever they were read from and are stored as.
template <class S>
struct StackedSums {
  using D = hn::ScalableTag<S>;
  using Contribution = UniformContribution<S>;
  using Row = typename Contribution::Row;
  static constexpr int64_t lanes = CellRows<Contribution>::lanes;

  // The parts of the scratch.
  const CellStack stack;
  const int64_t first;  // window (0, 0)
  S* grads;
  S* cells;

  HWY_NOINLINE StackedSums(const KernelArgs& a, std::byte* scratch) noexcept
      : stack(*a.height.axis, *a.width.axis, lanes),
        first(stack.h.front * stack.pitch + stack.w.front),
        grads(reinterpret_cast<S*>(scratch)),
        cells(grads + stack.windows) {
    std::fill_n(grads, stack.windows, S(0));
  }

  // How many of the first rows can be read or written by whole vectors, because the plane goes on far enough behind them.
  static int64_t roomy_rows(int64_t rows, int64_t row_step, int64_t width) noexcept {
    if (row_step != width) return width % lanes == 0 ? rows : 0;
    return HWY_MAX(rows - (lanes - 1 - (width - 1) % lanes + width - 1) / width, 0);
  }

  // The rows of a plane into the stack. What is read too much is overwritten: by zeros, and those by the next row.
  template <class From, class Convert>
  HWY_INLINE void copy_rows(const From* from, int64_t from_step, int64_t roomy, const Convert& convert) const {
    const D d;
    const int64_t count = stack.w.kept, full = count / lanes * lanes, pitch = stack.pitch, rows = stack.h.kept;
    const auto none = hn::Zero(d);
    S* to = grads + first;
    for (int64_t row = 0; row < rows; ++row, from += from_step, to += pitch) {
      for (int64_t i = 0; i < full; i += lanes) hn::StoreU(convert(from + i), d, to + i);
      if (full == count) continue;
      From few[lanes];
      const From* behind = from + full;
      if (HWY_UNLIKELY(row >= roomy)) {
        std::memset(static_cast<void*>(few), 0, sizeof few);
        behind = static_cast<const From*>(std::memcpy(static_cast<void*>(few), behind, static_cast<size_t>(count - full) * sizeof(From)));
      }
      hn::StoreU(convert(behind), d, to + full);
      hn::StoreU(none, d, to + count);
    }
  }

  // Row `phase` of every stride, all of them at once. Windows that begin higher come first.
  HWY_NOINLINE void add_up(const KernelArgs& a) const noexcept {
    const AxisTable &h = a.height, &w = a.width;
    const typename CellRows<Contribution>::Windows windows{w.kernel, 1, 0};
    const auto compute = CellRows<Contribution>::function(w.stride, windows);
    const int64_t all = stack.h.steps * stack.pitch * w.stride;
    for (int64_t phase = 0; phase < h.stride; ++phase) {
      Row rows[most_rows_covering];
      int64_t count = 0;
      for (int64_t back = phase < h.kernel ? (h.kernel - 1 - phase) / h.stride : -1; back >= 0; --back) {
        const int64_t at = first - back * stack.pitch;
        rows[count++] = grads + at;
      }
      S* const to = cells + phase * stack.cells;
      compute(rows, count, windows, all, all, to, to);
    }
  }

  static HWY_NOINLINE int64_t scratch_bytes(const Problem& p) {
    const Axis &h = p.geometry.height(), &w = p.geometry.width();
    const CellStack stack(h, w, lanes);
    return (stack.windows + stack.cells * h.stride() + lanes) * static_cast<int64_t>(sizeof(S));
  }
  static HWY_NOINLINE Fit fits(const Problem& p) {
    const Geometry& g = p.geometry;
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    // Nor padding before their only slice, in which their only window would lie.
    const Axis& depth = g.depth();
    if (depth.input() != 1 || depth.output() != 1 || depth.kernel() != 1 || depth.pad_before() != 0) return {"planes have depth"};
    constexpr int64_t most = most_cell_stack_bytes / static_cast<int64_t>(sizeof(S));
    for (const Axis* x : {&g.height(), &g.width()}) {
      if (!x->is_even()) return {"windows differ in size"};
      if (x->dilation() != 1) return {"windows are dilated"};
      if (x->output() < 1 || x->input() > most || x->kernel() > most || x->pad_before() > most || x->stride() > most)
        return {"planes are empty, or too large to copy"};
    }
    if (g.width().stride() > widest_gather_stride) return {"windows are more than 4 columns apart"};
    // Rows of windows that do not exist are in the stack too.
    if ((g.height().kernel() - 1) / g.height().stride() + 1 > most_rows_covering) return {"windows have too many rows"};
    return {scratch_bytes(p) > most_cell_stack_bytes ? "planes are too large to copy" : nullptr};
  }
};

// The divisor of windows that all have the same.
inline int64_t whole_divisor(const KernelArgs& a) noexcept {
  return a.reduction.divisor == Divisor::fixed ? a.reduction.fixed_divisor : a.depth.kernel * a.height.kernel * a.width.kernel;
}

template <class E>
struct GatherStacked : StackedSums<Sum<E>> {
  using S = Sum<E>;
  using Sums = StackedSums<S>;
  using D = hn::ScalableTag<S>;
  static constexpr int64_t lanes = Sums::lanes;

  // Where rows follow, whole vectors are written, whose ends they write again.
  static HWY_INLINE void store_rows(const Sums& sums, const AxisTable& h, const AxisTable& w, int64_t roomy, E* to, int64_t to_step,
                                    PlanePrefetcher next) {
    const D d;
    const int64_t width = w.input, full = width / lanes * lanes, rows = h.input, stride = h.stride;
    const int64_t phase_cells = sums.stack.cells, step_cells = sums.stack.pitch * w.stride;
    int64_t phase = h.pad_before % stride;
    const S* step = sums.cells + w.pad_before + h.pad_before / stride * step_cells;
    for (int64_t y = 0; y < rows; ++y, to += to_step) {
      const S* from = step + phase * phase_cells;
      if (++phase == stride) phase = 0, step += step_cells;
      next.step();
      for (int64_t i = 0; i < full; i += lanes) store_sums(d, hn::LoadU(d, from + i), to + i);
      if (full == width) continue;
      E few[lanes];
      store_sums(d, hn::LoadU(d, from + full), HWY_LIKELY(y < roomy) ? to + full : few);
      if (HWY_UNLIKELY(y >= roomy)) std::memcpy(static_cast<void*>(to + full), few, static_cast<size_t>(width - full) * sizeof(E));
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const D d;
    const AxisTable &h = a.height, &w = a.width;
    const Sums sums(a, tile.scratch);
    const Strides5 &in = a.input_strides, &out = a.output_strides;
    const int64_t roomy_in = Sums::roomy_rows(h.output, in[dim_h], w.output);
    const int64_t roomy_out = Sums::roomy_rows(h.input, out[dim_h], w.input);
    // Powers of two have exact reciprocals.
    const int64_t divisor = whole_divisor(a);
    const bool multiply = divisor > 0 && (divisor & (divisor - 1)) == 0;
    const auto by = hn::Set(d, multiply ? 1 / static_cast<S>(divisor) : static_cast<S>(divisor));
    constexpr int64_t bytes = sizeof(E);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const int64_t n = u / a.channels, c = u % a.channels;
      const E* from = reinterpret_cast<const E*>(a.input) + n * in[dim_n] + c * in[dim_c];
      E* to = reinterpret_cast<E*>(a.output) + n * out[dim_n] + c * out[dim_c];
      sums.copy_rows(from, in[dim_h], roomy_in, [&](const E* x) HWY_ATTR {
        const auto v = load_grads(d, x);
        return multiply ? hn::Mul(v, by) : hn::Div(v, by);
      });
      sums.add_up(a);
      store_rows(sums, h, w, roomy_out, to, out[dim_h],
                 PlanePrefetcher(from, h.output * w.output * bytes, to, a.input_plane() * bytes, h.input));
    }
  }

  static int64_t grain(const Problem&) { return 8; }
  static bool is_adjacent(const KernelArgs& a) noexcept { return a.output_strides[dim_w] == 1 && a.input_strides[dim_w] == 1; }
};

#endif  // one lane is no vector

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
