// Fractional max and min pooling. Every plane has windows of its own, which no vector shares with the next plane; but all rows of a plane
// have the same windows along the width. Every row is pooled along the width once, then rows are merged:
//
//   row     a b c d e f      windows ab, bc, de      merged with the other rows of the window, in order
//   pooled  max(a,b) max(b,c) max(d,e)
#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "kernels/entries.h"
#include "kernels/kernel.h"
#include "kernels/reference/max_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

constexpr int64_t most_fractional_bytes = 1 << 18;  // of scratch: a core's own cache

template <class E, bool kMin, bool kArg>
struct MaxFractional {
  // Numbers a cell of a plane; as wide as an element, so that both go into vectors together.
  using Place = std::conditional_t<sizeof(E) == 4, int32_t, int64_t>;

  // NaN has no place here: rows that hold one go cell by cell.
  static bool better(E next, E best) noexcept { return kMin ? next < best : next > best; }

  // What a row of the plane became: a line of scratch.
  struct Pooled {
    int64_t row;  // number of the row; -1 for none yet
    bool nan;
  };

  static int64_t line_bytes(int64_t output) noexcept { return output * static_cast<int64_t>(sizeof(E) + (kArg ? sizeof(Place) : 0)); }

  // What scratch holds: a line for every row of a window, one for the result, and one for a row whose cells are apart in memory.
  struct Lines {
    const KernelArgs& a;
    int64_t rows;
    Pooled* pooled;
    E* all_values;
    Place* all_places;
    E* row;

    Lines(const KernelArgs& args, std::byte* scratch) noexcept : a(args), rows(a.depth.kernel * a.height.kernel) {
      pooled = reinterpret_cast<Pooled*>(scratch);
      all_values = reinterpret_cast<E*>(pooled + rows);
      row = values(rows + 1);
      all_places = reinterpret_cast<Place*>(row + a.width.input);
    }
    E* values(int64_t line) const noexcept { return all_values + line * a.width.output; }
    Place* places(int64_t line) const noexcept { return kArg ? all_places + line * a.width.output : nullptr; }
  };

  // Pools a row along the width. Places count from the row's first cell, or from the window's.
  [[gnu::noinline]] static bool pool_row(const Lines& to, int64_t line, const E* row, const int64_t* starts) noexcept {
    const KernelArgs& a = to.a;
    const int64_t kernel = a.width.kernel, origins = a.index_base == IndexBase::window ? 0 : 1;
    if (const int64_t step = a.input_strides[dim_w]; step != 1) {
      E* copy = to.row;
      for (int64_t w = 0; w < a.width.input; ++w) copy[w] = row[w * step];
      row = copy;
    }
    E* __restrict values = to.values(line);
    Place* __restrict places = to.places(line);
    for (int64_t ow = 0; ow < a.width.output; ++ow) {
      const E* x = row + starts[ow];
      E best = *x;
      int64_t place = 0;
      for (int64_t t = 1; t < kernel; ++t) {
        const E next = x[t];
        // By bits: a branch would be mispredicted as often as the data is random.
        if constexpr (kArg) place ^= (place ^ t) & -int64_t{better(next, best)};
        best = better(next, best) ? next : best;
      }
      values[ow] = best;
      if constexpr (kArg) places[ow] = static_cast<Place>(place + origins * starts[ow]);
    }
    int nan = 0;
    for (int64_t w = 0; w < a.width.input; ++w) nan |= row[w] != row[w] ? 1 : 0;
    return nan != 0;
  }

  // Merges a pooled row into the result; the first one begins it.
  [[gnu::noinline]] static void merge(const Lines& of, int64_t line, Place origin, bool first) noexcept {
    const int64_t output = of.a.width.output, result = of.rows;
    const E* __restrict values = of.values(line);
    const Place* __restrict places = of.places(line);
    E* __restrict best = of.values(result);
    Place* __restrict chosen = of.places(result);
    if (first) {
      std::copy_n(values, output, best);
      if constexpr (kArg)
        for (int64_t ow = 0; ow < output; ++ow) chosen[ow] = places[ow] + origin;
      return;
    }
    // A loop each: the compiler makes vectors of those.
    if constexpr (kArg)
      for (int64_t ow = 0; ow < output; ++ow) {
        const Place next = places[ow] + origin, before = chosen[ow];
        chosen[ow] = better(values[ow], best[ow]) ? next : before;
      }
    for (int64_t ow = 0; ow < output; ++ow) best[ow] = better(values[ow], best[ow]) ? values[ow] : best[ow];
  }

