// The backward pass of max and min pooling on vectors, from compact indices: a cell is the sum of the gradients of the windows that chose
// it.
//
//   stride 2, kernel 3      windows       0     1     2        cell 2 takes tap 2 of window 0 and tap 0 of window 1:
//   taps of cells 0 to 6    0 1 2/0 1 2/0 1 2                  (index 0 == 2 ? gradient 0 : 0) + (index 1 == 0 ? gradient 1 : 0)
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/max_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/gather_channels-inl.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/indexed.h"
#include "kernels/backward/scatter-inl.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// The most taps of a window: a byte keeps one value for "nothing chosen".
inline constexpr int64_t most_taps = 255;

// Gradients and taps of rows of windows, widened once. Margins chose nothing.
template <class S, class E>
class StagedChoices : public StagedRows {
 public:
  using Contribution = ArgmaxContribution<S>;
  using Tap = typename Contribution::Tap;
  using Row = typename Contribution::Row;

  StagedChoices(const KernelArgs& a, std::byte* scratch, int64_t front, int64_t length) noexcept
      : StagedRows(a, RowRing(*a.depth.axis, *a.height.axis, columns_ahead)), front_(front), length_(length) {
    const int64_t all = ring_.count() * length;
    grads_ = reinterpret_cast<S*>(scratch);
    taps_ = reinterpret_cast<Tap*>(grads_ + all);
    numbers_ = taps_ + all;
    std::fill_n(grads_, all, S(0));
    std::fill_n(taps_, all, static_cast<Tap>(-1));
    std::iota(numbers_, numbers_ + most_taps, Tap(0));
  }
  // The row of windows from number `first` of the staged row on.
  Row find(const Covering& in_depth, const Covering& in_height, int64_t first) noexcept {
    const int64_t slot = this->slot(in_depth.window, in_height.window, [&](int64_t to, int64_t od, int64_t oh) { fill(to, od, oh); });
    const int64_t at = slot * length_ + first;
    return {grads_ + at, taps_ + at, numbers_ + (in_depth.tap * a_.height.kernel + in_height.tap) * a_.width.kernel};
  }
  static int64_t bytes_for(const RowRing& ring, int64_t length) {
    return ring.count() * length * static_cast<int64_t>(sizeof(S) + sizeof(Tap)) + most_taps * static_cast<int64_t>(sizeof(Tap));
  }

 private:
  HWY_NOINLINE void fill(int64_t slot, int64_t od, int64_t oh) noexcept {
    const int64_t at = slot * length_ + front_;
    const E* grad = reinterpret_cast<const E*>(a_.input) + offset5(a_.input_strides, r_.n, r_.begin, od, oh, 0);
    const uint8_t* tap = reinterpret_cast<const uint8_t*>(a_.index) + offset5(a_.index_strides, r_.n, r_.begin, od, oh, 0);
    by_vectors(hn::ScalableTag<S>(), a_.width.output, [&](auto d, int64_t i) HWY_ATTR {
      const hn::RebindToUnsigned<decltype(d)> dt;
      hn::StoreU(load_grads(d, grad + i), d, grads_ + at + i);
      hn::StoreU(load_taps(dt, tap + i), dt, taps_ + at + i);
    });
  }

  S* grads_;
  Tap* taps_;
  Tap* numbers_;
  int64_t front_, length_;
};

template <class Element>
struct ChoiceColumns {
  using E = Element;
  using Rows = StagedChoices<Sum<E>, E>;
  using Contribution = typename Rows::Contribution;
  static bool is_adjacent(const KernelArgs& a) noexcept { return a.input_strides[dim_w] == 1 && a.index_strides[dim_w] == 1; }
};

