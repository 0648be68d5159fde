// The backward pass of max and min pooling on vectors, from compact indices: a cell is the sum of the gradients of the windows that chose
// it.
//
//   stride 2, kernel 3      windows       0     1     2        cell 2 takes tap 2 of window 0 and tap 0 of window 1:
//   taps of cells 0 to 6    0 1 2/0 1 2/0 1 2                  (index 0 == 2 ? gradient 0 : 0) + (index 1 == 0 ? gradient 1 : 0)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/max_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/gather_channels-inl.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/gather_padded-inl.h"
#include "kernels/backward/gather_stacked-inl.h"
#include "kernels/backward/indexed.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// The number of the first tap, of those that windows (od, oh, …) have in input row (d, h).
inline int64_t row_tap(const KernelArgs& a, int64_t od, int64_t oh, int64_t d, int64_t h) noexcept {
  return (tap_of(a.depth, od, d) * a.height.kernel + tap_of(a.height, oh, h)) * a.width.kernel;
}

template <class Element>
struct ChoiceColumns {
  using E = Element;
  using S = Sum<E>;
  using Tap = hwy::MakeUnsigned<S>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  using Contribution = ArgmaxContribution<S>;
  using Row = typename Contribution::Row;

  // Gradients and indices of the rows that input rows ask for, widened once. The margins chose nothing.
  class Rows {
   public:
    static constexpr int64_t bytes = sizeof(S) + sizeof(Tap);
    Rows(const KernelArgs& a, std::byte* scratch, int64_t length, int64_t front) noexcept
        : a_(a), length_(length), front_(front), kept_(kept_rows(*a.depth.axis, *a.height.axis)) {
      grads_ = reinterpret_cast<S*>(scratch);
      taps_ = reinterpret_cast<Tap*>(grads_ + kept_ * length);
      std::fill_n(grads_, kept_ * length, S(0));
      std::fill_n(taps_, kept_ * length, static_cast<Tap>(-1));
    }
    void start(const ChannelRange& r) noexcept { r_ = r, ready_ = 0; }
    Row find(int64_t od, int64_t oh, int64_t d, int64_t h) noexcept {
      const int64_t number = od * a_.height.output + oh;
      for (; ready_ <= number; ++ready_) fill(ready_);
      const int64_t at = number % kept_ * length_ + front_;
      return {grads_ + at, taps_ + at, row_tap(a_, od, oh, d, h)};
    }

   private:
    HWY_NOINLINE void fill(int64_t number) noexcept {
      const hn::ScalableTag<S> d;
      const int64_t od = number / a_.height.output, oh = number % a_.height.output, count = a_.width.output;
      const int64_t at = number % kept_ * length_ + front_;
      const int64_t step = a_.input_strides[dim_w], index_step = a_.index_strides[dim_w];
      const E* grad = reinterpret_cast<const E*>(a_.input) + offset5(a_.input_strides, r_.n, r_.begin, od, oh, 0);
      const uint8_t* index = reinterpret_cast<const uint8_t*>(a_.index) + offset5(a_.index_strides, r_.n, r_.begin, od, oh, 0);
      int64_t i = 0;
      if (step == 1)
        for (; i + lanes <= count; i += lanes) hn::StoreU(load_wide(d, grad + i), d, grads_ + at + i);
      for (; i < count; ++i) grads_[at + i] = static_cast<S>(grad[i * step]);
      i = 0;
      const hn::ScalableTag<Tap> dt;
      if (index_step == 1)
        for (; i + lanes <= count; i += lanes) hn::StoreU(load_taps(dt, index + i), dt, taps_ + at + i);
      for (; i < count; ++i) taps_[at + i] = index[i * index_step];
    }

    const KernelArgs& a_;
    ChannelRange r_{};
    S* grads_;
    Tap* taps_;
    int64_t length_, front_, kept_, ready_ = 0;
  };
};

// Gradients and indices are read where they are.
template <class Element>
struct ChoiceChannels {
  using E = Element;
  using S = Sum<E>;
  using Tap = hwy::MakeUnsigned<S>;

  struct Row {
    const E* grads;
    const uint8_t* taps;
    int64_t first_tap;
  };

  struct Rows {
    const KernelArgs& a;
    ChannelRange r{};

