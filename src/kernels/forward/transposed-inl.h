// The transposed traversal, for planes too small, strides too wide or windows too irregular to put neighbouring columns into vectors:
// several planes are transposed into scratch, so that a vector holds the same cell of each of them, pooled there by a kernel for
// adjacent channels, and transposed back. Included once per target, inside foreach_target.
//
//   planes   a0 a1 a2 a3 …   b0 b1 b2 b3 …   c0 …   d0 …        transposed   a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 …
#if defined(TIDEPOOL_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_PACKED_INL_H_
#undef TIDEPOOL_PACKED_INL_H_
#else
#define TIDEPOOL_PACKED_INL_H_
#endif

#include <utility>

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/held-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_transposed = 64;             // planes at once
inline constexpr int64_t most_transposed_bytes = 1 << 18;  // of scratch: a core's own cache
inline constexpr int64_t l1_transposed_bytes = 3 << 13;    // of the nearest cache

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

// What is done to T's, whatever pools them. T is unsigned, bits are only moved.
template <class T>
struct TransposedPlanes {
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));

  // Cells along depth, height and width.
  struct Cells {
    int64_t d, h, w;
    int64_t count() const noexcept { return d * h * w; }
    Strides5 transposed_strides(int64_t width) const noexcept { return {0, 1, h * w * width, w * width, width}; }
  };

  // Bytes of one plane, in and out, with indices, and how many planes share the scratch.
  static int64_t plane_bytes(int64_t input, int64_t output, bool indices, DType index_dtype) noexcept {
    return (input + output) * static_cast<int64_t>(sizeof(T)) + (indices ? output * dtype_size(index_dtype) : 0);
  }
  static int64_t shared_width(int64_t planes, int64_t plane_bytes) noexcept {
    int64_t count = lanes;
    while (2 * count <= most_transposed && count < planes && 2 * count * plane_bytes <= l1_transposed_bytes) count *= 2;
    return count;
  }
  static int64_t rounded(int64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }

  static HWY_NOINLINE void run(const KernelArgs& a, const Tile& tile, bool backward, decltype(KernelEntry::run) pool) noexcept {
    const Cells inputs{a.depth.input, a.height.input, a.width.input}, outputs{a.depth.output, a.height.output, a.width.output};
    const Cells from = backward ? outputs : inputs, to = backward ? inputs : outputs;
    const bool indices = a.index != nullptr;
    const int64_t width = shared_width(a.batch * a.channels, plane_bytes(inputs.count(), outputs.count(), indices, a.index_dtype));
    std::byte* free = tile.scratch;
    const auto take = [&](int64_t cells, int64_t size) { return std::exchange(free, free + rounded(cells * width * size)); };
    KernelArgs b = a;
    b.batch = 1, b.channels = width, b.layout = Layout::channels_last;
    T* in = reinterpret_cast<T*>(take(from.count(), sizeof(T)));
    b.input = reinterpret_cast<const std::byte*>(in), b.input_strides = from.transposed_strides(width);
    b.output = take(to.count(), sizeof(T)), b.output_strides = to.transposed_strides(width);
    // Written forward, read backward; the kernels that read them read bytes.
    if (indices) b.index = take(outputs.count(), dtype_size(a.index_dtype)), b.index_strides = outputs.transposed_strides(width);
    for (int64_t first = tile.begin; first < tile.end; first += width) {
      const auto table = [&]<class P>(P* data, const Strides5& s, const Cells& c) {
        return PlaneTable<P>(a, data, s, c.d, c.h, c.w, first, tile.end, width);
      };
      transpose_planes<Direction::in>(table(reinterpret_cast<const T*>(a.input), a.input_strides, from), in);
      if (backward && indices)
        transpose_planes<Direction::in>(table(reinterpret_cast<const uint8_t*>(a.index), a.index_strides, from),
                                        reinterpret_cast<uint8_t*>(b.index));
      pool(b, {.begin = 0, .end = backward ? 1 : to.d * to.h, .scratch = free});
      const auto transpose_back = [&]<class P>(std::byte* data, const Strides5& s, const std::byte* transposed, P) {
        transpose_planes<Direction::out>(table(reinterpret_cast<P*>(data), s, to), reinterpret_cast<const P*>(transposed));
      };
      transpose_back(a.output, a.output_strides, b.output, T());
      if (!indices || backward) continue;
      switch (dtype_size(a.index_dtype)) {
        case 1:
          transpose_back(a.index, a.index_strides, b.index, uint8_t());
          break;
        case 2:
          transpose_back(a.index, a.index_strides, b.index, uint16_t());
          break;
        case 4:
          transpose_back(a.index, a.index_strides, b.index, uint32_t());
          break;
        default:
          transpose_back(a.index, a.index_strides, b.index, uint64_t());
      }
    }
  }

  static HWY_NOINLINE int64_t plane_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    return plane_bytes(g.input_plane(), g.output_plane(), p.indices.has_value(), p.indices ? index_dtype(*p.indices, g, p.nan) : DType::u8);
  }
  static int64_t grain(const Problem& p) { return shared_width(p.geometry.batch() * p.geometry.channels(), plane_bytes(p)); }
  static HWY_NOINLINE int64_t scratch_bytes(const Problem& p) { return grain(p) * plane_bytes(p) + 3 * 64; }

  static HWY_NOINLINE Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    const Geometry& g = p.geometry;
    constexpr int64_t most = most_transposed_bytes / lanes;
    if (g.input_plane() > most || g.output_plane() > most || plane_bytes(p) > most) return {"planes are too large to transpose"};
    if (p.indices == IndexBase::tensor) return {"indices count from the tensor's first cell"};
    return {};
  }

  // Transposing takes a few operations a vector, wasted where there are fewer planes than lanes.
  static double cost(const Problem& p) {
    const Geometry& g = p.geometry;
    const double taps = static_cast<double>(g.window_taps());
    const double planes = static_cast<double>(g.batch() * g.channels());
    const double moved = static_cast<double>(g.input_plane() + g.output_plane()) / static_cast<double>(HWY_MAX(g.output_plane(), 1));
    return (taps * 2 + moved * 6) / HWY_MAX(HWY_MIN(planes, static_cast<double>(lanes)), 1.0);
  }
};

// Inner: lane type T; backward (are its results the cells of the input?); channels_run(args, tile), a kernel for adjacent channels;
// transposed_scratch(problem), if it needs some for most_transposed channels.
template <class Inner>
struct TransposedTraversal : TransposedPlanes<hwy::MakeUnsigned<typename Inner::T>> {
  using Planes = TransposedPlanes<hwy::MakeUnsigned<typename Inner::T>>;
  static void run(const KernelArgs& a, const Tile& tile) noexcept { Planes::run(a, tile, Inner::backward, Inner::channels_run); }
  static int64_t scratch_bytes(const Problem& p) {
    if constexpr (requires { Inner::transposed_scratch(p); }) return Planes::scratch_bytes(p) + Inner::transposed_scratch(p);
    return Planes::scratch_bytes(p);
  }
};

#endif  // one lane has nothing to transpose

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
