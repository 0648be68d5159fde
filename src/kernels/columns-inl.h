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

#include "hwy/highway.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t max_window_rows = 64;

// One output row: the input rows under its windows, in order, and the window's row taps they belong to.
template <class T, bool kTaps>
struct ColumnsRow {
  const KernelArgs& a;
  const RowPosition& p;
  T* output;
  Window wd, wh;
  int64_t count = 0;
  const T* inputs[max_window_rows];
  int64_t first_taps[kTaps ? max_window_rows : 1];

  ColumnsRow(const KernelArgs& args, const RowPosition& position)
      : a(args),
        p(position),
        output(reinterpret_cast<T*>(args.output) + position.offset(args.output_strides)),
        wd(args.depth.window(position.od)),
        wh(args.height.window(position.oh)) {
    const Strides5& s = a.input_strides;
    const T* plane = reinterpret_cast<const T*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
    for (int64_t td = 0; td < wd.count; ++td)
      for (int64_t th = 0; th < wh.count; ++th) {
        if constexpr (kTaps) first_taps[count] = ((wd.first_tap + td) * a.height.kernel + wh.first_tap + th) * a.width.kernel;
        inputs[count++] = plane + (wd.begin + td * a.depth.dilation) * s[dim_d] + (wh.begin + th * a.height.dilation) * s[dim_h];
      }
  }
};

// All taps of one window row, for the lanes' outputs; x points at tap 0 of the first. kKernel fixes the number of taps, 0 leaves it open.
template <int kStride, int kKernel, class D, class T, class Best>
HWY_INLINE void columns_row_taps(D d, const T* HWY_RESTRICT x, const AxisTable& w, int64_t tap, Best& best) {
  const size_t lanes = hn::Lanes(d);
  const int64_t kernel = kKernel == 0 ? w.kernel : kKernel;
  const int64_t dilation = kKernel == 0 ? w.dilation : 1;
  const auto load = [&](const T* from) HWY_ATTR { return best.look(d, hn::LoadU(d, from)); };
  if constexpr (kStride == 1 && kKernel > 0) {
    unrolled<kKernel>([&](auto t) HWY_ATTR { best.take(d, load(x + t), tap + t); });
  } else if constexpr (kStride == 1) {
    for (int64_t t = 0; t < kernel; ++t) best.take(d, load(x + t * dilation), tap + t);
  } else if constexpr (kStride > 2) {
    hn::Vec<D> v[4];
    for (int64_t t = 0; t < kernel; t += kStride) {
      if constexpr (kStride == 3) hn::LoadInterleaved3(d, x + t, v[0], v[1], v[2]);
      if constexpr (kStride == 4) hn::LoadInterleaved4(d, x + t, v[0], v[1], v[2], v[3]);
      unrolled<kStride>([&](auto i) HWY_ATTR {
        if (t + i < kernel) best.take(d, best.look(d, v[i]), tap + t + i);
      });
    }
  } else if constexpr (kKernel == 3 && has_shift_in<D>()) {
    // Tap 2 of a lane is tap 0 of the next one; only the last lane's must be fetched.
    const auto low = load(x), high = load(x + lanes), next = best.look(d, hn::Set(d, x[2 * lanes]));
    const auto even = hn::ConcatEven(d, high, low);
    best.take(d, even, tap);
    best.take(d, hn::ConcatOdd(d, high, low), tap + 1);
    best.take(d, shift_in(d, even, next), tap + 2);
  } else if (dilation != 1 || kernel == 1) {
    for (int64_t t = 0; t < kernel; ++t) {
      const T* from = x + t * dilation;
      const auto low = load(from), high = load(from + lanes);
      best.take(d, hn::ConcatEven(d, high, low), tap + t);
    }
  } else {
    int64_t t = 0;
    for (; t + 1 < kernel; t += 2) {
      const auto low = load(x + t), high = load(x + t + lanes);
      best.take(d, hn::ConcatEven(d, high, low), tap + t);
      best.take(d, hn::ConcatOdd(d, high, low), tap + t + 1);
    }
    if (t < kernel) {
      // The odd one out is read one cell early, so that nothing beyond the last window is touched.
      const auto low = load(x + t - 1), high = load(x + t - 1 + lanes);
      best.take(d, hn::ConcatOdd(d, high, low), tap + t);
    }
  }
}

template <int kStride, int kKernel, class D, class Row, class Best>
HWY_INLINE void columns_window_taps(D d, const Row& row, int64_t ow, Best& best) {
  const int64_t column = row.a.width.start(ow);
  for (int64_t r = 0; r < row.count; ++r) {
    const int64_t tap = row.first_taps[sizeof row.first_taps > sizeof(int64_t) ? r : 0];
    columns_row_taps<kStride, kKernel>(d, row.inputs[r] + column, row.a.width, tap, best);
  }
}

// Policy: the lane type T; taps (does it number taps?); fixed_kernels (is it worth code of its own for kernels 2 and 3?);
// vector_at<kStride, kKernel>(d, row, ow), which reduces and stores the lanes' outputs; cells(row, begin, end), the same one by one.
template <class Policy>
struct ColumnsTraversal {
  using T = typename Policy::T;
  using Row = ColumnsRow<T, Policy::taps>;

