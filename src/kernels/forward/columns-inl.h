// The columns traversal: columns are adjacent in memory (channels first), a vector holds neighbouring outputs of one row.
// Included once per target, inside foreach_target.
//
// Rows are visited in order and each row left to right, so an output is reduced in the order of the definition. Stride 1 reads
// shifted vectors; stride 2 splits two adjacent vectors into their even and odd cells, which serves two taps at once:
//
//   memory   x0 x1 x2 x3 x4 x5 x6 x7
//   even     x0 x2 x4 x6              tap 0 of four outputs
//   odd      x1 x3 x5 x7              tap 1 of the same four
//
// Strides 3 and 4 do the same with three and four vectors. Windows that padding clips, rows shorter than a small vector, and wider strides
// go cell by cell.
#if defined(TIDEPOOL_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_COLUMNS_INL_H_
#undef TIDEPOOL_COLUMNS_INL_H_
#else
#define TIDEPOOL_COLUMNS_INL_H_
#endif

#include <cmath>

#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t max_window_rows = 64;

// One output row, and the input rows under its windows, in order.
template <class T>
struct ColumnsRow {
  const KernelArgs& a;
  const RowPosition& p;
  T* output;
  Window wd, wh;
  int64_t count = 0;
  const T* inputs[max_window_rows];

  // To the next row of outputs, if its windows are as high as these.
  void move_down() noexcept {
    const int64_t step = a.height.stride * a.input_strides[dim_h];
    for (int64_t r = 0; r < count; ++r) inputs[r] += step;
    output += a.output_strides[dim_h];
    wh.begin += a.height.stride;
  }

  ColumnsRow(const KernelArgs& args, const RowPosition& position)
      : a(args),
        p(position),
        output(reinterpret_cast<T*>(args.output) + position.offset(args.output_strides)),
        wd(args.depth.window(position.od)),
        wh(args.height.window(position.oh)) {
    const Strides5& s = a.input_strides;
    const T* plane = reinterpret_cast<const T*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
    for (int64_t td = 0; td < wd.count; ++td)
      for (int64_t th = 0; th < wh.count; ++th)
        inputs[count++] = plane + (wd.begin + td * a.depth.dilation) * s[dim_d] + (wh.begin + th * a.height.dilation) * s[dim_h];
  }
};

// Whether Best takes the even and the odd cells of two adjacent vectors as they are.
template <class Best>
constexpr bool lane_pairs() {
  if constexpr (requires { Best::pairs; }) return Best::pairs;
  return false;
}
// Whether the rows of a window may be reduced to one before the columns are.
template <class Best>
constexpr bool any_order() {
  if constexpr (requires { Best::any_order; }) return Best::any_order;
  return false;
}

