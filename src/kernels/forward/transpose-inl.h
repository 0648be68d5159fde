// Transposes planes in memory: a vector then holds the same cell of several planes. Included once per target, inside foreach_target.
//
//   planes   a0 a1 a2 a3 …   b0 b1 b2 b3 …   c0 …   d0 …        transposed   a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 …
#if defined(TIDEPOOL_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_TRANSPOSE_INL_H_
#undef TIDEPOOL_TRANSPOSE_INL_H_
#else
#define TIDEPOOL_TRANSPOSE_INL_H_
#endif

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/held-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_transposed = 64;  // planes at once

// Where some planes begin, and how their cells follow each other. Planes beyond the last one are the last one again.
template <class T>
struct PlaneTable {
  T* planes[most_transposed];
  int64_t width;
  int64_t rows = 1, row_cells = 1;  // adjacent cells
  int64_t depth_step = 0, row_step = 0, cell_step = 1, rows_per_slice = 1;

  PlaneTable(const KernelArgs& a, T* data, const Strides5& s, int64_t d, int64_t h, int64_t w, int64_t first, int64_t end, int64_t count)
      : width(count), rows(d * h), row_cells(w), depth_step(s[dim_d]), row_step(s[dim_h]), cell_step(s[dim_w]), rows_per_slice(h) {
    int64_t n = first / a.channels, c = first % a.channels;
    for (int64_t i = 0; i < count; ++i) {
      planes[i] = data + n * s[dim_n] + c * s[dim_c];
      if (first + i + 1 >= end) continue;
      if (++c == a.channels) c = 0, ++n;
    }
    // A plane without gaps is one row.
    if (w > 1 && cell_step != 1) return;
    cell_step = 1;
    if ((h > 1 && row_step != w) || (d > 1 && depth_step != h * w)) return;
    row_cells = rows * w;
    rows = rows_per_slice = 1;
  }
  int64_t row_offset(int64_t row) const noexcept { return row / rows_per_slice * depth_step + row % rows_per_slice * row_step; }
};

// Transposes every block of 16 bytes among kCount vectors that hold kCount cells each. Riffling halves log2(kCount) times does it:
//
//   a0 a1 a2 a3   b0 b1 b2 b3   c0 …   d0 …      lower and upper halves of (a, c) and (b, d):
//   a0 c0 a1 c1   a2 c2 a3 c3   b0 d0 b1 d1 …    and once more:
//   a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 c2 d2   a3 b3 c3 d3
template <int kCount, class D>
HWY_INLINE void transpose_blocks(D d, Held<D>* HWY_RESTRICT v) {
  Held<D> t[kCount];
  const auto riffle = [&](const Held<D>* from, Held<D>* to) HWY_ATTR {
    unrolled<kCount / 2>([&](auto i) HWY_ATTR {
      to[2 * i] = hn::InterleaveLower(d, vector_of(d, from[i]), vector_of(d, from[i + kCount / 2]));
      to[2 * i + 1] = hn::InterleaveUpper(d, vector_of(d, from[i]), vector_of(d, from[i + kCount / 2]));
    });
  };
  constexpr int rounds = kCount == 2 ? 1 : kCount == 4 ? 2 : kCount == 8 ? 3 : 4;
  riffle(v, t);
  if constexpr (rounds > 1) riffle(t, v);
  if constexpr (rounds > 2) riffle(v, t);
  if constexpr (rounds > 3) riffle(t, v);
  if constexpr (rounds % 2 == 1) unrolled<kCount>([&](auto i) HWY_ATTR { v[i] = t[i]; });
}

// A vector whose blocks of 16 bytes are cells of different planes: every 16 / sizeof(T)-th. The lanes of a half are half of those of the
// whole vector: for SVE, Highway 1.0's MaxLanes of a half tag gives a quarter.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_blocks(D d, T* const* planes, int64_t at) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= 16) {
    return hn::LoadU(d, planes[0] + at);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, planes + hn::MaxLanes(D()) / 2, at), load_blocks(half, planes, at));
  }
}

template <class D, class T>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, T* const* planes, int64_t at) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= 16) {
    hn::StoreU(v, d, planes[0] + at);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), planes, at);
    store_blocks(half, hn::UpperHalf(half, v), planes + hn::MaxLanes(D()) / 2, at);
  }
}

