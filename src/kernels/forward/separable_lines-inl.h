// Loops over lines of scratch that the separable kernels are made of. Included once per target, inside foreach_target.
//
// Every line has room for a vector behind its last element, so that loops need no remainders. A line has values, and where the kernel
// stores indices also positions: numbers that stand for the cell that a value came from.
#if defined(TIDEPOOL_SEPARABLE_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SEPARABLE_LINES_INL_H_
#undef TIDEPOOL_SEPARABLE_LINES_INL_H_
#else
#define TIDEPOOL_SEPARABLE_LINES_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/held-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rule: better<kNan>(d, a, b), what a and b, which comes after a, give together; with positions also replaces<kNan>(d, a, b), whether it
// is b. kNan says how NaN is recognised, if at all.
template <class Rule, class Element, bool kPositions>
struct SeparableLines {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using DP = hn::RebindToUnsigned<D>;
  using Position = hn::TFromD<DP>;
  static constexpr bool has_positions = kPositions;

  struct ValueLine {
    T* values = nullptr;
    ValueLine at(int64_t i) const noexcept { return {values + i}; }
  };
  struct PositionLine {
    T* values = nullptr;
    Position* positions = nullptr;
    PositionLine at(int64_t i) const noexcept { return {values + i, positions + i}; }
  };
  using Line = std::conditional_t<kPositions, PositionLine, ValueLine>;
  static Line line(T* values, [[maybe_unused]] Position* positions) noexcept {
    if constexpr (kPositions)
      return {values, positions};
    else
      return {values};
  }

  // Lines that are joined element by element, from first to last.
  struct Parts {
    Line lines[4];
    int count = 0;
  };
  static Parts four(const Line& from, int64_t b, int64_t c, int64_t d) { return {{from, from.at(b), from.at(c), from.at(d)}, 4}; }
  static Parts two(const Line& a, const Line& b) { return {{a, b}, 2}; }
  static Parts one(const Line& a) { return {{a}, 1}; }

  // to[i] = what all parts give together. `to` may be the first part. `base` is added to the positions.
  template <auto kNan>
  static void join(const Parts& parts, const Line& to, int64_t count, int64_t base = 0) {
    if (parts.count == 4) return join_some<kNan, 4, false>(parts, to, to, to, count, base);
    if (parts.count == 2) return join_some<kNan, 2, false>(parts, to, to, to, count, base);
    return join_some<kNan, 1, false>(parts, to, to, to, count, base);
  }
  // The same, and head[i] = before[i] and that together.
  template <auto kNan>
  static void join_and_add(const Parts& parts, const Line& to, const Line& before, const Line& head, int64_t count, int64_t base = 0) {
    if (parts.count == 4) return join_some<kNan, 4, true>(parts, to, before, head, count, base);
    if (parts.count == 2) return join_some<kNan, 2, true>(parts, to, before, head, count, base);
    return join_some<kNan, 1, true>(parts, to, before, head, count, base);
  }

  static void fill(T value, T* to, int64_t count) {
    const D d;
    for (int64_t i = 0; i < count; i += static_cast<int64_t>(hn::Lanes(d))) hn::StoreU(hn::Set(d, value), d, to + i);
  }

  // Moves every `stride`-th column to the front.
  static void keep_every(const Line& line, int64_t stride, int64_t columns, int64_t pitch) {
    for (int64_t o = 0; o < columns; ++o)
      for (int64_t c = 0; c < pitch; ++c) {
        line.values[o * pitch + c] = line.values[o * stride * pitch + c];
        if constexpr (kPositions) line.positions[o * pitch + c] = line.positions[o * stride * pitch + c];
      }
  }

 private:
  struct Cell {
    Held<D> value;
    Held<DP> position;
  };

  static HWY_INLINE Cell load(const Line& line, int64_t i) {
    Cell cell{hn::LoadU(D(), line.values + i), {}};
    if constexpr (kPositions) cell.position = hn::LoadU(DP(), line.positions + i);
    return cell;
  }
  static HWY_INLINE void store(const Cell& cell, const Line& line, int64_t i) {
    hn::StoreU(vector_of(D(), cell.value), D(), line.values + i);
    if constexpr (kPositions) hn::StoreU(vector_of(DP(), cell.position), DP(), line.positions + i);
  }
  template <auto kNan>
  static HWY_INLINE Cell join_cells(const Cell& a, const Cell& b) {
    const D d;
    const hn::Vec<D> first = a.value, second = b.value;
    Cell cell{Rule::template better<kNan>(d, first, second), {}};
    if constexpr (kPositions) {
      const auto replaces = hn::RebindMask(DP(), Rule::template replaces<kNan>(d, first, second));
      cell.position = hn::IfThenElse(replaces, vector_of(DP(), b.position), vector_of(DP(), a.position));
    }
    return cell;
  }

