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
#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/forward/lines.h"
#include "kernels/lanes-inl.h"
#include "kernels/reduce/argmax-inl.h"
#include "kernels/reduce/line_extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Some lines of the same part of their rows.
template <class T, class N>
struct LineGroup {
  const KernelArgs& a;
  int64_t lines = 0, window_rows = 0;
  const int64_t* inputs = nullptr;  // window_rows for each line, and their numbers
  const int64_t* numbers = nullptr;
  const LineOutput* outputs = nullptr;
  int64_t first_output = 0, output_count = 0;
  int64_t first_column = 0, columns = 0;  // of the input, that the windows reach
  int64_t first_cell = 0;                 // where these columns begin in a line
  T* cells = nullptr;
  N* cell_numbers = nullptr;
  int64_t pitch = 0, phase = 0;
  const int64_t* taps = nullptr;  // where the taps of a line's first window are
  int64_t tap_count = 0, tap_step = 0;
  bool exceeds_caches = false;  // what all of a call reads and writes: prefetching helps then, and costs time otherwise
  bool positions = false;       // numbers are positions in the plane, not taps

  // Windows of 2x2 cells, side by side, with nothing around them, and enough of them for vectors.
  bool has_pairs() const {
    return a.width.stride == 2 && tap_count == 2 && a.width.dilation == 1 && window_rows == 2 && first_cell == 0 &&
           columns == 2 * output_count && columns * static_cast<int64_t>(sizeof(T)) >= 32;
  }
};

// Cells sorted by phases, of strides above 2. Whole vectors are written, and the line behind this one is written later.
template <class U>
HWY_NOINLINE void sort_line(const U* from, int64_t stride, int64_t count, U* to, int64_t phase, int64_t used_phases) {
  const hn::ScalableTag<U> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (sizeof(U) >= 4 && stride == 3) {
    for (int64_t i = 0; i < count; i += lanes) {
      hn::Vec<decltype(d)> v0, v1, v2;
      hn::LoadInterleaved3(d, from + 3 * i, v0, v1, v2);
      hn::StoreU(v0, d, to + i), hn::StoreU(v1, d, to + phase + i), hn::StoreU(v2, d, to + 2 * phase + i);
    }
  } else if (sizeof(U) >= 4 && stride == 4) {
    for (int64_t i = 0; i < count; i += lanes) {
      hn::Vec<decltype(d)> v0, v1, v2, v3;
      hn::LoadInterleaved4(d, from + 4 * i, v0, v1, v2, v3);
      hn::StoreU(v0, d, to + i), hn::StoreU(v1, d, to + phase + i);
      hn::StoreU(v2, d, to + 2 * phase + i), hn::StoreU(v3, d, to + 3 * phase + i);
    }
  } else {
    for (int64_t f = 0; f < used_phases; ++f)
      for (int64_t i = 0; i < count; ++i) to[f * phase + i] = from[i * stride + f];
  }
}

template <class E, bool kNumbered>
struct LineMax {
  using T = Lane<E>;
  using N = NumberOf<T>;
  using D = hn::ScalableTag<T>;
  using Group = LineGroup<T, N>;
  static constexpr int64_t full = static_cast<int64_t>(hn::MaxLanes(D()));
  static constexpr int64_t after = 4 * full;  // cells that may be read or written beyond a line

  // The next shorter vectors: halves down to 8 bytes, then single cells.
  template <class AnyD>
  using Shorter = hn::CappedTag<T, (hn::MaxLanes(AnyD()) * sizeof(T) > 8 ? hn::MaxLanes(AnyD()) / 2 : 1)>;

  // Asks for what the lines a page further on will need.
  static HWY_INLINE void prefetch(const Group& g, const T* row, const T* output) {
    if (!g.exceeds_caches || g.a.height.stride > 64) return;
    const int64_t read = g.columns * g.a.height.stride * static_cast<int64_t>(sizeof(T));
    const int64_t written = g.output_count * static_cast<int64_t>(sizeof(T));
    if (read > 4096) return;
    const uintptr_t from = reinterpret_cast<uintptr_t>(row) + 4096, to = reinterpret_cast<uintptr_t>(output) + 1024;
    for (int64_t i = 0; i < read; i += 64) TIDEPOOL_PREFETCH_READ(from + static_cast<uintptr_t>(i));
    for (int64_t i = 0; i < written; i += 64) TIDEPOOL_PREFETCH_WRITE(to + static_cast<uintptr_t>(i));
  }

  // Where a cell of a line of two phases is.
  static HWY_INLINE int64_t place(int64_t cell, int64_t phase) { return (cell & 1) * phase + (cell >> 1); }