    Rows(const KernelArgs& args, std::byte*) noexcept : a(args) {}
    static int64_t scratch(const Geometry&, int64_t) { return 0; }
    void start(const ChannelRange& range) noexcept { r = range; }
    Row find(int64_t od, int64_t oh, int64_t d, int64_t h) const noexcept {
      return {reinterpret_cast<const E*>(a.input) + offset5(a.input_strides, r.n, r.begin, od, oh, 0),
              reinterpret_cast<const uint8_t*>(a.index) + offset5(a.index_strides, r.n, r.begin, od, oh, 0), row_tap(a, od, oh, d, h)};
    }
  };

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.input_strides[dim_c] == 1 && a.index_strides[dim_c] == 1; }
  template <class D>
  static HWY_INLINE hn::Vec<D> contribution(D d, const KernelArgs& a, const Row& row, int64_t ow, int64_t c, int64_t tap) {
    const hn::RebindToUnsigned<D> dt;
    const auto chosen = hn::Set(dt, static_cast<Tap>(row.first_tap + tap));
    const auto chose = hn::Eq(load_taps(dt, row.taps + ow * a.index_strides[dim_w] + c), chosen);
    return hn::IfThenElseZero(hn::RebindMask(d, chose), load_wide(d, row.grads + ow * a.input_strides[dim_w] + c));
  }
  static S one_contribution(const KernelArgs& a, const Row& row, int64_t ow, int64_t c, int64_t tap) {
    if (row.taps[ow * a.index_strides[dim_w] + c] != row.first_tap + tap) return 0;
    return static_cast<S>(row.grads[ow * a.input_strides[dim_w] + c]);
  }
};

inline Fit fits_max_gather(const Problem& p) {
  if (p.indices != IndexBase::window) return {"indices are not compact"};
  if (p.geometry.window_taps() > 255) return {"more than 255 taps do not leave a byte for none"};
  return {};
}

// Nanoseconds a cell, as measured with 16 lanes: for itself, for each window that may have chosen it, and its share of a row.
struct GatherCost {
  double cell, window, row;
};
constexpr GatherCost columns_cost{0.2, 0.15, 20}, padded_cost{0.3, 0.1, 11}, stacked_cost{0.1, 0.17, 6}, transposed_cost{0.6, 0.2, 0};

inline double gather_cost(const Problem& p, GatherCost cost, int64_t lanes) {
  const double width = static_cast<double>(std::max<int64_t>(p.geometry.width().input(), 1));
  return cost.cell + cost.window * CellCounts(p.geometry).windows * 16 / static_cast<double>(lanes) + cost.row / width;
}

// Arrays that are not adjacent have their indices followed.
template <class Kernel>
struct MaxGather : Kernel {
  static Fit fits(const Problem& p) {
    const Fit fit = fits_max_gather(p);
    return fit.ok() ? Kernel::fits(p) : fit;
  }
};
template <template <class> class Kernel, class E, const GatherCost& kCost>
struct MaxGatherPlanes : MaxGather<WithReferenceFallback<Kernel<E>, IndexScatter<E, Split::planes>, E, Split::planes>> {
  static double cost(const Problem& p) { return gather_cost(p, kCost, ChoiceColumns<E>::lanes); }
};
template <class E>
using ColumnsOf = GatherByColumns<ChoiceColumns<E>>;
template <class E>
using PaddedOf = GatherPadded<E, true>;
template <class E>
using StackedOf = GatherStacked<E, true>;
template <class E>
using MaxGatherColumns = MaxGatherPlanes<ColumnsOf, E, columns_cost>;
template <class E>
using MaxGatherPadded = MaxGatherPlanes<PaddedOf, E, padded_cost>;
template <class E>
using MaxGatherStacked = MaxGatherPlanes<StackedOf, E, stacked_cost>;
// With dilation every window of a range is tried.
template <class E>
struct MaxGatherChannels
    : MaxGather<
          WithReferenceFallback<GatherByChannels<ChoiceChannels<E>>, IndexScatter<E, Split::channel_blocks>, E, Split::channel_blocks>> {
  static double cost(const Problem& p) {
    const Geometry& g = p.geometry;
    const double windows = CellCounts(g).windows, vectors = static_cast<double>(channel_vectors<Sum<E>>(g.channels()));
    if (vectors == 0) return 7 * windows;
    return 4 * (1 + windows * (g.width().dilation() == 1 ? 1 : 2)) * vectors / static_cast<double>(g.channels());
  }
};

// The same, on planes that are transposed.
template <class E>
struct MaxGatherTransposed : TransposedTraversal<GatherByChannels<ChoiceChannels<E>>> {
  using Base = TransposedTraversal<GatherByChannels<ChoiceChannels<E>>>;
  static Fit fits(const Problem& p) {
    if (const Fit fit = fits_max_gather(p); !fit.ok()) return fit;
    if (const Fit fit = Base::fits(p); !fit.ok()) return fit;
    return fits_gather(p);
  }
  static double cost(const Problem& p) { return gather_cost(p, transposed_cost, ChoiceColumns<E>::lanes); }
};

#endif  // one lane is no vector: the scalar kernels serve that target

std::span<const KernelEntry> max_gather_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  constexpr EnumSet<Op> ops = {Op::max, Op::min};
  static constexpr auto table = join(gather_entries<MaxGatherColumns>("columns", Split::planes, ops),
                                     gather_entries<MaxGatherChannels>("channels", Split::channel_blocks, ops),
                                     gather_entries<MaxGatherTransposed>("columns_transposed", Split::planes, ops),
                                     gather_entries<MaxGatherPadded>("columns_padded", Split::planes, ops),
                                     gather_entries<MaxGatherStacked>("columns_stacked", Split::planes, ops));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_gather_table);
std::span<const KernelEntry> max_pool_gather_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_gather_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
