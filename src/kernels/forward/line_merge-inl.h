// The rows under a row of windows are merged into one line, and its cells sorted by phases, see lines.h. Included once per target, inside
// foreach_target.
#if defined(TIDEPOOL_LINE_MERGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LINE_MERGE_INL_H_
#undef TIDEPOOL_LINE_MERGE_INL_H_
#else
#define TIDEPOOL_LINE_MERGE_INL_H_
#endif

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/forward/line_pool-inl.h"
#include "kernels/forward/lines.h"
#include "kernels/lanes-inl.h"
#include "kernels/reduce/line_extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

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
struct LineMerge {
  using Pool = LinePool<E, kNumbered>;
  using T = typename Pool::T;
  using N = typename Pool::N;
  using D = typename Pool::D;
  using Group = typename Pool::Group;
  static constexpr int64_t full = Pool::full;

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
              const auto first =
                  hn::Min(Pool::number_if_best(d, evens, best, even_numbers),
                          Pool::number_if_best(d, odds, best, hn::Add(odd_numbers, hn::Set(dn, static_cast<N>(g.tap_step)))));
              Pool::store_numbers(d, first, g, g.outputs[l], at / 2);
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
      if (g.columns < kStride * lanes) return merge_by<kStride, typename Pool::template Shorter<AnyD>>(g);
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
};

#endif  // one lane cannot be shuffled

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