// All taps of one window row, for the lanes' outputs; x points at tap 0 of the first. kKernel fixes the number of taps, 0 leaves it open.
template <int kStride, int kKernel, class D, class T, class Best>
HWY_INLINE void columns_row_taps(D d, const T* HWY_RESTRICT x, const AxisTable& w, Best& best) {
  const size_t lanes = hn::Lanes(d);
  const int64_t kernel = kKernel == 0 ? w.kernel : kKernel;
  const int64_t dilation = kKernel == 0 ? w.dilation : 1;
  const auto load = [&](const T* from) HWY_ATTR { return best.prepare(d, hn::LoadU(d, from)); };
  if constexpr (kStride == 1 && kKernel > 0) {
    unrolled<kKernel>([&](auto t) HWY_ATTR { best.accumulate(d, load(x + t), 0); });
  } else if constexpr (kStride == 1) {
    for (int64_t t = 0; t < kernel; ++t) best.accumulate(d, load(x + t * dilation), 0);
  } else if constexpr (kStride > 2) {
    for (int64_t t = 0; t < kernel; t += kStride) {
      const auto take = [&](int64_t i, hn::Vec<D> v) HWY_ATTR {
        if (t + i < kernel) best.accumulate(d, best.prepare(d, v), 0);
      };
      hn::Vec<D> v0, v1, v2, v3;
      if constexpr (kStride == 3) hn::LoadInterleaved3(d, x + t, v0, v1, v2);
      if constexpr (kStride == 4) hn::LoadInterleaved4(d, x + t, v0, v1, v2, v3);
      take(0, v0), take(1, v1), take(2, v2);
      if constexpr (kStride == 4) take(3, v3);
    }
  } else if constexpr (kKernel == 3 && has_shift_in<D>() && !lane_pairs<Best>()) {
    // Tap 2 of a lane is tap 0 of the next one; only the last lane's must be fetched.
    const auto low = load(x), high = load(x + lanes), next = best.prepare(d, hn::Set(d, x[2 * lanes]));
    const auto even = concat_even(d, high, low);
    best.accumulate(d, even, 0);
    best.accumulate(d, concat_odd(d, high, low), 0);
    best.accumulate(d, shift_in(d, even, next), 0);
  } else if (dilation != 1 || kernel == 1) {
    for (int64_t t = 0; t < kernel; ++t) {
      const T* from = x + t * dilation;
      const auto low = load(from), high = load(from + lanes);
      best.accumulate(d, concat_even(d, high, low), 0);
    }
  } else {
    int64_t t = 0;
    for (; t + 1 < kernel; t += 2) {
      const auto low = load(x + t), high = load(x + t + lanes);
      if constexpr (lane_pairs<Best>()) {
        best.accumulate_evens(d, low, high), best.accumulate_odds(d, low, high);
      } else {
        best.accumulate(d, concat_even(d, high, low), 0);
        best.accumulate(d, concat_odd(d, high, low), 0);
      }
    }
    if (t < kernel) {
      // The odd one out is read one cell early, so that nothing beyond the last window is touched.
      const auto low = load(x + t - 1), high = load(x + t - 1 + lanes);
      if constexpr (lane_pairs<Best>())
        best.accumulate_odds(d, low, high);
      else
        best.accumulate(d, concat_odd(d, high, low), 0);
    }
  }
}

// Stride 2, kernel 2 or 3, down the rows first: cells are then shuffled once, not once a row.
template <int kKernel, class D, class Row, class Best>
HWY_INLINE void columns_rows_first(D d, const Row& row, int64_t column, Best& best) {
  using T = hn::TFromD<D>;
  const size_t lanes = hn::Lanes(d);
  const auto load = [&](const T* from) HWY_ATTR { return best.prepare(d, hn::LoadU(d, from)); };
  const auto load_next = [&](const T* x) HWY_ATTR { return best.prepare(d, hn::Set(d, x[2 * lanes])); };
  const T* x = row.inputs[0] + column;
  auto low = load(x), high = load(x + lanes), next = low;
  if constexpr (kKernel == 3) next = load_next(x);
  for (int64_t r = 1; r < row.count; ++r) {
    x = row.inputs[r] + column;
    low = Best::better(d, low, load(x)), high = Best::better(d, high, load(x + lanes));
    if constexpr (kKernel == 3) next = Best::better(d, next, load_next(x));
  }
  const auto even = concat_even(d, high, low);
  best.accumulate(d, even, 0);
  best.accumulate(d, concat_odd(d, high, low), 0);
  if constexpr (kKernel == 3) best.accumulate(d, shift_in(d, even, next), 0);
}

template <int kStride, int kKernel, class D, class Row, class Best>
HWY_INLINE void columns_window_taps(D d, const Row& row, int64_t ow, Best& best) {
  const int64_t column = row.a.width.start(ow);
  if constexpr (kStride == 2 && any_order<Best>() && (kKernel == 2 || (kKernel == 3 && has_shift_in<D>())))
    return columns_rows_first<kKernel>(d, row, column, best);
  for (int64_t r = 0; r < row.count; ++r) columns_row_taps<kStride, kKernel>(d, row.inputs[r] + column, row.a.width, best);
}

