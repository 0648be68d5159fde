// The backward pass of average and sum pooling on vectors: a cell is the sum of the shares of the windows that hold it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/avg_pool_gather.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/gather_channels-inl.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/gather_padded-inl.h"
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

// The gradients of output rows, divided once and kept while input rows need them. A row is `front` zeros, then the outputs, cell_length
// elements each, then zeros.
template <class E>
class Shares {
 public:
  using S = Sum<E>;

  Shares(const KernelArgs& a, S* rows, int64_t row_length, int64_t front, int64_t cell_length) noexcept
      : a_(a),
        rows_(rows),
        row_length_(row_length),
        front_(front),
        cell_length_(cell_length),
        kept_(kept_rows(*a.depth.axis, *a.height.axis)) {
    std::fill_n(rows, kept_ * row_length, S(0));
  }
  void start(const ChannelRange& r) noexcept { r_ = r, ready_ = 0; }
  const S* find(int64_t od, int64_t oh, int64_t, int64_t) noexcept {
    const int64_t number = od * a_.height.output + oh;
    for (; ready_ <= number; ++ready_) fill(ready_);
    return rows_ + number % kept_ * row_length_ + front_;
  }

 private:
  HWY_NOINLINE void fill(int64_t number) noexcept {
    const int64_t od = number / a_.height.output, oh = number % a_.height.output;
    S* to = rows_ + number % kept_ * row_length_ + front_;
    const Strides5& s = a_.input_strides;
    const E* grad = reinterpret_cast<const E*>(a_.input) + offset5(s, r_.n, r_.begin, od, oh, 0);
    const Window wd = a_.depth.window(od), wh = a_.height.window(oh);
    const int64_t channels = r_.end - r_.begin;
    for (int64_t ow = 0; ow < a_.width.output;) {
      const int64_t divisor = divisor_of(a_, wd, wh, a_.width.window(ow));
      if (cell_length_ == 1 && ow == a_.width.interior.begin && a_.width.interior.size() > 0) {  // one divisor for all that are inside
        divide(grad + ow * s[dim_w], s[dim_w], a_.width.interior.size(), divisor, to + ow);
        ow = a_.width.interior.end;
      } else {
        divide(grad + ow * s[dim_w], s[dim_c], channels, divisor, to + ow * cell_length_);
        ++ow;
      }
    }
  }

  static HWY_INLINE void divide(const E* grad, int64_t step, int64_t count, int64_t divisor, S* to) noexcept {
    if (divisor == 0) return static_cast<void>(std::fill_n(to, count, S(0)));
    const S by = static_cast<S>(divisor);
    const hn::ScalableTag<S> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    if (step == 1)
      for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Div(load_wide(d, grad + i), hn::Set(d, by)), d, to + i);
    for (; i < count; ++i) to[i] = static_cast<S>(grad[i * step]) / by;
  }

  const KernelArgs& a_;
  ChannelRange r_{};
  S* rows_;
  int64_t row_length_, front_, cell_length_, kept_, ready_ = 0;
};

template <class Element>
struct ShareColumns {
  using E = Element;
  using S = Sum<E>;
  using Contribution = UniformContribution<S>;
  struct Rows : Shares<E> {
    static constexpr int64_t bytes = sizeof(S);
    Rows(const KernelArgs& a, std::byte* scratch, int64_t length, int64_t front) noexcept
        : Shares<E>(a, reinterpret_cast<S*>(scratch), length, front, 1) {}
  };
};

template <class Element>
struct ShareChannels {
  using E = Element;
  using S = Sum<E>;
  using Row = const S*;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  static int64_t cell_length(int64_t channels) noexcept { return (HWY_MIN(channels, wide_channels) + lanes - 1) / lanes * lanes; }
  struct Rows : Shares<E> {
    Rows(const KernelArgs& a, std::byte* scratch) noexcept
        : Shares<E>(a, reinterpret_cast<S*>(scratch), cell_length(a.channels) * a.width.output, 0, cell_length(a.channels)) {}
    static int64_t scratch(const Geometry& g, int64_t channels) {
      return kept_rows(g.depth(), g.height()) * g.width().output() * cell_length(channels) * static_cast<int64_t>(sizeof(S));
    }
  };
  static bool is_adjacent(const KernelArgs&) noexcept { return true; }
  template <class D>
  static HWY_INLINE hn::Vec<D> contribution(D d, const KernelArgs& a, Row row, int64_t ow, int64_t c, int64_t) {
    return hn::LoadU(d, row + ow * cell_length(a.channels) + c);
  }
  static S one_contribution(const KernelArgs& a, Row row, int64_t ow, int64_t c, int64_t) { return row[ow * cell_length(a.channels) + c]; }
};

// Arrays that are not adjacent are spread window by window.
template <class E>
using AvgGatherColumns = WithReferenceFallback<GatherByColumns<ShareColumns<E>>, AvgSpread<E, Split::planes>, E, Split::planes>;
template <class E>
struct AvgGatherChannels
    : WithReferenceFallback<GatherByChannels<ShareChannels<E>>, AvgSpread<E, Split::channel_blocks>, E, Split::channel_blocks> {
  // Nanoseconds per cell of the input, as measured, like those of AvgSpread.
  static double cost(const Problem& p) {
    const double windows = CellCounts(p.geometry).windows, channels = static_cast<double>(HWY_MAX(p.geometry.channels(), 1));
    const double vectors = static_cast<double>(channel_vectors<Sum<E>>(p.geometry.channels()));
    return vectors == 0 ? 8 / channels + windows : (2 + 1.6 * windows * vectors) / channels;
  }
};
template <class E>
using AvgGatherPadded = OneDivisor<WithReferenceFallback<GatherPadded<E, false>, AvgSpread<E, Split::planes>, E, Split::planes>>;
template <class E>
using AvgGatherStacked = OneDivisor<WithReferenceFallback<GatherStacked<E, false>, AvgSpread<E, Split::planes>, E, Split::planes>>;

// The same, on planes that are transposed.
template <class E>
struct AvgGatherTransposed : TransposedTraversal<GatherByChannels<ShareChannels<E>>> {
  using Base = TransposedTraversal<GatherByChannels<ShareChannels<E>>>;
  static Fit fits(const Problem& p) {
    if (const Fit fit = Base::fits(p); !fit.ok()) return fit;
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    return {Base::scratch_bytes(p) > most_cells_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
  static double cost(const Problem&) { return transposed_gather_cost; }
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
                                     gather_entries<AvgGatherPadded>("columns_padded", Split::planes, ops),
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