  // Merges the rows of all lines. kRows fixes how many a window has, 0 leaves it open. Returns whether the result may be wrong.
  // If kPairs, windows are pairs of columns and pooled at once, without a line.
  template <int kStride, int kRows, bool kPairs, class AnyD>
  static HWY_NOINLINE bool merge(const Group& g) {
    using Column = ColumnMax<E, AnyD, kNumbered>;
    const AnyD d;
    const hn::Rebind<N, AnyD> dn;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), count = g.columns;
    const hn::Vec<AnyD> mirrored = mirror(d, g.a);
    typename Column::Check check(d);
    for (int64_t l = 0; l < g.lines; ++l) {
      const T* x = reinterpret_cast<const T*>(g.a.input) + g.first_column;
      const int64_t* inputs = g.inputs + l * g.window_rows;
      [[maybe_unused]] const int64_t* numbers = kNumbered ? g.numbers + l * g.window_rows : inputs;
      // Local copies, because stores of cells might change those in memory for all the compiler knows.
      const T* rows[kRows > 0 ? kRows : 1];
      if constexpr (kRows > 0) unrolled<kRows>([&](auto r) HWY_ATTR { rows[r] = x + inputs[r]; });
      const auto column = [&](int64_t at) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
        const auto load = [&](int64_t r) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
          return hn::Xor(hn::LoadU(d, (kRows > 0 ? rows[r] : x + inputs[r]) + at), mirrored);
        };
        Column best(d, load(0), numbers[0]);
        if constexpr (kRows > 0)
          unrolled<kRows - 1>([&](auto r) HWY_ATTR { best.take(d, load(r + 1), numbers[r + 1]); });
        else
          for (int64_t r = 1; r < g.window_rows; ++r) best.take(d, load(r), numbers[r]);
        return best;
      };
      prefetch(g, x + inputs[g.window_rows - 1], reinterpret_cast<const T*>(g.a.output) + g.outputs[l].output);
      T* line = g.cells + l * g.pitch;
      [[maybe_unused]] T* out = reinterpret_cast<T*>(g.a.output) + g.outputs[l].output + g.first_output;
      [[maybe_unused]] N* line_numbers = kNumbered ? g.cell_numbers + l * g.pitch : nullptr;
      if constexpr (kStride == 1 || hn::MaxLanes(AnyD()) == 1) {
        for (int64_t i = 0; i < count; i += lanes) {
          const int64_t at = HWY_MIN(i, count - lanes), cell = g.first_cell + at;
          const int64_t to = kStride == 1 ? cell : place(cell, g.phase);
          Column best = column(at);
          hn::StoreU(best.finish(d, &check), d, line + to);
          if constexpr (kNumbered) hn::StoreU(best.number(), dn, line_numbers + to);
        }
      } else {
        // Columns from `at` on, of which the even ones go to even_to, and the odd ones to odd_to.
        const auto split = [&](int64_t at, int64_t even_to, int64_t odd_to) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
          Column low = column(at), high = column(at + lanes);
          const auto low_cells = low.finish(d, &check), high_cells = high.finish(d, &check);
          const auto evens = concat_even(d, high_cells, low_cells), odds = concat_odd(d, high_cells, low_cells);
          if constexpr (kNumbered) {
            const hn::Vec<decltype(dn)> low_numbers = low.number(), high_numbers = high.number();
            const auto even_numbers = concat_even(dn, high_numbers, low_numbers), odd_numbers = concat_odd(dn, high_numbers, low_numbers);
            if constexpr (kPairs) {
              const auto best = line_max<E>(d, evens, odds);
              const auto first = hn::Min(number_if_best(d, evens, best, even_numbers),
                                         number_if_best(d, odds, best, hn::Add(odd_numbers, hn::Set(dn, static_cast<N>(g.tap_step)))));
              store_numbers(d, first, g, g.outputs[l], at / 2);
            } else {
              hn::StoreU(even_numbers, dn, line_numbers + even_to);
              hn::StoreU(odd_numbers, dn, line_numbers + odd_to);
            }
          }
          if constexpr (kPairs) {
            hn::StoreU(hn::Xor(from_line<E>(d, line_max<E>(d, evens, odds)), mirrored), d, out + at / 2);
          } else {
            hn::StoreU(evens, d, line + even_to);
            hn::StoreU(odds, d, line + odd_to);
          }
        };
        int64_t even = place(g.first_cell, g.phase), odd = place(g.first_cell + 1, g.phase), at = 0;
        for (; at + 2 * lanes <= count; at += 2 * lanes, even += lanes, odd += lanes) split(at, even, odd);
        // The last columns overlap those before; they may begin in the other phase.
        const int64_t last = count - 2 * lanes, cell = g.first_cell + last;
        if (at < count) split(last, place(cell, g.phase), place(cell + 1, g.phase));
      }
    }
    return check.failed(d);
  }

  // By the longest vectors that the rows have cells for.
  template <int kStride, class AnyD>
  static bool merge_by(const Group& g) {
    constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(AnyD()));
    if constexpr (lanes > 1)
      if (g.columns < kStride * lanes) return merge_by<kStride, Shorter<AnyD>>(g);
    if constexpr (kStride == 2 && lanes * sizeof(T) >= 16)
      if (g.has_pairs()) return merge<2, 2, true, AnyD>(g);
    if constexpr (lanes * sizeof(T) >= 32 || lanes == full) {
      if (g.window_rows == 2) return merge<kStride, 2, false, AnyD>(g);
      if (g.window_rows == 3) return merge<kStride, 3, false, AnyD>(g);
    }
    return merge<kStride, 0, false, AnyD>(g);
  }

  struct Unsorted {
    T* cells;
    N* numbers;
  };
  static bool merge_lines(const Group& g, const Unsorted& unsorted) {
    using U = hwy::MakeUnsigned<T>;
    const int64_t stride = g.a.width.stride;
    if (stride == 1) return merge_by<1, D>(g);
    if (stride == 2) return merge_by<2, D>(g);
    bool failed = false;
    Group one = g;
    one.lines = 1, one.cells = unsorted.cells, one.cell_numbers = unsorted.numbers;
    const int64_t used = HWY_MIN(stride, (g.tap_count - 1) * g.a.width.dilation + 1);
    for (int64_t l = 0; l < g.lines; ++l) {
      one.inputs = g.inputs + l * g.window_rows, one.outputs = g.outputs + l;
      if constexpr (kNumbered) one.numbers = g.numbers + l * g.window_rows;
      failed |= merge_by<1, D>(one);
      sort_line(reinterpret_cast<const U*>(unsorted.cells), stride, g.pitch, reinterpret_cast<U*>(g.cells + l * g.pitch), g.phase, used);
      if constexpr (kNumbered)
        sort_line(reinterpret_cast<const U*>(unsorted.numbers), stride, g.pitch, reinterpret_cast<U*>(g.cell_numbers + l * g.pitch),
                  g.phase, used);
    }
    return failed;
  }

  template <class AnyD, class DN = hn::Rebind<N, AnyD>>
  static HWY_INLINE hn::Vec<DN> number_if_best(AnyD, hn::Vec<AnyD> cell, hn::Vec<AnyD> best, hn::Vec<DN> number) {
    const auto none = hn::Set(DN(), std::numeric_limits<N>::max());
    return hn::IfThenElse(hn::RebindMask(DN(), hn::Eq(cell, best)), number, none);
  }

  // Positions relative to `start`, as 64-bit integers.
  template <class DN>
  static HWY_INLINE void store_positions(DN dn, hn::Vec<DN> positions, int64_t start, int64_t* out, int64_t step) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(dn));
    N few[hn::MaxLanes(DN())];
    if (step != 1) {
      hn::StoreU(positions, dn, few);
      for (int64_t j = 0; j < lanes; ++j) out[j * step] = start + static_cast<int64_t>(few[j]);
    } else if constexpr (sizeof(N) == 8) {
      hn::StoreU(hn::Add(positions, hn::Set(dn, start)), dn, out);
    } else if constexpr (sizeof(N) == 4) {
      const hn::CappedTag<int64_t, hn::MaxLanes(DN())> wide;
      hn::StoreU(positions, dn, few);
      for (int64_t j = 0; j < lanes; j += static_cast<int64_t>(hn::Lanes(wide)))
        hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::LoadU(hn::Rebind<N, decltype(wide)>(), few + j)), hn::Set(wide, start)), wide, out + j);
    }
  }

  // Results `at` and further of a line.
  template <class AnyD>
  static HWY_INLINE void store_numbers(AnyD, hn::Vec<hn::Rebind<N, AnyD>> numbers, const Group& g, const LineOutput& to, int64_t at) {
    [[maybe_unused]] const hn::Rebind<N, AnyD> dn;
    const hn::RebindToUnsigned<AnyD> du;
    const int64_t step = g.a.index_strides[dim_w], index = to.index + (g.first_output + at) * step;
    const int64_t start = to.plane_start + (g.first_output + at) * g.a.width.stride;
    if constexpr (sizeof(N) >= 4)
      if (g.positions)
        return store_positions(dn, hn::Add(numbers, hn::Mul(hn::Iota(dn, 0), hn::Set(dn, static_cast<N>(g.a.width.stride)))), start,
                               reinterpret_cast<int64_t*>(g.a.index) + index, step);
    store_winners(du, hn::BitCast(du, numbers), g.a, index, step, start, g.a.width.stride);
  }

  // The maxima of `count` windows that follow each other from `line` on. kTaps fixes how many cells they have, 0 leaves it open.
  template <int kTaps, class AnyD>
  static HWY_NOINLINE void pool(const Group& g, const T* line, const N* line_numbers, int64_t count, const LineOutput& to) {
    const AnyD d;
    const hn::Rebind<N, AnyD> dn;
    constexpr int held = kTaps > 0 ? kTaps : 1;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t taps[held];
    unrolled<held>([&](auto t) HWY_ATTR { taps[t] = g.taps[t]; });
    const hn::Vec<AnyD> mirrored = mirror(d, g.a);
    const auto none = hn::Set(dn, std::numeric_limits<N>::max());
    T* out = reinterpret_cast<T*>(g.a.output) + to.output + g.first_output;
    for (int64_t i = 0; i < count; i += lanes) {
      const int64_t at = HWY_MIN(i, count - lanes);
      Held<AnyD> cells[held];
      const auto load = [&](int64_t t)
                            HWY_ATTR TIDEPOOL_INLINE_LAMBDA { return hn::LoadU(d, line + (kTaps > 0 ? taps[t] : g.taps[t]) + at); };
      auto best = load(0);
      if constexpr (kTaps > 0) {
        cells[0] = best;
        unrolled<kTaps - 1>([&](auto t) HWY_ATTR {
          cells[t + 1] = load(t + 1);
          best = line_max<E>(d, best, vector_of(d, cells[t + 1]));
        });
      } else {
        for (int64_t t = 1; t < g.tap_count; ++t) best = line_max<E>(d, best, load(t));
      }
      hn::StoreU(hn::Xor(from_line<E>(d, best), mirrored), d, out + at);
      if constexpr (kNumbered) {
        // Of the cells that hold the maximum, the first one of the window has the lowest number.
        auto first = none;
        const auto take = [&](int64_t t, hn::Vec<AnyD> cell) HWY_ATTR TIDEPOOL_INLINE_LAMBDA {
          const auto number =
              hn::Add(hn::LoadU(dn, line_numbers + (kTaps > 0 ? taps[t] : g.taps[t]) + at), hn::Set(dn, static_cast<N>(t * g.tap_step)));
          first = hn::Min(first, number_if_best(d, cell, best, number));
        };
        if constexpr (kTaps > 0) {
          unrolled<kTaps>([&](auto t) HWY_ATTR { take(t, cells[t]); });
        } else if (g.tap_count == 1) {  // also for a NaN, which is not equal to itself
          first = hn::LoadU(dn, line_numbers + g.taps[0] + at);
        } else {
          for (int64_t t = 0; t < g.tap_count; ++t) take(t, load(t));
        }
        store_numbers(d, first, g, to, at);
      }
    }
  }

  template <class AnyD>
  static void pool_by(const Group& g, const T* line, const N* line_numbers, int64_t count, const LineOutput& to) {
    constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(AnyD()));
    if constexpr (lanes > 1)
      if (count < lanes) return pool_by<Shorter<AnyD>>(g, line, line_numbers, count, to);
    if constexpr (lanes * sizeof(T) >= 32 || lanes == full) {
      if (g.tap_count == 2) return pool<2, AnyD>(g, line, line_numbers, count, to);
      if (g.tap_count == 3) return pool<3, AnyD>(g, line, line_numbers, count, to);
    }
    pool<0, AnyD>(g, line, line_numbers, count, to);
  }

  // Whether the results of all lines are adjacent, and cells too.
  static bool are_adjacent(const Group& g) {
    if (g.output_count != g.pitch || (kNumbered && (g.a.index_base != IndexBase::window || g.a.index_strides[dim_w] != 1))) return false;
    for (int64_t l = 1; l < g.lines; ++l) {
      if (g.outputs[l].output - g.outputs[l - 1].output != g.pitch) return false;
      if (kNumbered && g.outputs[l].index - g.outputs[l - 1].index != g.pitch) return false;
    }
    return true;
  }
  static void pool_lines(const Group& g) {
    if (are_adjacent(g)) return pool_by<D>(g, g.cells, g.cell_numbers, g.lines * g.pitch, g.outputs[0]);
    for (int64_t l = 0; l < g.lines; ++l)
      pool_by<D>(g, g.cells + l * g.pitch, kNumbered ? g.cell_numbers + l * g.pitch : nullptr, g.output_count, g.outputs[l]);
  }

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
        merge_lines(row, unsorted);
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
      pool_by<D>(result, best, best_numbers, g.output_count, g.outputs[l]);
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
        const bool failed = merge_lines(g, unsorted);
        if constexpr (cell_kind<E> != CellKind::integer)
          if (HWY_UNLIKELY(failed)) {
            pool_exactly(g, unsorted, at(z.best, t), at(z.best_numbers, n));
            continue;
          }
        if (!g.has_pairs()) pool_lines(g);
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
