// The stacked traversal, for small planes: the input rows under each row of the windows are copied end to end. All windows of a plane are
// then those of one long row, which the columns kernel pools, and vectors do not end where rows do. Included once per target, inside
// foreach_target.
//
//   plane   a b c d      kernel 2, stride 2      layers   a b c d i j k l
//           e f g h                                       e f g h m n o p
//           i j k l
//           m n o p                              windows  0   1   2   3
#if defined(TIDEPOOL_STACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_STACKED_INL_H_
#undef TIDEPOOL_STACKED_INL_H_
#else
#define TIDEPOOL_STACKED_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/forward/columns-inl.h"
#include "kernels/forward/padded-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t most_stacked_bytes = 3 << 14;  // of the nearest cache

struct Stack {
  int64_t rows;     // of windows
  int64_t columns;  // windows of a row in the stack: the output's, and those that hang over into the next row
  int64_t pitch;    // cells of a row in the stack
  int64_t layers;   // rows of a window
  int64_t cells;    // of a layer, with what its last windows reach

  Stack(const Axis& d, const Axis& h, const Axis& w) noexcept
      : rows(d.output() * h.output()),
        columns((padded_cells(w) + w.stride() - 1) / w.stride()),
        pitch(columns * w.stride()),
        layers(d.kernel() * h.kernel()),
        cells(rows * pitch + (w.kernel() - 1) * w.dilation()) {}
  int64_t windows() const noexcept { return rows * columns; }
};

