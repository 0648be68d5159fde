// What the vector kernels of average pooling's backward pass share: the gradients of output rows, divided once and kept while input rows
// need them. Included once per target, inside foreach_target.
#if defined(TIDEPOOL_SHARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SHARES_INL_H_
#undef TIDEPOOL_SHARES_INL_H_
#else
#define TIDEPOOL_SHARES_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/avg_pool_cell.h"
#include "kernels/kernel.h"
#include "kernels/scatter.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t most_rows_over = 64;

// The windows of an axis that hold a cell lie in this range; with dilation not all of it do.
inline Range holders(const AxisTable& x, int64_t cell) noexcept {
  const int64_t behind = cell + x.pad_before - (x.kernel - 1) * x.dilation;
  return {behind <= 0 ? 0 : (behind + x.stride - 1) / x.stride, HWY_MIN((cell + x.pad_before) / x.stride + 1, x.output)};
}
inline bool holds(const AxisTable& x, int64_t o, int64_t cell) noexcept {
  return x.dilation == 1 || (cell + x.pad_before - o * x.stride) % x.dilation == 0;
}
// The most windows that can hold one cell.
inline int64_t most_holders(const Axis& x) noexcept { return HWY_MIN(x.output(), (x.kernel() - 1) * x.dilation() / x.stride() + 1); }

// Output rows that must be kept: those that one input row can ask for, or all when depth brings rows back.
inline int64_t kept_rows(const Axis& depth, const Axis& height) noexcept {
  return depth.output() > 1 || depth.kernel() > 1 ? depth.output() * height.output() : most_holders(height);
}

// Rows of `front` zeros, then the outputs, cell_length elements each, then zeros.
template <class E>
struct Shares {
  using S = Sum<E>;

  const KernelArgs& a;
  ChannelRange r;
  S* rows;
  int64_t row_length, front, cell_length, kept, ready = 0;

  const S* row(int64_t od, int64_t oh) noexcept {
    const int64_t number = od * a.height.output + oh;
    for (; ready <= number; ++ready) fill(ready);
    return rows + number % kept * row_length + front;
  }

  // The rows that hold an input row, in order.
  int64_t over(int64_t d, int64_t h, const S** found) noexcept {
    int64_t count = 0;
    const Range over_d = holders(a.depth, d), over_h = holders(a.height, h);
    for (int64_t od = over_d.begin; od < over_d.end; ++od)
      for (int64_t oh = over_h.begin; oh < over_h.end; ++oh)
        if (holds(a.depth, od, d) && holds(a.height, oh, h)) found[count++] = row(od, oh);
    return count;
  }

 private:
  HWY_NOINLINE void fill(int64_t number) noexcept {
    const int64_t od = number / a.height.output, oh = number % a.height.output;
    S* to = rows + number % kept * row_length + front;
    const Strides5& s = a.input_strides;
    const E* grad = reinterpret_cast<const E*>(a.input) + offset5(s, r.n, r.begin, od, oh, 0);
    const Window wd = a.depth.window(od), wh = a.height.window(oh);
    const int64_t channels = r.end - r.begin;
    for (int64_t ow = 0; ow < a.width.output;) {
      const int64_t divisor = divisor_of(a, wd, wh, a.width.window(ow));
      if (cell_length == 1 && ow == a.width.interior.begin && a.width.interior.size() > 0) {  // one divisor for all that are inside
        divide(grad + ow * s[dim_w], s[dim_w], a.width.interior.size(), divisor, to + ow * cell_length);
        ow = a.width.interior.end;
      } else {
        divide(grad + ow * s[dim_w], s[dim_c], channels, divisor, to + ow * cell_length);
        ++ow;
      }
    }
  }

  static HWY_INLINE void divide(const E* grad, int64_t step, int64_t count, int64_t divisor, S* to) noexcept {
    if (divisor == 0) return static_cast<void>(std::fill_n(to, count, S(0)));
    const S by = static_cast<S>(divisor);
    int64_t i = 0;
    if constexpr (!is_half<E>) {
      const hn::ScalableTag<S> d;
      const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
      if (step == 1)
        for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Div(hn::LoadU(d, grad + i), hn::Set(d, by)), d, to + i);
    }
    for (; i < count; ++i) to[i] = static_cast<S>(grad[i * step]) / by;
  }
};

// Sums as cells of the output.
template <class E>
void store_cells(const Sum<E>* from, int64_t count, E* to) noexcept {
  for (int64_t i = 0; i < count; ++i) to[i] = E(from[i]);
}

// What both kernels need: windows at equal steps, few enough over one cell, and rows of shares that fit somewhere.
inline Fit fits_shares(const Problem& p, int64_t scratch) {
  const Geometry& g = p.geometry;
  if (g.width().is_adaptive()) return {"windows differ in size"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (most_holders(g.depth()) * most_holders(g.height()) > most_rows_over) return {"more than 64 rows of windows hold a cell"};
  if (scratch > 1 << 26) return {"its rows of scratch would take more than 64 MiB"};
  return {};
}

#endif  // one lane has nothing to share

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