  // Outputs [begin, end) by vectors, the last one overlapping its neighbour; short rows by short vectors.
  template <int kStride, int kKernel, class D>
  static HWY_INLINE void vectors(D d, const Row& row, int64_t begin, int64_t end) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if (end - begin >= lanes) {
      for (int64_t ow = begin; ow < end; ow += lanes) Policy::template vector_at<kStride, kKernel>(d, row, HWY_MIN(ow, end - lanes));
    } else if constexpr (hn::MaxLanes(D()) * sizeof(T) > 32 && sizeof(T) <= 2) {
      vectors<kStride, 0>(hn::CappedTag<T, 32 / sizeof(T)>(), row, begin, end);
    } else if constexpr (hn::MaxLanes(D()) * sizeof(T) > 16) {
      vectors<kStride, 0>(hn::CappedTag<T, 16 / sizeof(T)>(), row, begin, end);
    } else {
      Policy::cells(row, begin, end);
    }
  }

  static constexpr int64_t widest = Policy::fixed_kernels && sizeof(T) >= 4 ? 4 : 2;

  // Which outputs vectors can serve: full windows whose reads stay inside the row.
  static Range vector_range(const AxisTable& w) noexcept {
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
  static HWY_INLINE void prefetch_ahead(const Row& row) {
    constexpr int64_t line = 64, most = 4096;
    const AxisTable& w = row.a.width;
    if (w.input > most || w.output > most || row.a.height.stride > most) return;
    const int64_t read = w.input * row.a.height.stride * static_cast<int64_t>(sizeof(T));
    const int64_t written = w.output * static_cast<int64_t>(sizeof(T));
    if (read > most) return;
    // Addresses, not pointers: they may lie beyond the arrays, where prefetching does nothing.
    const uintptr_t input = reinterpret_cast<uintptr_t>(row.inputs[row.count - 1]) + 4096;
    const uintptr_t output = reinterpret_cast<uintptr_t>(row.output) + 1024;
    // Written out twice: GCC takes a function that only prefetches for one without effect, and drops its calls.
    // NOLINTBEGIN(performance-no-int-to-ptr)
    for (int64_t i = 0; i < read; i += line) __builtin_prefetch(reinterpret_cast<const void*>(input + static_cast<uintptr_t>(i)));
    for (int64_t i = 0; i < written; i += line) __builtin_prefetch(reinterpret_cast<const void*>(output + static_cast<uintptr_t>(i)), 1);
    // NOLINTEND(performance-no-int-to-ptr)
  }

  template <int kStride, int kKernel>
  static void run_rows(const KernelArgs& a, const Tile& tile) noexcept {
    const Range inside = vector_range(a.width);
    RowPosition p = RowPosition::of_row(a, tile.begin);
    for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) {
      const Row row(a, p);
      if (row.count == 0 || inside.size() == 0) {
        Policy::cells(row, 0, a.width.output);
        continue;
      }
      prefetch_ahead(row);
      if (inside.begin > 0) Policy::cells(row, 0, inside.begin);
      vectors<kStride, kKernel>(hn::ScalableTag<T>(), row, inside.begin, inside.end);
      if (inside.end < a.width.output) Policy::cells(row, inside.end, a.width.output);
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const AxisTable& w = a.width;
    if constexpr (Policy::fixed_kernels) {
      if (w.stride == 1 && w.kernel == 3 && w.dilation == 1) return run_rows<1, 3>(a, tile);
      if (w.stride == 2 && w.kernel == 2 && w.dilation == 1) return run_rows<2, 2>(a, tile);
      if (w.stride == 2 && w.kernel == 3 && w.dilation == 1) return run_rows<2, 3>(a, tile);
    }
    if constexpr (widest == 4) {
      if (w.stride == 3) return run_rows<3, 0>(a, tile);
      if (w.stride == 4) return run_rows<4, 0>(a, tile);
    }
    return w.stride == 1 ? run_rows<1, 0>(a, tile) : run_rows<2, 0>(a, tile);
  }

  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (p.geometry.depth().kernel() * p.geometry.height().kernel() > max_window_rows) return {"window has more than 64 rows"};
    return {};
  }

  // A row costs its vectors, short ones if it is short, its border cell by cell, and what every row costs.
  static double cost(const Problem& p) {
    const Axis& w = p.geometry.width();
    const double lanes = static_cast<double>(hn::Lanes(hn::ScalableTag<T>())), few = 16.0 / sizeof(T);
    const double full = w.stride() > widest || (w.stride() > 2 && w.dilation() != 1) ? 0 : static_cast<double>(w.interior().size());
    const double border = static_cast<double>(w.output()) - full;
    const double vectors = full >= lanes ? std::ceil(full / lanes) : full >= few ? std::ceil(full / few) : full;
    return (static_cast<double>(p.geometry.window_taps()) * 2 * (vectors + border) + 20) / static_cast<double>(HWY_MAX(w.output(), 1));
  }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};

#endif  // one lane has nothing to split

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