// What is done to cells of a size, whatever pools them.
template <class T>
struct StackedPlanes {
  using D = hn::ScalableTag<T>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));

  static constexpr int64_t rows_per_ask = 4;

  static int64_t rounded(int64_t cells) noexcept { return (cells + lanes - 1) / lanes * lanes + lanes; }

  // Rows into the stack. The first `roomy` of them are followed by so many cells that whole vectors can be read; what was read too much is
  // not written, or where no padding separates the rows, is written over by the next ones: masked stores are slow before AVX-512.
  static HWY_INLINE void copy_in(const T* from, int64_t from_step, int64_t rows, int64_t roomy, int64_t count, T* to, int64_t to_step,
                                 PlanePrefetcher& next) {
    const D d;
    const int64_t full = count / lanes * lanes;
    const auto rest = hn::FirstN(d, static_cast<size_t>(count - full));
    int64_t row = 0;
    if (count == to_step)
      for (const int64_t most = HWY_MIN(rows - 1 - lanes / count, roomy); row < most; ++row, from += from_step, to += to_step) {
        if (row % rows_per_ask == 0) next.step();
        for (int64_t i = 0; i < count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
      }
    for (const int64_t most = full == 0 ? HWY_MIN(rows, roomy) : 0; row < most; ++row, from += from_step, to += to_step) {
      if (row % rows_per_ask == 0) next.step();
      hn::BlendedStore(hn::LoadU(d, from), rest, d, to);
    }
    for (; row < rows; ++row, from += from_step, to += to_step) {
      if (row % rows_per_ask == 0) next.step();
      for (int64_t i = 0; i < full; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
      if (full == count) continue;
      if (row < roomy)
        hn::BlendedStore(hn::LoadU(d, from + full), rest, d, to + full);
      else
        std::memcpy(to + full, from + full, static_cast<size_t>(count - full) * sizeof(T));
    }
  }
  // One row out of it. Where rows follow in the output a whole vector is written, whose end they write again.
  static HWY_INLINE void copy_out(const T* from, int64_t count, int64_t writable, T* to) {
    const D d;
    int64_t i = 0;
    for (; i < count && i + lanes <= writable; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    if (i < count) std::memcpy(to + i, from + i, static_cast<size_t>(count - i) * sizeof(T));
  }

  // The layers of one plane. Rows of padding stay as they are.
  static HWY_INLINE void fill(const KernelArgs& a, const Stack& stack, const T* plane, T* layer, int64_t layer_cells,
                              PlanePrefetcher& next) {
    const AxisTable &z = a.depth, &y = a.height, &x = a.width;
    const int64_t slice = a.input_strides[dim_d], row = a.input_strides[dim_h], step = row * y.stride;
    const bool dense = row == x.input && (z.input == 1 || slice == x.input * y.input);
    const int64_t count = HWY_MAX(HWY_MIN(x.input, stack.pitch - x.pad_before), 0);
    const int64_t last = a.input_plane() - (count + lanes - 1) / lanes * lanes;  // where a roomy row begins at the latest
    for (int64_t td = 0; td < z.kernel; ++td)
      for (int64_t th = 0; th < y.kernel; ++th, layer += layer_cells) {
        // The first window whose row is inside, and the first one behind it whose row is not.
        const int64_t h = th * y.dilation - y.pad_before;
        const int64_t begin = h >= 0 ? 0 : (-h + y.stride - 1) / y.stride;
        const int64_t end = h >= y.input ? 0 : HWY_MIN(y.output, (y.input - 1 - h) / y.stride + 1);
        for (int64_t od = 0; od < z.output; ++od) {
          const int64_t d = od * z.stride - z.pad_before + td * z.dilation;
          if (d < 0 || d >= z.input || begin >= end || count == 0) continue;
          const int64_t at = d * slice + (h + begin * y.stride) * row;
          const int64_t roomy = !dense ? 0 : at > last ? 0 : (last - at) / step + 1;
          copy_in(plane + at, step, end - begin, roomy, count, layer + (od * y.output + begin) * stack.pitch + x.pad_before, stack.pitch,
                  next);
        }
      }
  }

  // pool(args) pools a single row.
  static HWY_NOINLINE void run(const KernelArgs& a, const Tile& tile, void (*pool)(const KernelArgs&)) noexcept {
    const Stack stack(*a.depth.axis, *a.height.axis, *a.width.axis);
    const int64_t layer_cells = rounded(stack.cells);
    T* layers = reinterpret_cast<T*>(tile.scratch);
    T* pooled = layers + stack.layers * layer_cells;
    std::fill(layers, pooled, T(0));
    KernelArgs b = a;
    b.batch = b.channels = 1;
    b.depth = {.interior = {0, 1}};
    b.height = {.input = stack.layers, .kernel = stack.layers, .interior = {0, 1}};
    b.width.input = stack.cells, b.width.output = stack.windows(), b.width.pad_before = 0, b.width.interior = {0, stack.windows()};
    b.input = tile.scratch, b.input_strides = {0, 0, 0, layer_cells, 1}, b.output_strides = {0, 0, 0, 0, 1};
    const Strides5 &in = a.input_strides, &out = a.output_strides;
    const int64_t width = a.width.output;
    const bool dense = out[dim_h] == width && (a.depth.output == 1 || out[dim_d] == width * a.height.output);
    const bool direct = dense && stack.columns == width;
    constexpr int64_t bytes = sizeof(T);
    const int64_t asks = stack.layers * a.depth.output * ((a.height.output + rows_per_ask - 1) / rows_per_ask);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const int64_t n = u / a.channels, c = u % a.channels;
      const T* plane = reinterpret_cast<const T*>(a.input) + n * in[dim_n] + c * in[dim_c];
      T* to = reinterpret_cast<T*>(a.output) + n * out[dim_n] + c * out[dim_c];
      PlanePrefetcher next(plane, a.input_plane() * bytes, to, stack.rows * width * bytes, asks);
      fill(a, stack, plane, layers, layer_cells, next);
      b.output = reinterpret_cast<std::byte*>(direct ? to : pooled);
      pool(b);
      if (direct) continue;
      for (int64_t r = 0; r < stack.rows; ++r)
        copy_out(pooled + r * stack.columns, width, dense ? (stack.rows - r) * width : width,
                 to + r / a.height.output * out[dim_d] + r % a.height.output * out[dim_h]);
    }
  }

  static HWY_NOINLINE int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const Stack stack(g.depth(), g.height(), g.width());
    return (stack.layers * rounded(stack.cells) + rounded(stack.windows())) * static_cast<int64_t>(sizeof(T));
  }
  static int64_t grain(const Problem&) { return 8; }

  static HWY_NOINLINE Fit fits(const Problem& p, int64_t widest) {
    const Geometry& g = p.geometry;
    if (const Fit fit = columns_fit(p); !fit.ok()) return fit;
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    if (!has_vectors(g.width(), widest)) return {"windows are too far apart for vectors"};
    constexpr int64_t most = most_stacked_bytes / static_cast<int64_t>(sizeof(T));
    for (int i = 0; i < 3; ++i) {
      const Axis& x = g.axis(i);
      if (!x.is_even()) return {"windows differ in size"};
      if (x.output() < 1 || x.output() > most || padded_cells(x) > most) return {"planes are empty, or too large to copy"};
    }
    if (g.height().output() * g.depth().output() < 2) return {"a single row is long enough"};
    const int64_t layers = g.depth().kernel() * g.height().kernel(), rows = g.depth().output() * g.height().output();
    if (layers > most || rows > most || layers * rows > most / padded_cells(g.width())) return {"planes are too large to copy"};
    return {};
  }
};

// Policy: that of the columns traversal. Padding is 0.
template <class Policy>
struct StackedTraversal : StackedPlanes<hwy::MakeUnsigned<typename Policy::T>> {
  using Columns = ColumnsTraversal<Policy>;
  using Planes = StackedPlanes<hwy::MakeUnsigned<typename Policy::T>>;
  static void run(const KernelArgs& a, const Tile& tile) noexcept { Planes::run(a, tile, Columns::single_row); }
  static Fit fits(const Problem& p) { return Planes::fits(p, Columns::widest); }
};

#endif  // one lane has nothing to fill

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
