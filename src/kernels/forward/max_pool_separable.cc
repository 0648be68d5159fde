// Max and min pooling at a cost that does not grow with the window, with and without indices. Channels-last rows are the same as others,
// with neighbours some channels apart.
//
// Along a row, windows are doubled: the best of w cells from every position gives the best of 4w in three steps, until a last
// overlapping step reaches the kernel's size. Overlap is harmless, see extremum-inl.h.
//
//   w = 1   a b c d e f g h          kernel 6: best of 4, then that and its neighbour two to the right
//   w = 4   |-------|                |-------|
//                                        |-------|
//
// With indices, elements of less than 32 bits are widened, because positions need them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_separable.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include <cmath>
#include <utility>

#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/forward/separable-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"
#include "kernels/reduce/positions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {

// How lines hold elements, and what has to be minded beyond a comparison.
enum class Order : uint8_t {
  plain,   // nothing
  floats,  // the last NaN wins
  f16,
  bf16,  // keys (see key16): the same, and that -0 and +0 are equal
};

struct MaxRule {
  // A key without what makes -0 less than +0, and with every NaN above all others.
  template <Order kOrder, class D, class V>
  static HWY_INLINE V rank(D d, V key) {
    using T = hn::TFromD<D>;
    const V equal_zeros = hn::Sub(key, hn::ShiftRight<8 * sizeof(T) - 1>(key));
    const V infinity = hn::Set(d, T{kOrder == Order::f16 ? 0x7c00 : 0x7f80});
    return hn::IfThenElse(hn::Gt(hn::Abs(equal_zeros), infinity), hn::Set(d, T{0x7fff}), equal_zeros);
  }

  template <Order kOrder, class D, class V>
  static HWY_INLINE hn::Mask<D> replaces(D d, V a, V b) {
    if constexpr (kOrder == Order::plain) return hn::Gt(b, a);
    if constexpr (kOrder == Order::floats) return hn::Or(hn::Gt(b, a), hn::IsNaN(b));
    if constexpr (kOrder == Order::f16 || kOrder == Order::bf16) {
      const V rank_b = rank<kOrder>(d, b);
      return hn::Or(hn::Gt(rank_b, rank<kOrder>(d, a)), hn::Eq(rank_b, hn::Set(d, hn::TFromD<D>{0x7fff})));
    }
  }

  template <Order kOrder, class D, class V>
  static HWY_INLINE V better(D d, V a, V b) {
    if constexpr (kOrder == Order::plain) return Extremum<hn::TFromD<D>, false>::combine_ordered(d, a, b);
    return hn::IfThenElse(replaces<kOrder>(d, a, b), b, a);
  }
};

template <class E, bool kIndices>
class SeparableExtremum {
 public:
  using T = std::conditional_t<kIndices && sizeof(E) < 4, int32_t, Lane<E>>;
  using Memory = Lane<E>;
  using Lines = SeparableLines<MaxRule, T, kIndices>;
  using D = typename Lines::D;
  using DM = hn::Rebind<Memory, D>;
  static constexpr Order fast = Order::plain;
  static constexpr Order exact = std::is_same_v<E, Half>       ? Order::f16
                                 : std::is_same_v<E, BFloat16> ? Order::bf16
                                 : std::is_floating_point_v<E> ? Order::floats
                                                               : Order::plain;

  explicit SeparableExtremum(const KernelArgs& a) : a_(a) {}

  T identity() const noexcept {
    if constexpr (is_half<E>)
      return static_cast<T>(static_cast<int16_t>(~infinity));
    else
      return extremum_identity<E, false>();
  }

  // Copies cells into a line, mirrored. Is there any that the plain order does not serve?
  bool load(const Memory* from, int64_t ahead, int64_t step, int64_t cells, int64_t pitch, T* to) {
    const D d;
    const DM dm;
    const auto mirrored = mirror(dm, a_);
    auto sum = hn::Zero(dm), positive_zeros = hn::Zero(dm), negative_zeros = hn::Zero(dm);
    read_cells(d, from, step, cells, pitch, to, [&](const Memory* source, T* target) HWY_ATTR {
      TIDEPOOL_PREFETCH_READ(address(source, ahead));
      auto v = hn::Xor(hn::LoadU(dm, source), mirrored);
      if constexpr (std::is_floating_point_v<E>) sum = hn::Add(sum, v);
      if constexpr (is_half<E>) {
        sum = hn::Max(sum, hn::And(v, hn::Set(dm, int16_t{0x7fff})));
        v = Extremum<E, false>::key16(dm, v);
        positive_zeros = hn::Or(positive_zeros, hn::VecFromMask(dm, hn::Eq(v, hn::Zero(dm))));
        negative_zeros = hn::Or(negative_zeros, hn::VecFromMask(dm, hn::Eq(v, hn::Set(dm, int16_t{-1}))));
      }
      if constexpr (sizeof(T) == sizeof(Memory))
        hn::StoreU(v, d, target);
      else
        hn::StoreU(hn::PromoteTo(d, v), d, target);
    });
    // A sum is NaN if any cell was. It may also be NaN because +inf met -inf; then the exact way is taken for nothing.
    if constexpr (std::is_floating_point_v<E>) return !hn::AllFalse(dm, hn::IsNaN(sum));
    if constexpr (is_half<E>) {
      const auto any = [&](auto v) HWY_ATTR { return !hn::AllFalse(dm, hn::MaskFromVec(v)); };
      has_positive_zero_ |= any(positive_zeros), has_negative_zero_ |= any(negative_zeros);
      return (has_positive_zero_ && has_negative_zero_) || !hn::AllFalse(dm, hn::Gt(sum, hn::Set(dm, infinity)));
    }
    return false;
  }