// Which outputs vectors can serve: full windows whose reads stay inside the row.
inline Range columns_range(const AxisTable& w, int64_t widest) noexcept {
  if (w.interior.size() == 0 || w.stride > widest || (w.stride > 2 && w.dilation != 1)) return {0, 0};
  // Unpaired taps of stride 2 read one cell more than they need, wider strides what fills their last group.
  const int64_t overread = w.stride > 2                                          ? (w.stride - w.kernel % w.stride) % w.stride
                           : w.stride == 2 && (w.dilation != 1 || w.kernel == 1) ? 1
                                                                                 : 0;
  const int64_t last_start = w.input - overread - (w.kernel - 1) * w.dilation - 1;
  const int64_t end = HWY_MIN(w.interior.end, (last_start + w.pad_before) / w.stride + 1);
  return {HWY_MIN(w.interior.begin, end), end};
}

// Several short rows are read at once, which the processor's own prefetcher follows badly: asking for the input a page ahead and
// the output a quarter of that brought the ResNet stem from 0.75 to 0.88 of the memory limit. Long rows it follows well by itself.
template <class T>
HWY_INLINE void prefetch_ahead(const ColumnsRow<T>& row) {
  constexpr int64_t line = 64, most = 4096;
  const AxisTable& w = row.a.width;
  if (w.input > most || w.output > most || row.a.height.stride > most) return;
  const int64_t read = w.input * row.a.height.stride * static_cast<int64_t>(sizeof(T));
  const int64_t written = w.output * static_cast<int64_t>(sizeof(T));
  if (read > most) return;
  // Addresses, not pointers: they may lie beyond the arrays, where prefetching does nothing.
  const uintptr_t input = reinterpret_cast<uintptr_t>(row.inputs[row.count - 1]) + 4096;
  const uintptr_t output = reinterpret_cast<uintptr_t>(row.output) + 1024;
  for (int64_t i = 0; i < read; i += line) TIDEPOOL_PREFETCH_READ(input + static_cast<uintptr_t>(i));
  for (int64_t i = 0; i < written; i += line) TIDEPOOL_PREFETCH_WRITE(output + static_cast<uintptr_t>(i));
}

// Pools outputs [begin, end) of a row.
template <class Row>
using RowOutputs = void (*)(const Row&, int64_t begin, int64_t end);

template <class Row>
void columns_rows(const KernelArgs& a, const Tile& tile, Range inside, RowOutputs<Row> by_vectors, RowOutputs<Row> cells) noexcept {
  RowPosition p = RowPosition::of_row(a, tile.begin);
  for (int64_t u = tile.begin; u < tile.end; p.advance(a)) {
    Row row(a, p);
    if (row.count == 0 || inside.size() == 0) {
      cells(row, 0, a.width.output);
      ++u;
      continue;
    }
    // Rows of whole windows differ in nothing but where they are.
    const bool whole = p.oh >= a.height.interior.begin && p.oh < a.height.interior.end;
    for (int64_t rows = whole ? HWY_MIN(tile.end - u, a.height.interior.end - p.oh) : 1;;) {
      prefetch_ahead(row);
      if (inside.begin > 0) cells(row, 0, inside.begin);
      by_vectors(row, inside.begin, inside.end);
      if (inside.end < a.width.output) cells(row, inside.end, a.width.output);
      ++u;
      if (--rows == 0) break;
      ++p.oh;
      row.move_down();
    }
  }
}

inline Fit columns_fit(const Problem& p) {
  if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
  if (p.geometry.depth().kernel() * p.geometry.height().kernel() > max_window_rows) return {"window has more than 64 rows"};
  return {};
}

