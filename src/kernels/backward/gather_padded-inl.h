// Backward passes of small planes whose windows follow each other cell by cell: what the windows give is copied into a frame, see
// framed-inl.h, with nothing around it, so that every cell is the sum of a whole window of them. Included once per target, inside
// foreach_target.
//
//   kernel 3, padding 1     windows     a b c d          frame   . a b c d .        cell 0 = . + a + b, cell 1 = a + b + c, …
//   window a is tap 1 of cell 0, window b its tap 0: windows come in their order, taps count down.
#if defined(TIDEPOOL_CELLS_FRAMED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CELLS_FRAMED_INL_H_
#undef TIDEPOOL_CELLS_FRAMED_INL_H_
#else
#define TIDEPOOL_CELLS_FRAMED_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/forward/padded-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// kTaps: a window gives its gradient to the tap that its index names; otherwise its gradient over the divisor to all of them.
template <class E, bool kTaps>
struct GatherPadded {
  using S = Sum<E>;
  using Tap = hwy::MakeUnsigned<S>;
  using D = hn::ScalableTag<S>;
  using DT = hn::ScalableTag<Tap>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));

  // One axis of the frame: windows in front of the first, those that hold a cell, and all places.
  struct Side {
    int64_t front, kept, places;
    explicit Side(const AxisTable& x) noexcept
        : front(x.kernel - 1 - x.pad_before), kept(HWY_MIN(x.output, x.input + x.pad_before)), places(x.input + x.kernel - 1) {}
  };

  template <class From, class To, class Convert>
  static HWY_INLINE void copy_row(const From* from, int64_t count, To* to, Convert convert) {
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) convert(from + i, to + i);
    if (i == count) return;
    if (count >= lanes) return convert(from + count - lanes, to + count - lanes);
    From few[lanes] = {};
    To wide[lanes];
    std::copy_n(from, count, few);
    convert(few, wide);
    std::copy_n(wide, count, to);
  }
  // One row of cells; grads and taps point at the first window of the first cell.
  static HWY_INLINE void row(const KernelArgs& a, const S* grads, const Tap* taps, int64_t slice, int64_t places, E* out) {
    const D d;
    const DT dt;
    const int64_t kd = a.depth.kernel, kh = a.height.kernel, kw = a.width.kernel, cells = a.width.input, last = cells - lanes;
    for (int64_t i = 0; i < cells; i += lanes) {
      const int64_t at = HWY_MAX(HWY_MIN(i, last), 0);
      auto sum = hn::Zero(d);
      int64_t tap = kd * kh * kw;
      for (int64_t z = 0; z < kd; ++z)
        for (int64_t y = 0; y < kh; ++y) {
          const int64_t first = at + z * slice + y * places;
          const auto give = [&](int64_t x) HWY_ATTR {
            auto given = hn::LoadU(d, grads + first + x);
            if constexpr (kTaps) {
              const auto chose = hn::Eq(hn::LoadU(dt, taps + first + x), hn::Set(dt, static_cast<Tap>(tap - 1 - x)));
              given = hn::IfThenElseZero(hn::RebindMask(d, chose), given);
            }
            sum = hn::Add(sum, given);
          };
          if (kw == 3)
            unrolled<3>([&](auto x) HWY_ATTR { give(x); });
          else
            for (int64_t x = 0; x < kw; ++x) give(x);
          tap -= kw;
        }
      store_in_row<lanes>(out, at, cells, [&](E* to) HWY_ATTR { store_narrow(d, sum, to); });
    }
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const D d;
    const Side sz(a.depth), sy(a.height), sx(a.width);
    const int64_t places = sx.places, slice = places * sy.places, all = slice * sz.places + lanes;
    S* grads = reinterpret_cast<S*>(tile.scratch);
    Tap* taps = reinterpret_cast<Tap*>(grads + all);
    std::fill_n(grads, all, S(0));
    if constexpr (kTaps) std::fill_n(taps, all, static_cast<Tap>(-1));
    const int64_t corner = sz.front * slice + sy.front * places + sx.front;
    const auto by = hn::Set(d, kTaps ? S(1) : static_cast<S>(whole_divisor(a)));
    const Strides5 &in = a.input_strides, &out = a.output_strides, &index = a.index_strides;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const int64_t n = u / a.channels, c = u % a.channels;
      const E* from = reinterpret_cast<const E*>(a.input) + n * in[dim_n] + c * in[dim_c];
      const uint8_t* chosen = reinterpret_cast<const uint8_t*>(a.index) + n * index[dim_n] + c * index[dim_c];
      E* to = reinterpret_cast<E*>(a.output) + n * out[dim_n] + c * out[dim_c];
      for (int64_t z = 0; z < sz.kept; ++z)
        for (int64_t y = 0; y < sy.kept; ++y) {
          const int64_t at = corner + z * slice + y * places;
          copy_row(from + z * in[dim_d] + y * in[dim_h], sx.kept, grads + at, [&](const E* x, S* wide) HWY_ATTR {
            const auto v = load_wide(d, x);
            hn::StoreU(kTaps ? v : hn::Div(v, by), d, wide);
          });
          if constexpr (kTaps)
            copy_row(chosen + z * index[dim_d] + y * index[dim_h], sx.kept, taps + at,
                     [](const uint8_t* x, Tap* wide) HWY_ATTR { hn::StoreU(load_taps(DT(), x), DT(), wide); });
        }
      PlanePrefetcher next(from, sz.kept * sy.kept * sx.kept * static_cast<int64_t>(sizeof(E)), to,
                           a.input_plane() * static_cast<int64_t>(sizeof(E)), a.depth.input * a.height.input);
      for (int64_t z = 0; z < a.depth.input; ++z)
        for (int64_t y = 0; y < a.height.input; ++y) {
          const int64_t at = z * slice + y * places;
          next.step();
          row(a, grads + at, taps + at, slice, places, to + z * out[dim_d] + y * out[dim_h]);
        }
    }
  }

  static int64_t places(const Axis& x) noexcept { return x.input() + x.kernel() - 1; }
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const int64_t all = places(g.depth()) * places(g.height()) * places(g.width()) + lanes;
    return all * static_cast<int64_t>(sizeof(S)) * (kTaps ? 2 : 1);
  }
  static int64_t grain(const Problem&) { return 8; }
  static bool is_adjacent(const KernelArgs& a) noexcept {
    return a.output_strides[dim_w] == 1 && a.input_strides[dim_w] == 1 && (!kTaps || a.index_strides[dim_w] == 1);
  }

  static Fit fits(const Problem& p) {
    const Geometry& g = p.geometry;
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    constexpr int64_t most = most_padded_bytes / static_cast<int64_t>(sizeof(S));
    for (int i = 0; i < 3; ++i) {
      const Axis& x = g.axis(i);
      if (!x.is_even() || x.stride() != 1 || x.dilation() != 1) return {"windows do not follow each other cell by cell"};
      if (x.pad_before() >= x.kernel()) return {"the first windows hold no cell"};
      if (x.output() < 1 || x.input() > most || x.kernel() > most) return {"planes are empty, or too large to copy"};
    }
    if (places(g.depth()) * places(g.height()) > most / places(g.width())) return {"planes are too large to copy"};
    return {};
  }
  // Between columns, which lose time at every row, and transposing.
  static double cost(const Problem& p) { return 0.5 + 5 / static_cast<double>(HWY_MAX(p.geometry.width().input(), 1)); }
};

#endif  // one lane is no vector

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