enum class Direction : uint8_t { in, out };

// One row of as many planes as a vector has lanes. `transposed` is their first cell, cells of it are `width` apart.
template <Direction kDirection, class D, class T, class P>
HWY_INLINE void transpose_row(D d, T* const* planes, int64_t offset, int64_t cells, int64_t width, P* transposed) {
  constexpr int block = static_cast<int>(16 / sizeof(T));
  if (cells < block) {
    for (int64_t i = 0; i < cells; ++i)
      for (size_t p = 0; p < hn::MaxLanes(D()); ++p) {
        if constexpr (kDirection == Direction::in)
          transposed[i * width + static_cast<int64_t>(p)] = planes[p][offset + i];
        else
          planes[p][offset + i] = transposed[i * width + static_cast<int64_t>(p)];
      }
    return;
  }
  // Sixteen streams and more are too many for the processor to follow: in turn, a quarter of the planes at every step of 16 bytes, their
  // next lines are asked for. Addresses, not pointers: they may lie beyond the arrays, where prefetching does nothing.
  constexpr size_t quarter = HWY_MAX(hn::MaxLanes(D()) / 4, 1);
  const uintptr_t ahead = static_cast<uintptr_t>(
      cells * static_cast<int64_t>(sizeof(T)) > 1024 ? 256 : (planes[hn::MaxLanes(D()) - 1] - planes[0]) * static_cast<int64_t>(sizeof(T)));
  size_t turn = 0;
  for (int64_t next = 0; next < cells; next += block) {
    const int64_t i = HWY_MIN(next, cells - block);
    for (size_t p = 0; p < quarter; ++p) {
      const uintptr_t next_line = reinterpret_cast<uintptr_t>(planes[turn + p] + offset + i) + ahead;
      if constexpr (kDirection == Direction::in)
        TIDEPOOL_PREFETCH_READ(next_line);
      else
        TIDEPOOL_PREFETCH_WRITE(next_line);
    }
    turn = (turn + quarter) % hn::MaxLanes(D());
    Held<D> v[block];
    if constexpr (kDirection == Direction::in) {
      unrolled<block>([&](auto r) HWY_ATTR { v[r] = load_blocks(d, planes + r, offset + i); });
      transpose_blocks<block>(d, v);
      unrolled<block>([&](auto r) HWY_ATTR { hn::StoreU(v[r], d, transposed + (i + r) * width); });
    } else {
      unrolled<block>([&](auto r) HWY_ATTR { v[r] = hn::LoadU(d, transposed + (i + r) * width); });
      transpose_blocks<block>(d, v);
      unrolled<block>([&](auto r) HWY_ATTR { store_blocks(d, v[r], planes + r, offset + i); });
    }
  }
}

template <Direction kDirection, class T, class P>
HWY_NOINLINE void transpose_planes(const PlaneTable<T>& table, P* transposed) {
  using U = std::remove_const_t<T>;
  const hn::ScalableTag<U> d;
  const hn::CappedTag<U, 16 / sizeof(U)> small;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), few = 16 / static_cast<int64_t>(sizeof(U)), width = table.width;
  const int64_t step = table.cell_step != 1 ? 1 : width % lanes == 0 ? lanes : width % few == 0 ? few : 1;
  for (int64_t p = 0; p < width; p += step)
    for (int64_t row = 0; row < table.rows; ++row) {
      const int64_t offset = table.row_offset(row);
      P* to = transposed + row * table.row_cells * width + p;
      if (step == lanes) {
        transpose_row<kDirection>(d, table.planes + p, offset, table.row_cells, width, to);
      } else if (step == few) {
        transpose_row<kDirection>(small, table.planes + p, offset, table.row_cells, width, to);
      } else {
        for (int64_t i = 0; i < table.row_cells; ++i) {
          if constexpr (kDirection == Direction::in)
            to[i * width] = table.planes[p][offset + i * table.cell_step];
          else
            table.planes[p][offset + i * table.cell_step] = to[i * width];
        }
      }
    }
}

#endif  // one lane has nothing to transpose

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
