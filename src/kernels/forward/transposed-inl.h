// The transposed traversal, for planes too small, strides too wide or windows too irregular to put neighbouring columns into vectors:
// several planes are transposed into scratch, so that a vector holds the same cell of each of them, pooled there by a kernel for
// adjacent channels, and transposed back. Included once per target, inside foreach_target.
//
//   planes   a0 a1 a2 a3 …   b0 b1 b2 b3 …   c0 …   d0 …        transposed   a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 …
#if defined(TIDEPOOL_TRANSPOSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_TRANSPOSED_INL_H_
#undef TIDEPOOL_TRANSPOSED_INL_H_
#else
#define TIDEPOOL_TRANSPOSED_INL_H_
#endif

#include <utility>

#include "hwy/highway.h"
#include "kernels/forward/transpose-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_transposed_bytes = 1 << 18;  // of scratch: a core's own cache
inline constexpr int64_t l1_transposed_bytes = 3 << 13;    // of the nearest cache

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

  // What of a plane is transposed at once: all of it or, of planes that leave a core's cache, the cells under some rows of windows.
  struct Strip {
    int64_t rows = 0;  // of windows, 0 for whole planes
    Cells from, to;    // of the arrays read and written, at most
    int64_t bytes;     // of both, and of indices

    static constexpr int64_t most = most_transposed_bytes / lanes, most_row = 2 * most;

    HWY_NOINLINE Strip(const Axis& d, const Axis& h, const Axis& w, bool backward, int64_t index_bytes) noexcept
        : from{d.input(), h.input(), w.input()}, to{d.output(), h.output(), w.output()}, bytes(bytes_of(index_bytes)) {
      if (backward) std::swap(from, to);
      if (backward || bytes <= most) return;
      rows = 1, from = {reach(d), reach(h), w.input()}, to = {1, 1, w.output()}, bytes = bytes_of(index_bytes);
      const int64_t stride = HWY_MIN(h.stride(), h.input()), step = from.d * stride * w.input() * size + w.output() * (size + index_bytes);
      if (h.is_adaptive() || bytes + step > most) return;
      rows = HWY_MIN((most - bytes) / step + 1, h.output());
      from.h = HWY_MIN(from.h + (rows - 1) * stride, h.input()), to.h = rows, bytes = bytes_of(index_bytes);
    }

   private:
    static constexpr int64_t size = sizeof(T);
    int64_t bytes_of(int64_t index_bytes) const noexcept { return from.count() * size + to.count() * (size + index_bytes); }
    // Cells from the first of a window to its last.
    static int64_t reach(const Axis& x) noexcept {
      return x.kernel() - 1 > x.input() / x.dilation() ? x.input() : HWY_MIN((x.kernel() - 1) * x.dilation() + 1, x.input());
    }
  };

  // A vector of planes, or a short one of few planes.
  static int64_t shared_width(int64_t planes, int64_t plane_bytes, bool backward) noexcept {
    constexpr int64_t few = 16 / static_cast<int64_t>(sizeof(T));
    int64_t count = backward || planes > few ? lanes : few;
    while (2 * count <= most_transposed && count < planes && 2 * count * plane_bytes <= l1_transposed_bytes) count *= 2;
    return count;
  }
  static int64_t rounded(int64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }

  // The cells under some windows of an axis.
  static Range cells_under(const AxisTable& x, int64_t begin, int64_t end) noexcept {
    Range all{x.input, 0};
    for (int64_t o = begin; o < end; ++o) {
      const Window w = x.window(o);
      if (w.count == 0) continue;
      all.begin = HWY_MIN(all.begin, w.begin), all.end = HWY_MAX(all.end, w.begin + (w.count - 1) * x.dilation + 1);
    }
    return all.begin < all.end ? all : Range{0, 0};
  }

  static HWY_NOINLINE void run(const KernelArgs& a, const Tile& tile, bool backward, decltype(KernelEntry::run) pool) noexcept {
    const bool indices = a.index != nullptr;
    const int64_t index_size = indices ? dtype_size(a.index_dtype) : 0;
    const Strip strip(*a.depth.axis, *a.height.axis, *a.width.axis, backward, index_size);
    const int64_t width = shared_width(a.batch * a.channels, strip.bytes, backward);
    std::byte* free = tile.scratch;
    const auto take = [&](int64_t cells, int64_t size) { return std::exchange(free, free + rounded(cells * width * size)); };
    std::byte* in = take(strip.from.count(), sizeof(T));
    std::byte* out = take(strip.to.count(), sizeof(T));
    // Written forward, read backward; the kernels that read them read bytes.
    std::byte* index = take(backward ? strip.from.count() : strip.to.count(), index_size);
    KernelArgs b = a;
    b.batch = 1, b.channels = width, b.layout = Layout::channels_last;
    // Pools cells from (d, h) on into outputs from (od, oh) on. The pool counts slices and rows from those of the plane.
    const auto pool_cells = [&](int64_t first, const Cells& from, int64_t d, int64_t h, const Cells& to, int64_t od, int64_t oh) {
      const auto transpose = [&]<Direction kDirection, class P>(std::integral_constant<Direction, kDirection>, P* data, const Strides5& s,
                                                                const Cells& c, int64_t slice, int64_t row, auto* transposed) {
        const PlaneTable<P> table(a, data + slice * s[dim_d] + row * s[dim_h], s, c.d, c.h, c.w, first, tile.end, width);
        transpose_planes<kDirection>(table, transposed);
      };
      constexpr std::integral_constant<Direction, Direction::in> inwards{};
      constexpr std::integral_constant<Direction, Direction::out> outwards{};
      const auto transpose_out = [&]<class P>(std::byte* data, const Strides5& s, const std::byte* transposed, P) {
        transpose(outwards, reinterpret_cast<P*>(data), s, to, od, oh, reinterpret_cast<const P*>(transposed));
      };
      const auto moved_back = [&](std::byte* base, const Cells& c, int64_t slice, int64_t row, int64_t size) {
        return base - (slice * c.h + row) * c.w * width * size;
      };
      transpose(inwards, reinterpret_cast<const T*>(a.input), a.input_strides, from, d, h, reinterpret_cast<T*>(in));
      if (backward && indices)
        transpose(inwards, reinterpret_cast<const uint8_t*>(a.index), a.index_strides, from, d, h, reinterpret_cast<uint8_t*>(index));
      b.input = moved_back(in, from, d, h, sizeof(T)), b.input_strides = from.transposed_strides(width);
      b.output = moved_back(out, to, od, oh, sizeof(T)), b.output_strides = to.transposed_strides(width);
      if (indices) {
        const Cells& outputs = backward ? from : to;
        b.index = backward ? index : moved_back(index, to, od, oh, index_size), b.index_strides = outputs.transposed_strides(width);
      }
      const int64_t row = od * a.height.output + oh;
      pool(b, {.begin = row, .end = backward ? 1 : row + to.d * to.h, .scratch = free});
      transpose_out(a.output, a.output_strides, out, T());
      if (!indices || backward) return;
      switch (index_size) {
        case 1:
          return transpose_out(a.index, a.index_strides, index, uint8_t());
        case 2:
          return transpose_out(a.index, a.index_strides, index, uint16_t());
        case 4:
          return transpose_out(a.index, a.index_strides, index, uint32_t());
        default:
          return transpose_out(a.index, a.index_strides, index, uint64_t());
      }
    };
    for (int64_t first = tile.begin; first < tile.end; first += width) {
      if (strip.rows == 0) {
        pool_cells(first, strip.from, 0, 0, strip.to, 0, 0);
        continue;
      }
      for (int64_t od = 0; od < a.depth.output; ++od)
        for (int64_t oh = 0; oh < a.height.output; oh += strip.rows) {
          const int64_t rows = HWY_MIN(strip.rows, a.height.output - oh);
          const Range d = cells_under(a.depth, od, od + 1), h = cells_under(a.height, oh, oh + rows);
          pool_cells(first, {d.size(), h.size(), a.width.input}, d.begin, h.begin, {1, rows, a.width.output}, od, oh);
        }
    }
  }

  static HWY_NOINLINE Strip strip_of(const Problem& p) {
    const Geometry& g = p.geometry;
    return Strip(g.depth(), g.height(), g.width(), p.pass == Pass::backward, p.indices ? dtype_size(index_dtype(*p.indices, g, p.nan)) : 0);
  }
  static int64_t grain(const Problem& p) {
    return shared_width(p.geometry.batch() * p.geometry.channels(), strip_of(p).bytes, p.pass == Pass::backward);
  }
  static HWY_NOINLINE int64_t scratch_bytes(const Problem& p) { return grain(p) * strip_of(p).bytes + 3 * 64; }

  static HWY_NOINLINE Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_first && p.pass == Pass::backward) return {"columns are not adjacent in memory"};
    if (strip_of(p).bytes > (p.pass == Pass::backward ? Strip::most : Strip::most_row)) return {"planes are too large to transpose"};
    if (p.indices == IndexBase::tensor) return {"indices count from the tensor's first cell"};
    return {};
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
