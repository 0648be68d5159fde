// Max and min pooling of small planes whose windows follow each other column by column, at a cost that grows with the logarithm of the
// window: the best of each row's taps first, then the best of those down the rows. Padding keeps all rounds free of borders, see
// padded-inl.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_padded.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/padded-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// One round over cells that already hold the best of `width` taps: the best of up to four of them is the best of more, and of just as many
// as the kernel has when the last of them overlaps.
//
//   kernel 7   taps         a b c d e f g
//              first round  abc bcd cde …       three cells
//              second       abc + def + efg     three again, and that is all seven
struct Round {
  int count = 1;
  int64_t offsets[4] = {0, 0, 0, 0};

  // Moves *width on.
  static Round next(int64_t* width, int64_t kernel, int64_t step) noexcept {
    const int64_t w = *width;
    Round round;
    round.count = kernel <= 4 * w ? static_cast<int>((kernel + w - 1) / w) : w == 1 && kernel <= 9 ? 3 : 4;
    *width = HWY_MIN(kernel, w * round.count);
    for (int i = 0; i < 4; ++i) round.offsets[i] = HWY_MIN(i * w, *width - w) * step;
    return round;
  }
  // How many cells all rounds together read for one.
  static int64_t loads(int64_t kernel) noexcept {
    int64_t sum = 0;
    for (int64_t width = 1; width < kernel;) sum += next(&width, kernel, 1).count;
    return sum;
  }
};

template <class E>
struct PaddedExtremum {
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
    Held<D> sum;
    T rest = 0;
    const KernelArgs& a;

    HWY_INLINE Seen(D d, const KernelArgs& args) : sum(hn::Zero(d)), a(args) {}
    template <class AnyD>
    HWY_INLINE hn::Vec<AnyD> prepare(AnyD d, hn::Vec<AnyD> v) {
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

  // The best of what lies at the round's offsets from x, in their order. Rounds of three take the last one twice.
  template <bool kExact, bool kPair>
  static HWY_INLINE V best_of(const T* x, const Round& round) {
    const D d;
    const auto better = [&](V best, int64_t at) HWY_ATTR {
      const V next = hn::LoadU(d, x + at);
      return kExact ? R::combine(d, best, next) : R::combine_ordered(d, best, next);
    };
    const V two = better(hn::LoadU(d, x), round.offsets[1]);
    return kPair ? two : better(better(two, round.offsets[2]), round.offsets[3]);
  }
  template <bool kExact, bool kPair>
  static HWY_NOINLINE void all_cells(const T* from, T* to, int64_t cells, const Round& given) {
    const Round round = given;
    const int64_t count = cells - round.offsets[3];
    for (int64_t i = 0; i < count; i += lanes) hn::StoreU(best_of<kExact, kPair>(from + i, round), D(), to + i);
  }
  template <bool kExact, bool kPair>
  static HWY_NOINLINE void outputs(const KernelArgs& a, const T* from, PlanePrefetcher& next, const Round& given) {
    const D d;
    const Round round = given;
    const V mirrored = mirror(d, a);
    const int64_t count = a.width.output, end = count - lanes;  // where the last vector begins; before the row if that is shorter
    const int64_t row = a.width.input * a.height.stride, slice = a.width.input * a.height.input * a.depth.stride;
    const int64_t out_row = a.output_strides[dim_h], out_slice = a.output_strides[dim_d], rows = a.height.output, slices = a.depth.output;
    T* to = reinterpret_cast<T*>(a.output);
    for (int64_t od = 0; od < slices; ++od, from += slice, to += out_slice) {
      const T* top = from;
      T* out = to;
      for (int64_t oh = 0; oh < rows; ++oh, top += row, out += out_row) {
        next.step();
        for (int64_t i = 0; i < count; i += lanes) {
          const int64_t at = HWY_MAX(HWY_MIN(i, end), 0);
          const V value = hn::Xor(best_of<kExact, kPair>(top + at, round), mirrored);
          store_in_row<lanes>(out, at, count, [&](T* to_cells) HWY_ATTR { hn::StoreU(value, d, to_cells); });
        }
      }
    }
  }

  // The padded plane is one long row: results between the end of a row and the next one are not used. `best` is as large, and gets the best
  // of every window in one axis after the other.
  template <bool kExact>
  static HWY_NOINLINE void pool(const KernelArgs& a, PlanePrefetcher& next, T* best) {
    const int64_t row = a.width.input, slice = row * a.height.input, cells = slice * a.depth.input;
    const T* from = reinterpret_cast<const T*>(a.input);
    Round last;  // is done on the way out
    const auto reduce = [&](int64_t kernel, int64_t step, bool is_last) {
      for (int64_t width = 1; width < kernel;) {
        const Round round = Round::next(&width, kernel, step);
        if (is_last && width == kernel) return void(last = round);
        round.count == 2 ? all_cells<kExact, true>(from, best, cells, round) : all_cells<kExact, false>(from, best, cells, round);
        from = best;
      }
    };
    reduce(a.width.kernel, a.width.dilation, false);
    reduce(a.height.kernel, a.height.dilation * row, a.depth.kernel == 1);
    reduce(a.depth.kernel, a.depth.dilation * slice, true);
    last.count <= 2 ? outputs<kExact, true>(a, from, next, last) : outputs<kExact, false>(a, from, next, last);
  }

  static void pool_padded(const KernelArgs& a, const Seen& seen, PlanePrefetcher& next, T* scratch) noexcept {
    seen.in_doubt() || is_half<E> ? pool<true>(a, next, scratch) : pool<false>(a, next, scratch);
  }
  static int64_t padded_scratch(const Problem& p) {
    const Geometry& g = p.geometry;
    return padded_cells(g.depth()) * padded_cells(g.height()) * padded_cells(g.width()) + 2 * lanes;
  }
};

// Values alone: padding that ties with the largest cell must not be chosen.
template <class E>
struct MaxPadded : ExtremumBy<PaddedTraversal<PaddedExtremum<E>>, Lane<E>, false> {};
#endif  // one lane is no vector

std::span<const KernelEntry> max_padded_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = mirrored_entries<MaxPadded>("columns_padded", Split::planes);
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_padded_table);
std::span<const KernelEntry> max_pool_padded_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_padded_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
