// The backward pass of average and sum pooling on vectors: a cell is the sum of the shares of the windows that hold it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/avg_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/gather_channels-inl.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/gather_stacked-inl.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"
#include "kernels/reference/avg_pool_cell.h"
#include "kernels/reference/avg_pool_spread.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// The gradients of rows of windows, divided once. A row is `front` zeros, then the outputs, cell_length elements each, then zeros.
template <class Element>
class StagedShares : public StagedRows {
 public:
  using E = Element;
  using S = Sum<E>;

  StagedShares(const KernelArgs& a, const RowRing& ring, std::byte* scratch, int64_t front, int64_t length, int64_t cell_length) noexcept
      : StagedRows(a, ring), rows_(reinterpret_cast<S*>(scratch)), front_(front), length_(length), cell_length_(cell_length) {
    std::fill_n(rows_, ring_.count() * length, S(0));
  }
  const S* row(const Covering& in_depth, const Covering& in_height) noexcept {
    return rows_ + length_ * slot(in_depth.window, in_height.window, [&](int64_t to, int64_t od, int64_t oh) { fill(to, od, oh); });
  }
  static int64_t bytes_for(const RowRing& ring, int64_t length) { return ring.count() * length * static_cast<int64_t>(sizeof(S)); }

 private:
  HWY_NOINLINE void fill(int64_t slot, int64_t od, int64_t oh) noexcept {
    const Strides5& s = a_.input_strides;
    const AxisTable& w = a_.width;
    S* to = rows_ + slot * length_ + front_;
    const E* grad = reinterpret_cast<const E*>(a_.input) + offset5(s, r_.n, r_.begin, od, oh, 0);
    const Window in_depth = a_.depth.window(od), in_height = a_.height.window(oh);
    const auto divisor = [&](int64_t ow) { return divisor_of(a_, in_depth, in_height, w.window(ow)); };
    const auto next = [&](int64_t ow) { return ow == w.interior.begin && w.interior.size() > 0 ? w.interior.end : ow + 1; };
    if (cell_length_ > 1) {
      for (int64_t ow = 0; ow < w.output; ++ow) divide(grad + ow * s[dim_w], r_.end - r_.begin, divisor(ow), to + ow * cell_length_);
      return;
    }
    for (int64_t ow = 0; ow < w.output;) {  // runs of windows with one divisor
      const int64_t by = divisor(ow);
      int64_t end = next(ow);
      while (end < w.output && divisor(end) == by) end = next(end);
      divide(grad + ow, end - ow, by, to + ow);
      ow = end;
    }
  }

  static HWY_INLINE void divide(const E* grad, int64_t count, int64_t divisor, S* to) noexcept {
    if (divisor == 0) return static_cast<void>(std::fill_n(to, count, S(0)));
    // Powers of two have exact reciprocals.
    const bool multiply = divisor > 0 && (divisor & (divisor - 1)) == 0;
    const S by = multiply ? 1 / static_cast<S>(divisor) : static_cast<S>(divisor);
    by_vectors(hn::ScalableTag<S>(), count, [&](auto d, int64_t i) HWY_ATTR {
      const auto v = load_grads(d, grad + i);
      hn::StoreU(multiply ? hn::Mul(v, hn::Set(d, by)) : hn::Div(v, hn::Set(d, by)), d, to + i);
    });
  }

  S* rows_;
  int64_t front_, length_, cell_length_;
};

template <class Element>
struct ShareColumns {
  using E = Element;
  using Contribution = UniformContribution<Sum<E>>;
  struct Rows : StagedShares<E> {
    Rows(const KernelArgs& a, std::byte* scratch, int64_t front, int64_t length) noexcept
        : StagedShares<E>(a, RowRing(*a.depth.axis, *a.height.axis, StagedRows::columns_ahead), scratch, front, length, 1) {}
    const Sum<E>* find(const Covering& in_depth, const Covering& in_height, int64_t first) noexcept {
      return this->row(in_depth, in_height) + first;
    }
  };
  static bool is_adjacent(const KernelArgs& a) noexcept { return a.input_strides[dim_w] == 1; }
};

template <class Element>
struct ShareChannels {
  using E = Element;
  using S = Sum<E>;
  using Row = const S*;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  // More than one, which means columns.
  static int64_t cell_length(int64_t channels) noexcept { return (HWY_MIN(channels, wide_channels) + lanes - 1) / lanes * lanes; }
  struct Rows : StagedShares<E> {
    Rows(const KernelArgs& a, std::byte* scratch) noexcept
        : StagedShares<E>(a, RowRing(*a.depth.axis, *a.height.axis, 0), scratch, 0, cell_length(a.channels) * a.width.output,
                          cell_length(a.channels)) {}
    static int64_t bytes_for(const Geometry& g, int64_t channels) {
      return StagedShares<E>::bytes_for(RowRing(g.depth(), g.height(), 0), cell_length(channels) * g.width().output());
    }
  };
  static bool is_adjacent(const KernelArgs& a) noexcept { return a.input_strides[dim_c] == 1; }
  struct Source {
    const S* shares;
    HWY_INLINE Source(const KernelArgs& a, Row row, const Covering& in_width) : shares(row + in_width.window * cell_length(a.channels)) {}
    template <class D>
    HWY_INLINE hn::Vec<D> contribution(D d, int64_t c) const {
      return hn::LoadU(d, shares + c);
    }
  };
};

// Arrays that are not adjacent are spread window by window.
template <class E>
using AvgGatherColumns = WithReferenceFallback<GatherByColumns<ShareColumns<E>>, AvgSpread<E, Split::planes>>;
template <class E>
using AvgGatherStacked = OneDivisor<WithReferenceFallback<GatherStacked<E, false>, AvgSpread<E, Split::planes>>>;
template <class E>
using AvgGatherChannels = WithReferenceFallback<GatherByChannels<ShareChannels<E>>, AvgSpread<E, Split::channel_blocks>>;

// The same, on planes that are transposed.
template <class E>
struct AvgGatherTransposed : TransposedTraversal<GatherByChannels<ShareChannels<E>>> {
  using Base = TransposedTraversal<GatherByChannels<ShareChannels<E>>>;
  static Fit fits(const Problem& p) {
    if (const Fit fit = Base::fits(p); !fit.ok()) return fit;
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    return {Base::scratch_bytes(p) > most_gather_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

#endif  // one lane is no vector: the scalar kernels serve that target

std::span<const KernelEntry> avg_gather_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  constexpr EnumSet<Op> ops = {Op::avg, Op::sum};
  static constexpr auto table = join(gather_entries<AvgGatherColumns>("columns", Split::planes, ops),
                                     gather_entries<AvgGatherChannels>("channels", Split::channel_blocks, ops),
                                     gather_entries<AvgGatherTransposed>("columns_transposed", Split::planes, ops),
                                     gather_entries<AvgGatherStacked>("columns_stacked", Split::planes, ops));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_gather_table);
std::span<const KernelEntry> avg_pool_gather_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_gather_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