  template <Order kOrder>
  static typename Lines::Parts reduce(const AxisTable& w, typename Lines::Line from, const typename Lines::Line& line,
                                      const typename Lines::Line&, int64_t padded, int64_t pitch) {
    const int64_t step = w.dilation * pitch;
    int64_t width = 1;
    for (; 4 * width < w.kernel; width *= 4) {
      const int64_t shift = width * step;
      Lines::template join<kOrder>(Lines::four(from, shift, 2 * shift, 3 * shift), line, padded * pitch - (4 * width - 1) * step);
      from = line;
    }
    const int64_t rest = w.kernel - width;
    if (rest == 0) return Lines::one(from);
    if (rest <= width) return Lines::two(from, from.at(rest * step));
    return Lines::four(from, width * step, (rest - width) * step, rest * step);
  }

  template <bool kTwo>
  void store(const RowPosition& p, int64_t ow, int64_t outputs, int64_t pitch, const T* from, int64_t second) const {
    const D d;
    const DM dm;
    const auto mirrored = mirror(dm, a_);
    const int64_t step = a_.output_strides[dim_w];
    const int64_t ahead = a_.output_strides[dim_h];
    Memory* to = reinterpret_cast<Memory*>(a_.output) + p.offset(a_.output_strides) + ow * step;
    write_cells(d, from, to, step, outputs, pitch, [&](const T* source, Memory* target) HWY_ATTR {
      auto wide = hn::LoadU(d, source);
      if constexpr (kTwo) wide = MaxRule::better<fast>(d, wide, hn::LoadU(d, source + second));
      TIDEPOOL_PREFETCH_WRITE(address(target, ahead));
      hn::Vec<DM> v;
      if constexpr (sizeof(T) == sizeof(Memory))
        v = wide;
      else
        v = hn::DemoteTo(dm, wide);
      if constexpr (is_half<E>) v = Extremum<E, false>::key16(dm, v);
      hn::StoreU(hn::Xor(v, mirrored), dm, target);
    });
  }

  void store_indices(const RowPosition& p, int64_t ow, int64_t outputs, int64_t pitch, const typename Lines::Position* positions,
                     const typename Lines::Position* origins, typename Lines::Position start) const {
    const int64_t step = a_.index_strides[dim_w], at = p.offset(a_.index_strides) + ow * step, base = index_origin(a_, p.n, p.c);
    if (pitch == 1) return store_positions(a_, positions, origins, start, outputs, at, step, base, 0);
    const int64_t next = a_.index_base == IndexBase::tensor ? a_.input_plane() : 0, channel_step = a_.index_strides[dim_c];
    if (step == pitch && channel_step == 1 && next == 0)
      return store_positions(a_, positions, origins, start, outputs * pitch, at, 1, base, 0);
    for (int64_t o = 0; o < outputs; ++o)
      store_positions(a_, positions + o * pitch, origins + o * pitch, start, pitch, at + o * step, channel_step, base, next);
  }

 private:
  static constexpr int16_t infinity = std::is_same_v<E, Half> ? 0x7c00 : 0x7f80;

  const KernelArgs& a_;
  bool has_positive_zero_ = false, has_negative_zero_ = false;
};

// What the plan asks.
template <class E, bool kIndices>
struct SeparableEntry {
  using Kernel = Separable<SeparableExtremum<E, kIndices>>;
  using T = typename SeparableExtremum<E, kIndices>::T;
  static constexpr Indices indices = kIndices ? Indices::present : Indices::absent;

  static Fit fits(const Problem& p) {
    const Geometry& g = p.geometry;
    if (const Fit fit = fits_separable(p, sizeof(T) * (kIndices ? 2 : 1)); !fit.ok()) return fit;
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (!kIndices) return {};
    if (g.depth().has_empty_window() || g.height().has_empty_window() || g.width().has_empty_window())
      return {"some windows have no cell that an index could name"};
    if (sizeof(T) == 4 && !has_short_positions(p)) return {"positions take more than 32 bits"};
    return {};
  }
  static double cost(const Problem& p) {
    return (kIndices ? 2 : 1) * separable_cost(p, static_cast<double>(hn::Lanes(hn::ScalableTag<T>())));
  }
  static int64_t scratch_bytes(const Problem& p) { return Kernel::scratch_bytes(p); }
  static int64_t grain(const Problem& p) { return separable_grain(p); }
  static void run(const KernelArgs& a, const Tile& tile) noexcept { Kernel::run(a, tile); }
};

template <class E>
using SeparableValues = SeparableEntry<E, false>;
template <class E>
using SeparableIndices = SeparableEntry<E, true>;

std::span<const KernelEntry> max_separable_table() {
  static constexpr auto table = join(mirrored_entries<SeparableValues>("separable", Split::grouped_rows),
                                     mirrored_entries<SeparableIndices>("separable", Split::grouped_rows));
  return table;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_separable_table);
std::span<const KernelEntry> max_pool_separable_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_separable_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
