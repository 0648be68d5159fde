// Max and min pooling of small planes whose windows follow each other column by column: the best of each row's taps first, then the best
// of those down the rows. Frames keep both passes free of borders, see framed-inl.h.
//
//   kernel 3   rows    a b c d e      best of three   abc bcd cde        window   abc
//                      f g h i j                      fgh ghi hij                 fgh
//                      k l m n o                      klm lmn mno                 klm
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/max_pool_framed.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/extremum-inl.h"
#include "kernels/framed-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E>
struct FramedExtremum {
  using R = Extremum<E, false>;
  using T = Lane<E>;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));

  template <class AnyD>
  static HWY_INLINE hn::Vec<AnyD> blank(AnyD d) {
    return R::identity(d);
  }

  // Mirrors the cells, and says whether a NaN may be among them.
  struct Seen {
    V sum;
    T rest = 0;
    const KernelArgs& a;

    HWY_INLINE Seen(D d, const KernelArgs& args) : sum(hn::Zero(d)), a(args) {}
    template <class AnyD>
    HWY_INLINE hn::Vec<AnyD> look(AnyD d, hn::Vec<AnyD> v) {
      if constexpr (!R::checks_nan)
        (void)d;
      else if constexpr (hn::MaxLanes(AnyD()) == hn::MaxLanes(D()))
        sum = hn::Add(sum, v);
      else
        rest += hn::GetLane(hn::SumOfLanes(d, v));
      return hn::Xor(v, mirror(d, a));
    }
    HWY_INLINE bool in_doubt() const {
      if constexpr (R::checks_nan) return !hn::AllFalse(D(), hn::IsNaN(hn::Add(sum, hn::Set(D(), rest))));
      return false;
    }
  };

  // The best of `count` vectors, `step` cells apart, in their order.
  template <bool kExact>
  static HWY_INLINE V best_of(const T* x, int64_t count, int64_t step) {
    const D d;
    V best = hn::LoadU(d, x);
    const auto take = [&](V next) HWY_ATTR { best = kExact ? R::combine(d, best, next) : R::combine_ordered(d, best, next); };
    if (count == 3) {
      take(hn::LoadU(d, x + step));
      take(hn::LoadU(d, x + 2 * step));
      return best;
    }
    for (int64_t t = 1; t < count; ++t) take(hn::LoadU(d, x + t * step));
    return best;
  }

  // `across` gets the best of every row's taps, for all rows of the frame.
  template <bool kExact>
  static HWY_NOINLINE void pool(const KernelArgs& a, NextPlane& next, T* HWY_RESTRICT across) {
    const D d;
    const AxisTable w = a.width, h = a.height, z = a.depth;
    const int64_t length = (w.output + lanes - 1) / lanes * lanes, rows = z.input * h.input;
    const T* HWY_RESTRICT from = reinterpret_cast<const T*>(a.input);
    T* to = across;
    for (int64_t r = 0; r < rows; ++r, from += w.input, to += length)
      for (int64_t i = 0; i < length; i += lanes) hn::StoreU(best_of<kExact>(from + i, w.kernel, w.dilation), d, to + i);
    const int64_t row_step = h.dilation * length, slice_step = z.dilation * h.input * length;
    const V mirrored = mirror(d, a);
    const int64_t last = w.output - lanes;  // where the last vector begins; before the row if that is shorter
    for (int64_t od = 0; od < z.output; ++od)
      for (int64_t oh = 0; oh < h.output; ++oh) {
        const T* HWY_RESTRICT top = across + (od * z.stride * h.input + oh * h.stride) * length;
        T* HWY_RESTRICT out = reinterpret_cast<T*>(a.output) + od * a.output_strides[dim_d] + oh * a.output_strides[dim_h];
        next.ask();
        for (int64_t i = 0; i < w.output; i += lanes) {
          const int64_t at = HWY_MAX(HWY_MIN(i, last), 0);
          V best = best_of<kExact>(top + at, h.kernel, row_step);
          for (int64_t t = 1; t < z.kernel; ++t) {
            const V below = best_of<kExact>(top + at + t * slice_step, h.kernel, row_step);
            best = kExact ? R::combine(d, best, below) : R::combine_ordered(d, best, below);
          }
          store_in_row<lanes>(out, at, w.output, [&](T* to_cells) HWY_ATTR { hn::StoreU(hn::Xor(best, mirrored), d, to_cells); });
        }
      }
  }

  static void pool_frame(const KernelArgs& a, const Seen& seen, NextPlane& next, T* scratch) noexcept {
    seen.in_doubt() || is_half<E> ? pool<true>(a, next, scratch) : pool<false>(a, next, scratch);
  }
  static double row_cost(const Geometry& g, double rows) {
    return rows * static_cast<double>(g.width().kernel() + 1) + static_cast<double>(g.height().kernel() * g.depth().kernel() + 1);
  }
  static int64_t frame_scratch(const Problem& p) {
    const Geometry& g = p.geometry;
    return framed_cells(g.depth()) * framed_cells(g.height()) * ((g.width().output() + lanes - 1) / lanes * lanes);
  }
};

// Values alone: padding that ties with the largest cell must not be chosen.
template <class E>
struct MaxFramed : ExtremumBy<FramedTraversal<FramedExtremum<E>>, Lane<E>, false> {};
#endif  // one lane is no vector

std::span<const KernelEntry> max_framed_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto entries = mirrored_entries<MaxFramed>("framed", Split::planes);
  return entries;
#endif
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(max_framed_table);
std::span<const KernelEntry> max_pool_framed_kernels() { return HWY_DYNAMIC_DISPATCH(max_framed_table)(); }
}  // namespace tidepool::detail
#endif