// Channels last, gradients and indices are read where they are.
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
  class Rows {
   public:
    Rows(const KernelArgs& a, std::byte*) noexcept : a_(a) {}
    static int64_t bytes_for(const Geometry&, int64_t) { return 0; }
    void start(const ChannelRange& range) noexcept { r_ = range; }
    Row row(const Covering& in_depth, const Covering& in_height) const noexcept {
      return {reinterpret_cast<const E*>(a_.input) + offset5(a_.input_strides, r_.n, r_.begin, in_depth.window, in_height.window, 0),
              reinterpret_cast<const uint8_t*>(a_.index) + offset5(a_.index_strides, r_.n, r_.begin, in_depth.window, in_height.window, 0),
              (in_depth.tap * a_.height.kernel + in_height.tap) * a_.width.kernel};
    }

   private:
    const KernelArgs& a_;
    ChannelRange r_{};
  };

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.input_strides[dim_c] == 1 && a.index_strides[dim_c] == 1; }
  // What one window contributes to one cell, channel by channel.
  struct Source {
    const E* grads;
    const uint8_t* taps;
    Tap tap;
    HWY_INLINE Source(const KernelArgs& a, const Row& row, const Covering& in_width)
        : grads(row.grads + in_width.window * a.input_strides[dim_w]),
          taps(row.taps + in_width.window * a.index_strides[dim_w]),
          tap(static_cast<Tap>(row.first_tap + in_width.tap)) {}
    template <class D>
    HWY_INLINE hn::Vec<D> contribution(D d, int64_t c) const {
      const hn::RebindToUnsigned<D> dt;
      const auto chose = hn::Eq(load_taps(dt, taps + c), hn::Set(dt, tap));
      return hn::IfThenElseZero(hn::RebindMask(d, chose), load_grads(d, grads + c));
    }
  };
};

inline Fit fits_choices(const Problem& p) {
  if (p.indices != IndexBase::window) return {"indices are not compact"};
  if (p.geometry.window_taps() > most_taps) return {"more than 255 taps do not leave a byte for none"};
  return {};
}
template <class Kernel>
struct FitsChoices : Kernel {
  static Fit fits(const Problem& p) {
    const Fit fit = fits_choices(p);
    return fit.ok() ? Kernel::fits(p) : fit;
  }
};

// Arrays that are not adjacent have their indices followed.
template <class E>
using MaxGatherColumns = FitsChoices<WithReferenceFallback<GatherByColumns<ChoiceColumns<E>>, IndexScatter<E, Split::planes>>>;
template <class E>
using MaxGatherChannels = FitsChoices<WithReferenceFallback<GatherByChannels<ChoiceChannels<E>>, IndexScatter<E, Split::channel_blocks>>>;

// Scattering, which serves all problems: other indices are followed one by one.
template <class E, Split kSplit>
struct MaxScatter : WithReferenceFallback<ScatterByTaps<E, kSplit>, IndexScatter<E, kSplit>> {
  static Fit fits(const Problem& p) { return IndexScatter<E, kSplit>::fits(p); }
};
template <class E>
using MaxScatterColumns = MaxScatter<E, Split::planes>;
template <class E>
using MaxScatterChannels = MaxScatter<E, Split::channel_blocks>;

// The same, on planes that are transposed.
template <class E>
struct MaxGatherTransposed : FitsChoices<TransposedTraversal<GatherByChannels<ChoiceChannels<E>>>> {
  using Base = FitsChoices<TransposedTraversal<GatherByChannels<ChoiceChannels<E>>>>;
  static Fit fits(const Problem& p) {
    const Fit fit = Base::fits(p);
    return fit.ok() ? fits_gather(p) : fit;
  }
};

#endif  // one lane is no vector: the scalar kernels serve that target

std::span<const KernelEntry> max_gather_table() {
  constexpr EnumSet<Op> ops = {Op::max, Op::min};
#if HWY_TARGET == HWY_SCALAR
  static constexpr auto table = channel_range_entries<IndexScatter>(
      {.name = "indexed", .ops = ops, .passes = Pass::backward, .split = Split::planes}, "indexed_channels", FloatTypes());
  return table;
#else
  static constexpr auto table = join(gather_entries<MaxGatherColumns>("columns", Split::planes, ops),
                                     gather_entries<MaxGatherChannels>("channels", Split::channel_blocks, ops),
                                     gather_entries<MaxGatherTransposed>("columns_transposed", Split::planes, ops),
                                     gather_entries<MaxScatterColumns>("indexed", Split::planes, ops),
                                     gather_entries<MaxScatterChannels>("indexed_channels", Split::channel_blocks, ops));
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