  template <auto kNan, int kParts, bool kHead>
  static HWY_NOINLINE void join_some(const Parts& parts, const Line to, const Line before, const Line head, int64_t count, int64_t base) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
    const Line a = parts.lines[0], b = parts.lines[1], c = parts.lines[2], d = parts.lines[3];
    const auto bases = hn::Set(DP(), static_cast<Position>(base));
    const auto finish = [&](Cell cell, int64_t i) HWY_ATTR {
      if constexpr (kPositions) cell.position = hn::Add(vector_of(DP(), cell.position), bases);
      store(cell, to, i);
      if constexpr (kHead) store(join_cells<kNan>(load(before, i), cell), head, i);
    };
    if constexpr (kParts == 4) {
      // Parts that are whole vectors apart, and all equally far, share their elements: each is loaded once, and each pair joined once. The
      // loop over a few of them would not pay.
      const int64_t gap = b.values - a.values;
      if (gap > 0 && gap % lanes == 0 && count >= 24 * gap && c.values - b.values == gap && d.values - c.values == gap) {
        for (int64_t first = 0; first < std::min(gap, count); first += lanes) {
          const Cell second = load(a, first + gap);
          Cell third = load(a, first + 2 * gap), left = join_cells<kNan>(load(a, first), second), middle = join_cells<kNan>(second, third);
          for (int64_t i = first; i < count; i += gap) {
            const Cell fourth = load(a, i + 3 * gap), right = join_cells<kNan>(third, fourth);
            finish(join_cells<kNan>(left, right), i);
            left = middle, middle = right, third = fourth;
          }
        }
        return;
      }
    }
    for (int64_t i = 0; i < count; i += lanes) {
      Cell cell = load(a, i);
      if constexpr (kParts >= 2) cell = join_cells<kNan>(cell, load(b, i));
      if constexpr (kParts == 4) cell = join_cells<kNan>(cell, join_cells<kNan>(load(c, i), load(d, i)));
      finish(cell, i);
    }
  }
};

// Addresses `ahead` elements from here, not pointers: they may be beyond the array, where prefetching does nothing.
template <class M>
HWY_INLINE uintptr_t address(const M* here, int64_t ahead) {
  return reinterpret_cast<uintptr_t>(here) + static_cast<uintptr_t>(ahead) * sizeof(M);
}

// Elements of memory as vectors of a line's type: `vector(from, to)` converts as many as D has lanes. Runs shorter than that go through a
// buffer; of longer ones, the last vector overlaps its neighbour. Writes up to a vector to `to`, whatever the count.
template <class D, class M, class Vector>
HWY_INLINE void read_run(D d, const M* from, hn::TFromD<D>* to, int64_t count, const Vector& vector) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (count >= lanes) {
    for (int64_t i = 0; i < count; i += lanes) vector(from + std::min(i, count - lanes), to + std::min(i, count - lanes));
  } else if (count > 0) {
    M buffer[hn::MaxLanes(D())];
    for (int64_t i = 0; i < lanes; ++i) buffer[i] = from[std::min(i, count - 1)];
    vector(buffer, to);
  }
}
// The same from a line to memory, where exactly `count` elements are written.
template <class D, class M, class Vector>
HWY_INLINE void write_run(D d, const hn::TFromD<D>* from, M* to, int64_t count, const Vector& vector) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (count >= lanes) {
    for (int64_t i = 0; i < count; i += lanes) vector(from + std::min(i, count - lanes), to + std::min(i, count - lanes));
  } else if (count > 0) {
    M buffer[hn::MaxLanes(D())];
    vector(from, buffer);
    std::copy_n(buffer, count, to);
  }
}

// The cells of a row, `step` elements apart, of which each gives `pitch` elements: in one run, or cell by cell. Single elements that are
// not adjacent are collected first.
template <class D, class M, class Vector>
HWY_INLINE void read_cells(D d, const M* from, int64_t step, int64_t cells, int64_t pitch, hn::TFromD<D>* to, const Vector& vector) {
  if (step == pitch) return read_run(d, from, to, cells * pitch, vector);
  if (pitch > 1) {
    for (int64_t i = 0; i < cells; ++i) read_run(d, from + i * step, to + i * pitch, pitch, vector);
    return;
  }
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  M buffer[hn::MaxLanes(D())];
  for (int64_t i = 0; i < cells; i += lanes) {
    for (int64_t j = 0; j < lanes; ++j) buffer[j] = from[std::min(i + j, cells - 1) * step];
    vector(buffer, to + i);
  }
}
template <class D, class M, class Vector>
HWY_INLINE void write_cells(D d, const hn::TFromD<D>* from, M* to, int64_t step, int64_t cells, int64_t pitch, const Vector& vector) {
  if (step == pitch) return write_run(d, from, to, cells * pitch, vector);
  if (pitch > 1) {
    for (int64_t i = 0; i < cells; ++i) write_run(d, from + i * pitch, to + i * step, pitch, vector);
    return;
  }
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  M buffer[hn::MaxLanes(D())];
  for (int64_t i = 0; i < cells; i += lanes) {
    vector(from + i, buffer);
    for (int64_t j = 0; j < std::min(lanes, cells - i); ++j) to[(i + j) * step] = buffer[j];
  }
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
