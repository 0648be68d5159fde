// Lines that have been merged are pooled: the maxima of neighbouring cells, a vector of windows at once. Included once per target, inside
// foreach_target.
#if defined(TIDEPOOL_LINE_POOL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_LINE_POOL_INL_H_
#undef TIDEPOOL_LINE_POOL_INL_H_
#else
#define TIDEPOOL_LINE_POOL_INL_H_
#endif

#include <limits>

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

template <class E, bool kNumbered>
struct LinePool {
  using T = Lane<E>;
  using N = NumberOf<T>;
  using D = hn::ScalableTag<T>;
  using Group = LineGroup<T, N>;
  static constexpr int64_t full = static_cast<int64_t>(hn::MaxLanes(D()));

  // The next shorter vectors: halves down to 8 bytes, then single cells.
  template <class AnyD>
  using Shorter = hn::CappedTag<T, (hn::MaxLanes(AnyD()) * sizeof(T) > 8 ? hn::MaxLanes(AnyD()) / 2 : 1)>;

  template <class AnyD, class DN = hn::Rebind<N, AnyD>>
  static HWY_INLINE hn::Vec<DN> number_if_best(AnyD, hn::Vec<AnyD> cell, hn::Vec<AnyD> best, hn::Vec<DN> number) {
    const auto none = hn::Set(DN(), std::numeric_limits<N>::max());
    return hn::IfThenElse(hn::RebindMask(DN(), hn::Eq(cell, best)), number, none);
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
};

#endif  // one lane cannot be shuffled

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