  [[gnu::noinline]] static void store(const Lines& of, const RowPosition& p) noexcept {
    const KernelArgs& a = of.a;
    const E* best = of.values(of.rows);
    E* out = reinterpret_cast<E*>(a.output) + p.offset(a.output_strides);
    for (int64_t ow = 0; ow < a.width.output; ++ow) out[ow * a.output_strides[dim_w]] = best[ow];
    if constexpr (kArg) {
      const int64_t origin = index_origin(a, p.n, p.c), at = p.offset(a.index_strides);
      const Place* chosen = of.places(of.rows);
      for (int64_t ow = 0; ow < a.width.output; ++ow) store_index(a, at + ow * a.index_strides[dim_w], origin + chosen[ow]);
    }
  }

  static void pool_plane(const Lines& lines, RowPosition p) noexcept {
    const KernelArgs& a = lines.a;
    const Strides5& s = a.input_strides;
    const int64_t* starts = a.starts_of(p.n, p.c);
    const E* plane = reinterpret_cast<const E*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
    for (int64_t line = 0; line < lines.rows; ++line) lines.pooled[line].row = -1;
    for (p.od = 0; p.od < a.depth.output; ++p.od)
      for (p.oh = 0; p.oh < a.height.output; ++p.oh) {
        const int64_t depth = a.depth.window(p.od, starts).begin, height = a.height.window(p.oh, starts).begin;
        bool nan = false;
        for (int64_t i = 0; i < lines.rows; ++i) {
          const int64_t td = i / a.height.kernel, th = i % a.height.kernel, d = depth + td, h = height + th;
          const int64_t row = d * a.height.input + h, line = d % a.depth.kernel * a.height.kernel + h % a.height.kernel;
          if (Pooled& known = lines.pooled[line]; known.row != row)
            known = {row, pool_row(lines, line, plane + d * s[dim_d] + h * s[dim_h], starts + a.width.starts_at)};
          nan |= lines.pooled[line].nan;
          merge(lines, line, static_cast<Place>(a.index_base == IndexBase::window ? i * a.width.kernel : row * a.width.input), i == 0);
        }
        if (nan)
          max_cells(a, p, 0, a.width.output);
        else
          store(lines, p);
      }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Lines lines(a, tile.scratch);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      RowPosition p;
      p.n = u / a.channels, p.c = u % a.channels;
      pool_plane(lines, p);
    }
  }

  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t rows = g.depth().kernel() * g.height().kernel();
    const int64_t lines = (rows + 1) * line_bytes(g.width().output()) + g.width().input() * static_cast<int64_t>(sizeof(E));
    return lines + rows * static_cast<int64_t>(sizeof(Pooled));
  }
  static Fit fits(const Problem& p) {
    const Geometry& g = p.geometry;
    if (!g.width().is_fractional()) return {"all planes have the same windows"};
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (g.input_plane() > std::numeric_limits<int32_t>::max()) return {"planes have too many cells to number"};
    if (g.window_taps() > most_fractional_bytes || scratch_bytes(p) > most_fractional_bytes) return {"rows of windows do not fit a cache"};
    return {};
  }
  static int64_t grain(const Problem&) { return 1; }
};

constexpr EntryForm form(Op op, Indices indices) {
  return {.name = "fractional", .ops = op, .passes = Pass::forward, .split = Split::planes, .indices = indices};
}

template <class E>
constexpr std::array<KernelEntry, 4> entries_of() {
  return {entry<MaxFractional<E, false, false>, E>(form(Op::max, Indices::absent)),
          entry<MaxFractional<E, true, false>, E>(form(Op::min, Indices::absent)),
          entry<MaxFractional<E, false, true>, E>(form(Op::max, Indices::present)),
          entry<MaxFractional<E, true, true>, E>(form(Op::min, Indices::present))};
}

}  // namespace

std::span<const KernelEntry> max_pool_fractional_kernels(int64_t /*target*/) {
  static constexpr auto table = join(entries_of<float>(), entries_of<double>());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
