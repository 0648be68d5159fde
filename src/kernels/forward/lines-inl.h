// Max pooling by lines: the rows under a row of windows are merged into one line, which is then pooled. Included once per target, inside
// foreach_target.
//
//   rows   a b c d e f      kernel 3x2, stride 2, padding 1      line   . A B C D E F      A = max(a, g) …
//          g h i j k l                                                  |---|
//                                                                           |---|
//
// A cell is loaded once for every window row it lies in, not for every window, and shuffled once at most: a line is sorted by phases, see
// lines.h. Padding is in the line, where it costs nothing. Several lines are merged before the first of them is pooled.
#if defined(TIDEPOOL_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LINES_INL_H_
#undef TIDEPOOL_LINES_INL_H_
#else
#define TIDEPOOL_LINES_INL_H_
#endif

#include <algorithm>

#include "core/cache_sizes.h"
#include "hwy/highway.h"
#include "kernels/forward/line_merge-inl.h"
#include "kernels/forward/line_pool-inl.h"
#include "kernels/forward/lines.h"
#include "kernels/reduce/line_extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

template <class E, bool kNumbered>
struct LineMax {
  using Pool = LinePool<E, kNumbered>;
  using T = typename Pool::T;
  using N = typename Pool::N;
  using D = typename Pool::D;
  using Group = typename Pool::Group;
  static constexpr int64_t full = Pool::full;
  using Merge = LineMerge<E, kNumbered>;
  using Unsorted = typename Merge::Unsorted;
  static constexpr int64_t after = 4 * full;  // cells that may be read or written beyond a line

  // By the definition: row by row, every row as a line of its own. `best` has room for the windows of a line.
  static HWY_NOINLINE void pool_exactly(const Group& g, const Unsorted& unsorted, T* best, N* best_numbers) {
    using R = Extremum<E, false>;
    const D d;
    const hn::Rebind<N, D> dn;
    const auto none = hn::Set(dn, std::numeric_limits<N>::max());
    const auto padding = hn::Set(dn, static_cast<N>(blank_number(g)));
    const int64_t first_tap = 0;
    Group row = g;
    row.lines = 1, row.window_rows = 1;
    Group result = row;
    result.taps = &first_tap, result.tap_count = 1, result.tap_step = 0;
    for (int64_t l = 0; l < g.lines; ++l) {
      row.outputs = g.outputs + l;
      row.cells = g.cells + l * g.pitch;
      if constexpr (kNumbered) row.cell_numbers = g.cell_numbers + l * g.pitch;
      for (int64_t i = 0; i < g.output_count; i += full) {
        hn::StoreU(R::identity(d), d, best + i);
        if constexpr (kNumbered) hn::StoreU(none, dn, best_numbers + i);
      }
      for (int64_t r = 0; r < g.window_rows; ++r) {
        row.inputs = g.inputs + l * g.window_rows + r;
        if constexpr (kNumbered) row.numbers = g.numbers + l * g.window_rows + r;
        Merge::merge_lines(row, unsorted);
        for (int64_t i = 0; i < g.output_count; i += full) {
          auto value = hn::LoadU(d, best + i);
          for (int64_t t = 0; t < g.tap_count; ++t) {
            const auto next = from_line<E>(d, hn::LoadU(d, row.cells + g.taps[t] + i));
            if constexpr (kNumbered) {
              // A window's first cell that is not padding is chosen even if it is the lowest there is.
              const auto old = hn::LoadU(dn, best_numbers + i);
              const auto number = hn::Add(hn::LoadU(dn, row.cell_numbers + g.taps[t] + i), hn::Set(dn, static_cast<N>(t * g.tap_step)));
              const auto is_first = hn::And(hn::Eq(old, none), hn::Lt(number, padding));
              const auto chosen = hn::Or(hn::RebindMask(dn, R::replaces(d, value, next)), is_first);
              hn::StoreU(hn::IfThenElse(chosen, number, old), dn, best_numbers + i);
              value = hn::IfThenElse(hn::RebindMask(d, chosen), next, value);
            } else {
              value = R::combine(d, value, next);
            }
          }
          hn::StoreU(value, d, best + i);
        }
      }
      for (int64_t i = 0; is_half<E> && i < g.output_count; i += full) hn::StoreU(from_line<E>(d, hn::LoadU(d, best + i)), d, best + i);
      Pool::template pool_by<D>(result, best, best_numbers, g.output_count, g.outputs[l]);
    }
  }

  // The number of padding: above all others, however many taps are added.
  static int64_t blank_number(const Group& g) {
    return static_cast<int64_t>(std::numeric_limits<N>::max()) - (g.tap_count - 1) * g.tap_step;
  }

  // Where things lie in scratch.
  struct Scratch {
    LineShape shape;
    int64_t bytes = 0;
    int64_t cells, numbers, best, best_numbers, unsorted, unsorted_numbers, inputs, input_numbers, taps, outputs;

