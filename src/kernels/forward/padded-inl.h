// The traversal of small padded planes: each is copied into scratch with its padding around it, so that every window is whole, and
// the columns kernel never leaves its vectors for a border. Included once per target, inside foreach_target.
//
//   plane   a b c        padded  . . . . .       . holds what changes nothing: 0 to add, the least value to find the largest
//           d e f                . a b c .
//                                . d e f .
//                                . . . . .
#if defined(TIDEPOOL_PADDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_PADDED_INL_H_
#undef TIDEPOOL_PADDED_INL_H_
#else
#define TIDEPOOL_PADDED_INL_H_
#endif

#include <cmath>
#include <cstring>

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_padded_bytes = 1 << 17;

// Cells of one axis of the padded plane: from tap 0 of the first window to the last tap of the last one.
inline int64_t padded_cells(int64_t output, int64_t stride, int64_t kernel, int64_t dilation) noexcept {
  return (output - 1) * stride + (kernel - 1) * dilation + 1;
}
inline int64_t padded_cells(const Axis& x) noexcept { return padded_cells(x.output(), x.stride(), x.kernel(), x.dilation()); }

// The next plane, asked for bit by bit while this one is worked on: copying alone would wait for memory, and pooling alone leave it idle.
class PlanePrefetcher {
 public:
  PlanePrefetcher(const void* input, int64_t input_bytes, const void* output, int64_t output_bytes, int64_t steps) noexcept
      : read_(input, input_bytes, steps), written_(output, output_bytes, steps) {}
  // Once in each of the steps.
  HWY_INLINE void step() noexcept {
    for (read_.due += read_.step; read_.at < read_.due; read_.at += line) TIDEPOOL_PREFETCH_READ(read_.at);
    for (written_.due += written_.step; written_.at < written_.due; written_.at += line) TIDEPOOL_PREFETCH_WRITE(written_.at);
  }

 private:
  static constexpr uintptr_t line = 64;
  // Addresses, not pointers: they may lie beyond the arrays, where prefetching does nothing.
  struct Lines {
    uintptr_t at, due, step;
    Lines(const void* plane, int64_t bytes, int64_t steps) noexcept
        : at(reinterpret_cast<uintptr_t>(plane) + static_cast<uintptr_t>(bytes)),
          due(at),
          step((static_cast<uintptr_t>(bytes) + static_cast<uintptr_t>(steps)) / static_cast<uintptr_t>(HWY_MAX(steps, 1))) {}
  };
  Lines read_, written_;
};

// What store(to) writes, a vector, into a row from `at` on; of a row shorter than a vector, its cells alone.
template <int64_t kLanes, class E, class Store>
HWY_INLINE void store_in_row(E* row, int64_t at, int64_t cells, Store store) {
  if (cells >= kLanes) return store(row + at);
  E few[kLanes];
  store(few);
  std::memcpy(static_cast<void*>(row), few, static_cast<size_t>(cells) * sizeof(E));
}

inline HWY_NOINLINE Fit fits_padded(const Problem& p, int64_t element_bytes) {
  const Geometry& g = p.geometry;
  if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  const int64_t most = most_padded_bytes / element_bytes;
  bool padded = false;
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (!x.is_even()) return {"windows differ in size"};
    if (x.output() < 1 || x.output() > most || padded_cells(x) > most) return {"planes are empty, or too large to copy"};
    padded = padded || x.interior().size() < x.output();
  }
  if (!padded) return {"no window hangs over an edge"};
  if (g.width().stride() != 1) return {"windows are not one column apart"};
  if (padded_cells(g.depth()) * padded_cells(g.height()) > most / padded_cells(g.width())) return {"planes are too large to copy"};
  return {};
}

// Inner: lane type T; blank(d), a vector of padding; Seen(d, args), which is shown every vector and
// returns what to copy; pool_padded(args, seen, next,
// scratch), which pools one padded plane, and padded_scratch(problem), the cells of scratch it takes.
template <class Inner>
struct PaddedTraversal {
  using T = typename Inner::T;

  // The axis of the padded plane: all windows whole.
  static AxisTable whole(AxisTable x) noexcept {
    x.input = padded_cells(x.output, x.stride, x.kernel, x.dilation);
    x.pad_before = 0;
    x.interior = {0, x.output};
    return x;
  }
  // How many cells of the input lie in the padded plane: none, where all windows end before the first of them.
  static int64_t kept(const AxisTable& x, const AxisTable& frame) noexcept {
    return HWY_MAX(HWY_MIN(x.input, frame.input - x.pad_before), 0);
  }

  template <class D>
  static HWY_INLINE void copy_row(D d, const T* HWY_RESTRICT from, int64_t cells, T* HWY_RESTRICT to, typename Inner::Seen& seen) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if (cells >= lanes) {
      for (int64_t i = 0; i < cells; i += lanes) {
        const int64_t at = HWY_MIN(i, cells - lanes);
        hn::StoreU(seen.prepare(d, hn::LoadU(d, from + at)), d, to + at);
      }
    } else if constexpr (hn::MaxLanes(D()) > 1) {
      copy_row(hn::CappedTag<T, (hn::MaxLanes(D()) * sizeof(T) > 16 ? 16 / sizeof(T) : 1)>(), from, cells, to, seen);
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const hn::ScalableTag<T> d;
    KernelArgs b = a;
    b.depth = whole(a.depth), b.height = whole(a.height), b.width = whole(a.width);
    b.batch = b.channels = 1;
    const int64_t row = b.width.input, slice = row * b.height.input, lanes = static_cast<int64_t>(hn::Lanes(d));
    b.input_strides = {0, 0, slice, row, 1};
    T* frame = reinterpret_cast<T*>(tile.scratch);
    T* end = frame + b.depth.input * slice;
    for (T* to = frame; to < end + lanes; to += lanes) hn::StoreU(Inner::blank(d), d, to);
    const int64_t first = a.depth.pad_before * slice + a.height.pad_before * row + a.width.pad_before;
    b.input = tile.scratch;
    const int64_t width = kept(a.width, b.width), height = width > 0 ? kept(a.height, b.height) : 0, depth = kept(a.depth, b.depth);
    constexpr int64_t bytes = sizeof(T);
    RowPosition p;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      p.n = u / a.channels, p.c = u % a.channels;
      const T* plane = reinterpret_cast<const T*>(a.input) + p.offset(a.input_strides);
      typename Inner::Seen seen(d, a);
      for (int64_t z = 0; z < depth; ++z)
        for (int64_t y = 0; y < height; ++y)
          copy_row(d, plane + z * a.input_strides[dim_d] + y * a.input_strides[dim_h], width, frame + first + z * slice + y * row, seen);
      T* out = reinterpret_cast<T*>(a.output) + p.offset(a.output_strides);
      b.output = reinterpret_cast<std::byte*>(out);
      PlanePrefetcher next(plane, depth * height * width * bytes, out, a.depth.output * a.height.output * a.width.output * bytes,
                           a.depth.output * a.height.output);
      Inner::pool_padded(b, seen, next, end + 2 * lanes);
    }
  }

  // A padded plane, the vectors its last rows may read and write beyond it, and what the inner kernel takes.
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t cells = padded_cells(g.depth()) * padded_cells(g.height()) * padded_cells(g.width());
    return (cells + Inner::padded_scratch(p) + 4 * static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()))) *
           static_cast<int64_t>(sizeof(T));
  }
  static int64_t grain(const Problem&) { return 8; }

  static Fit fits(const Problem& p) { return fits_padded(p, sizeof(T)); }
};

#endif  // one lane is no vector

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
