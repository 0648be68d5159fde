// The loops of the separable kernels over lines of scratch. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_SEPARABLE_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SEPARABLE_LINES_INL_H_
#undef TIDEPOOL_SEPARABLE_LINES_INL_H_
#else
#define TIDEPOOL_SEPARABLE_LINES_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/forward/separable.h"
#include "kernels/held-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rule: better<kOrder>(d, a, b), what a and b, which comes after a, give together; with positions also replaces<kOrder>(d, a, b), whether
// it is b.
template <class Rule, class T, bool kPositions>
class SeparableLines {
  using D = hn::ScalableTag<T>;
  using DP = hn::RebindToUnsigned<D>;
  using Position = hn::TFromD<DP>;

 public:
  // SeparableCode::join
  template <auto kOrder>
  static constexpr SeparableCode::Joins joins() {
    return {join<kOrder, 1, false>, join<kOrder, 2, false>, join<kOrder, 4, false>,
            join<kOrder, 1, true>,  join<kOrder, 2, true>,  join<kOrder, 4, true>};
  }

  static void fill(T value, std::byte* to, int64_t count) {
    const D d;
    for (int64_t i = 0; i < count; i += static_cast<int64_t>(hn::Lanes(d))) hn::StoreU(hn::Set(d, value), d, reinterpret_cast<T*>(to) + i);
  }

 private:
  // The pointers that are needed, one by one: the caller has just stored them so, and wider loads would wait for its stores.
  struct Line {
    T* values;
    Position* positions = nullptr;
    explicit HWY_INLINE Line(const SeparableLine& line) : values(reinterpret_cast<T*>(line.values)) {
      if constexpr (kPositions) positions = reinterpret_cast<Position*>(line.positions);
    }
  };
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
  template <auto kOrder>
  static HWY_INLINE Cell join_cells(const Cell& a, const Cell& b) {
    const D d;
    const hn::Vec<D> first = a.value, second = b.value;
    Cell cell{Rule::template better<kOrder>(d, first, second), {}};
    if constexpr (kPositions) {
      const auto replaces = hn::RebindMask(DP(), Rule::template replaces<kOrder>(d, first, second));
      cell.position = hn::IfThenElse(replaces, vector_of(DP(), b.position), vector_of(DP(), a.position));
    }
    return cell;
  }

  template <auto kOrder, int kParts, bool kHead>
  static void join(const SeparableParts& parts, const SeparableLine& joined, const SeparableLine& head_before,
                   const SeparableLine& head_after, int64_t count, int64_t base) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
    const Line a(parts.lines[0]), b(parts.lines[kParts > 1 ? 1 : 0]), c(parts.lines[kParts > 2 ? 2 : 0]),
        d(parts.lines[kParts > 2 ? 3 : 0]);
    const Line to(joined), before(head_before), head(head_after);
    const auto bases = hn::Set(DP(), static_cast<Position>(base));
    const auto finish = [&](Cell cell, int64_t i) HWY_ATTR {
      if constexpr (kPositions) cell.position = hn::Add(vector_of(DP(), cell.position), bases);
      store(cell, to, i);
      if constexpr (kHead) store(join_cells<kOrder>(load(before, i), cell), head, i);
    };
    if constexpr (kParts == 4) {
      // Parts that are whole vectors apart, and all equally far, share their elements: each is loaded once, and each pair joined once. The
      // loop over a few of them would not pay.
      const int64_t gap = b.values - a.values;
      if (gap > 0 && gap % lanes == 0 && count >= 24 * gap && c.values - b.values == gap && d.values - c.values == gap) {
        for (int64_t first = 0; first < gap; first += lanes) {
          const Cell second = load(a, first + gap);
          Cell third = load(a, first + 2 * gap), left = join_cells<kOrder>(load(a, first), second);
          Cell middle = join_cells<kOrder>(second, third);
          for (int64_t i = first; i < count; i += gap) {
            const Cell fourth = load(a, i + 3 * gap), right = join_cells<kOrder>(third, fourth);
            finish(join_cells<kOrder>(left, right), i);
            left = middle, middle = right, third = fourth;
          }
        }
        return;
      }
    }
    for (int64_t i = 0; i < count; i += lanes) {
      Cell cell = load(a, i);
      if constexpr (kParts >= 2) cell = join_cells<kOrder>(cell, load(b, i));
      if constexpr (kParts == 4) cell = join_cells<kOrder>(cell, join_cells<kOrder>(load(c, i), load(d, i)));
      finish(cell, i);
    }
  }
};

// Cells of `count` adjacent elements, a vector at a time: convert(from, to) to a line, convert(i, to) from one. Cells shorter than a vector
// go through a buffer; of longer ones, the last vector overlaps its neighbour. Steps are in bytes.
template <class D, class M, class Convert>
HWY_INLINE void load_cells(D d, const M* from, int64_t step, int64_t cells, int64_t count, hn::TFromD<D>* to, const Convert& convert) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; cells > 0; --cells, to += count, from = reinterpret_cast<const M*>(reinterpret_cast<const std::byte*>(from) + step)) {
    if (count < lanes) {
      M buffer[hn::MaxLanes(D())];
      for (int64_t i = 0; i < lanes; ++i) buffer[i] = from[std::min(i, count - 1)];
      convert(buffer, to);
      continue;
    }
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) convert(from + i, to + i);
    if (i < count) convert(from + count - lanes, to + count - lanes);
  }
}
template <class D, class M, class Convert>
HWY_INLINE void store_cells(D d, M* to, int64_t step, int64_t cells, int64_t count, const Convert& convert) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t at = 0; at < cells * count; at += count, to = reinterpret_cast<M*>(reinterpret_cast<std::byte*>(to) + step)) {
    if (count < lanes) {
      M buffer[hn::MaxLanes(D())];
      convert(at, buffer);
      std::copy_n(buffer, count, to);
      continue;
    }
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) convert(at + i, to + i);
    if (i < count) convert(at + count - lanes, to + count - lanes);
  }
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
