// Lp pooling on vectors: the norms of f32 that need no power function, p = 1 and p = 2. Sums are kept in double, cells are taken in the
// order of the definition, and roots are exact, so that the bits are those of lp_pool_cell.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/lp_pool_vectors.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/forward/channels-inl.h"
#include "kernels/forward/columns-inl.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reference/lp_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
// Where vectors are emulated, doubles beyond the floats become the largest float, not infinity.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

template <bool kSquare, class D>
struct NormOf {
  using DW = hn::Rebind<double, hn::Half<D>>;
  Held<DW> low, high;

  explicit HWY_INLINE NormOf(D) : low(hn::Zero(DW())), high(hn::Zero(DW())) {}
  HWY_INLINE hn::Vec<D> prepare(D, hn::Vec<D> loaded) { return loaded; }
  HWY_INLINE void accumulate(D, hn::Vec<D> next, int64_t) {
    const hn::Half<D> half;
    low = hn::Add(low, term(hn::PromoteTo(DW(), hn::LowerHalf(half, next))));
    high = hn::Add(high, term(hn::PromoteTo(DW(), hn::UpperHalf(half, next))));
  }
  HWY_INLINE void store(D d, double scale, float* to) const {
    const hn::Half<D> half;
    hn::StoreU(finish(half, low, scale), half, to);
    hn::StoreU(finish(half, high, scale), half, to + hn::Lanes(half));
    (void)d;
  }

 private:
  static HWY_INLINE hn::Vec<DW> term(hn::Vec<DW> x) { return kSquare ? hn::Mul(x, x) : hn::Abs(x); }
  static HWY_INLINE hn::Vec<hn::Half<D>> finish(hn::Half<D> half, hn::Vec<DW> sum, double scale) {
    const auto scaled = hn::Mul(sum, hn::Set(DW(), scale));
    const auto norm = hn::DemoteTo(half, kSquare ? hn::Sqrt(scaled) : scaled);
    return hn::IfThenElse(hn::IsNaN(norm), hn::Set(half, std::numeric_limits<float>::quiet_NaN()), norm);
  }
};

template <bool kSquare>
struct LpColumns {
  using T = float;
  using Traversal = ColumnsTraversal<LpColumns>;
  using Row = ColumnsRow<T>;
  static constexpr bool fixed_kernels = true;

  template <int kStride, int kKernel, class D>
  static HWY_INLINE void vector_at(D d, const Row& row, int64_t ow) {
    NormOf<kSquare, D> norms(d);
    columns_window_taps<kStride, kKernel>(d, row, ow, norms);
    norms.store(d, Windows3{row.wd, row.wh, row.a.width.window(ow)}.overhang_scale(row.a), row.output + ow);
  }
  static void cells(const Row& row, int64_t begin, int64_t end) { lp_cells<float>(row.a, row.p, begin, end); }
};

template <bool kSquare>
struct LpChannels {
  using T = float;
  using Traversal = ChannelsTraversal<LpChannels>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 1;
  static constexpr bool stores_indices = false;
  static constexpr bool backward = false;

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    static_assert(kCount == 1);
    NormOf<kSquare, D> norms(d);
    channels_window_taps<1>(d, cell, c, &norms);
    norms.store(d, Windows3{cell.wd, cell.wh, cell.ww}.overhang_scale(cell.a), cell.output + c);
  }
  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { lp_cells<float>(a, p, ow, ow + 1); }
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { Traversal::run(a, tile); }
};

// The norm chooses the code: a plan has one, so this costs a comparison a tile.
template <template <class> class Traversal, template <bool> class Policy>
struct LpBy : Traversal<Policy<true>> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if (a.reduction.norm == 2)
      Traversal<Policy<true>>::run(a, tile);
    else
      Traversal<Policy<false>>::run(a, tile);
  }
  static Fit fits(const Problem& p) {
    if (p.reduction.norm != 1 && p.reduction.norm != 2) return {"the norm takes a power function"};
    if (p.reduction.norm == 1 && p.reduction.signed_power) return {"signed sums go cell by cell"};
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    return Traversal<Policy<true>>::fits(p);
  }
};

constexpr EntryForm lp_form(std::string_view name, Split split) {
  return {.name = name, .ops = Op::lp, .passes = Pass::forward, .split = split, .target = HWY_TARGET};
}
#endif  // one lane is no vector: the reference serves that target

std::span<const KernelEntry> lp_vectors_table() {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return {};
#else
  static constexpr std::array table = {entry<LpBy<ColumnsTraversal, LpColumns>, float>(lp_form("columns", Split::rows)),
                                       entry<LpBy<ChannelsTraversal, LpChannels>, float>(lp_form("channels", Split::channel_rows)),
                                       entry<LpBy<TransposedTraversal, LpChannels>, float>(lp_form("columns_transposed", Split::planes))};
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(lp_vectors_table);
std::span<const KernelEntry> lp_pool_vector_kernels(int64_t target) { return function_for(HWY_DISPATCH_TABLE(lp_vectors_table), target)(); }
}  // namespace tidepool::inline v0_1::detail
#endif