// Kernels that have code of their own: 3 at stride 1, 2 and 3 at stride 2.
constexpr bool is_fixed(int64_t stride, int64_t kernel, int64_t dilation) {
  return dilation == 1 && ((stride == 1 && kernel == 3) || (stride == 2 && (kernel == 2 || kernel == 3)));
}

// Whether vectors step as far as the windows do.
inline bool has_vectors(const Axis& w, int64_t widest) noexcept { return w.stride() <= widest && (w.stride() <= 2 || w.dilation() == 1); }

// Policy: the lane type T; Row, a ColumnsRow or what is derived from it; fixed_kernels (is it worth code of its own for kernels 2 and 3?);
// vector_at<kStride, kKernel>(d, row, ow), which reduces and stores the lanes' outputs; cells(row, begin, end), the same one by one.
template <class Policy>
struct ColumnsTraversal {
  using T = typename Policy::T;
  using Row = typename Policy::Row;

  // Outputs [begin, end) by vectors, the last one overlapping its neighbour.
  template <int kStride, int kKernel, class D>
  static HWY_INLINE bool vectors(D d, const Row& row, int64_t begin, int64_t end) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if (end - begin < lanes) return false;
    for (int64_t ow = begin; ow < end; ow += lanes) Policy::template vector_at<kStride, kKernel>(d, row, HWY_MIN(ow, end - lanes));
    return true;
  }

  // Short rows, by short vectors. One function for all kernels: rows are many, ways to pool them have to be few to keep the library small.
  template <int kStride>
  static HWY_NOINLINE void short_rows(const Row& row, int64_t begin, int64_t end) {
    constexpr size_t bytes = hn::MaxLanes(hn::ScalableTag<T>()) * sizeof(T);
    if constexpr (bytes > 32 && sizeof(T) <= 2 && kStride <= 2)
      if (vectors<kStride, 0>(hn::CappedTag<T, 32 / sizeof(T)>(), row, begin, end)) return;
    if constexpr (bytes > 16 && kStride <= 2)
      if (vectors<kStride, 0>(hn::CappedTag<T, 16 / sizeof(T)>(), row, begin, end)) return;
    Policy::cells(row, begin, end);
  }

  using Outputs = RowOutputs<Row>;
  template <int kStride, int kKernel>
  static void outputs(const Row& row, int64_t begin, int64_t end) {
    if (!vectors<kStride, kKernel>(hn::ScalableTag<T>(), row, begin, end)) short_rows<kStride>(row, begin, end);
  }

  static constexpr int64_t widest = Policy::fixed_kernels && sizeof(T) >= 4 ? 4 : 2;

  static Outputs outputs_of(const AxisTable& w) noexcept {
    if constexpr (Policy::fixed_kernels) {
      if (is_fixed(w.stride, w.kernel, w.dilation)) return w.stride == 1 ? outputs<1, 3> : w.kernel == 2 ? outputs<2, 2> : outputs<2, 3>;
    }
    if constexpr (widest == 4) {
      if (w.stride == 3) return outputs<3, 0>;
      if (w.stride == 4) return outputs<4, 0>;
    }
    return w.stride == 1 ? outputs<1, 0> : outputs<2, 0>;
  }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    columns_rows<Row>(a, tile, columns_range(a.width, widest), outputs_of(a.width), Policy::cells);
  }

  // A problem of one row whose windows are all inside.
  static void single_row(const KernelArgs& a) {
    const RowPosition p;
    outputs_of(a.width)(Row(a, p), 0, a.width.output);
  }

  static Fit fits(const Problem& p) {
    if (const Fit fit = columns_fit(p); !fit.ok()) return fit;
    const Axis& w = p.geometry.width();
    if (!has_vectors(w, widest)) return {"windows are too far apart for vectors"};
    const int64_t least = w.stride() > 2 ? static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>())) : 16 / static_cast<int64_t>(sizeof(T));
    return {w.interior().size() < least ? "rows have too few whole windows for vectors" : nullptr};
  }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};

#endif  // one lane has nothing to split

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