    Scratch(const Axis& width, int64_t window_rows) : shape(width, window_rows, sizeof(T)) {
      const auto take = [&](int64_t count, size_t size) {
        const int64_t at = bytes;
        bytes += (count * static_cast<int64_t>(size) + 63) / 64 * 64;
        return at;
      };
      const auto take_numbers = [&](int64_t count) { return kNumbered ? take(count, sizeof(N)) : 0; };
      cells = take(shape.cells() + after, sizeof(T)), numbers = take_numbers(shape.cells() + after);
      best = take(shape.outputs + after, sizeof(T)), best_numbers = take_numbers(shape.outputs + after);
      const int64_t line = shape.stride > 2 ? shape.line_cells() + 4 * after : 0;
      unsorted = take(line, sizeof(T)), unsorted_numbers = take_numbers(line);
      inputs = take(shape.lines * window_rows, sizeof(int64_t));
      input_numbers = kNumbered ? take(shape.lines * window_rows, sizeof(int64_t)) : 0;
      taps = take(width.kernel(), sizeof(int64_t));
      outputs = take(shape.lines, sizeof(LineOutput));
    }
  };

  static void fill(const Scratch& z, const Group& g, const Unsorted& unsorted) {
    const T blank = hn::GetLane(from_line<E>(D(), Extremum<E, false>::identity(D())));  // a key, if lines hold keys
    const int64_t line = z.shape.stride > 2 ? z.shape.line_cells() + 4 * after : 0;
    std::fill_n(g.cells, z.shape.cells() + after, blank);
    std::fill_n(unsorted.cells, line, blank);
    if constexpr (kNumbered) {
      std::fill_n(g.cell_numbers, z.shape.cells() + after, static_cast<N>(blank_number(g)));
      std::fill_n(unsorted.numbers, line, static_cast<N>(blank_number(g)));
    }
  }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const int64_t window_rows = a.depth.kernel * a.height.kernel;
    const Scratch z(*a.width.axis, window_rows);
    const LineShape& shape = z.shape;
    const auto at = [&]<class P>(int64_t offset, P*) { return reinterpret_cast<P*>(tile.scratch + offset); };
    T* const t = nullptr;
    N* const n = nullptr;
    int64_t* const i64 = nullptr;
    int64_t *inputs = at(z.inputs, i64), *numbers = kNumbered ? at(z.input_numbers, i64) : nullptr, *taps = at(z.taps, i64);
    LineOutput* outputs = at(z.outputs, static_cast<LineOutput*>(nullptr));
    const Unsorted unsorted{at(z.unsorted, t), at(z.unsorted_numbers, n)};
    for (int64_t i = 0; i < a.width.kernel; ++i) {
      const int64_t column = i * a.width.dilation;
      taps[i] = column % shape.stride * shape.phase + column / shape.stride;
    }
    Group g{.a = a, .window_rows = window_rows, .inputs = inputs, .numbers = numbers, .outputs = outputs};
    g.cells = at(z.cells, t), g.cell_numbers = at(z.numbers, n);
    g.pitch = shape.pitch, g.phase = shape.phase;
    g.taps = taps, g.tap_count = a.width.kernel, g.tap_step = 1;
    TapSteps steps = TapSteps::of_taps(a);
    if (kNumbered && sizeof(T) >= 4 && a.index_base != IndexBase::window && a.input_plane() < int64_t{1} << 30)
      g.positions = true, steps = TapSteps::of_positions(a), g.tap_step = steps.width;
    const int64_t cells = a.input_plane() + a.depth.output * a.height.output * a.width.output;
    g.exceeds_caches = cells * static_cast<int64_t>(sizeof(T)) > largest_cache_bytes() / HWY_MAX(a.batch * a.channels, 1);
    fill(z, g, unsorted);
    RowPosition p = RowPosition::of_row(a, tile.begin);
    for (int64_t u = tile.begin; u < tile.end; u += g.lines) {
      g.lines = HWY_MIN(shape.lines, tile.end - u);
      find_line_rows(a, steps, &p, g.lines, inputs, numbers, outputs);
      for (g.first_output = 0; g.first_output < a.width.output; g.first_output += shape.outputs) {
        g.output_count = HWY_MIN(shape.outputs, a.width.output - g.first_output);
        const int64_t first = g.first_output * shape.stride - a.width.pad_before;
        const int64_t end = first + (g.output_count - 1) * shape.stride + shape.reach + 1;
        g.first_column = HWY_MAX(first, 0), g.columns = HWY_MIN(end, a.width.input) - g.first_column;
        g.first_cell = g.first_column - first;
        // Padding is where other parts of the row have cells.
        if (shape.outputs < a.width.output && g.columns < end - first) fill(z, g, unsorted);
        const bool failed = Merge::merge_lines(g, unsorted);
        if constexpr (cell_kind<E> != CellKind::integer)
          if (HWY_UNLIKELY(failed)) {
            pool_exactly(g, unsorted, at(z.best, t), at(z.best_numbers, n));
            continue;
          }
        if (!g.has_pairs()) Pool::pool_lines(g);
      }
    }
  }

  static Fit fits(const Problem& p) {
    if (kNumbered && sizeof(T) == 1 && p.geometry.window_taps() + p.geometry.width().kernel() > 255)
      return {"window has too many taps to number in a byte"};
    if (!kNumbered && p.geometry.depth().kernel() * p.geometry.height().kernel() == 1)
      return {"windows have one row, which needs no merging"};
    return fits_lines(p, sizeof(T));
  }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    return Scratch(g.width(), g.depth().kernel() * g.height().kernel()).bytes;
  }
  static int64_t grain(const Problem&) { return 1; }
};

#endif  // one lane cannot be shuffled

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
