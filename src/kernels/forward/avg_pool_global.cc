// Average and sum of whole planes, and back: one output each, as in front of a classifier. Large planes of floats are added up in parts
// (reduce/folded_sums-inl.h). Of others, as many as a vector has lanes are read side by side, blocks of 16 bytes transposed in registers,
// and each plane is added up in its own lane, in the order of the definition.
//
//   planes   a0 a1 a2 a3 …   b0 b1 b2 b3 …   c0 …   d0 …        a0 b0 c0 d0  +  a1 b1 c1 d1  +  a2 b2 c2 d2  + …
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_global.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "core/portable.h"
#include "hwy/highway.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transpose-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"
#include "kernels/reduce/folded_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E, bool kLong = false>
struct GlobalAverage {
  using T = Lane16<E>;
  using D = hn::ScalableTag<T>;
  using Acc = AverageAcc<E, D, false, kLong>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D())), block = 16 / static_cast<int64_t>(sizeof(T));

  static HWY_INLINE void add_row(const PlaneTable<const T>& table, int64_t offset, Acc& sums) {
    const D d;
    const int64_t cells = table.row_cells;
    // Far enough ahead for memory to answer: these planes' next cells, or the same ones of planes to come.
    const uintptr_t ahead = cells * static_cast<int64_t>(sizeof(T)) > 2048 ? 512 : 4 * static_cast<uintptr_t>(lanes * cells) * sizeof(T);
    constexpr size_t quarter = HWY_MAX(static_cast<size_t>(lanes) / 4, 1);
    size_t turn = 0;
    int64_t i = 0;
    for (; i + block <= cells; i += block) {
      for (size_t p = 0; p < quarter; ++p) TIDEPOOL_PREFETCH_READ(reinterpret_cast<uintptr_t>(table.planes[turn + p] + offset + i) + ahead);
      turn = (turn + quarter) % static_cast<size_t>(lanes);
      Held<D> v[block];
      unrolled<static_cast<int>(block)>([&](auto r) HWY_ATTR { v[r] = load_blocks(d, table.planes + r, offset + i); });
      transpose_blocks<static_cast<int>(block)>(d, v);
      unrolled<static_cast<int>(block)>([&](auto r) HWY_ATTR { sums.accumulate(d, v[r], 0); });
    }
    for (; i < cells; ++i) {
      T rest[lanes];
      for (int64_t p = 0; p < lanes; ++p) rest[p] = table.planes[p][offset + i];
      sums.accumulate(d, hn::LoadU(d, rest), 0);
    }
  }

  struct Traversal {
    static void run(const KernelArgs& a, const Tile& tile) noexcept {
      const D d;
      const Quotient by(a, divisor_of(a, a.depth.window(0), a.height.window(0), a.width.window(0)));
      for (int64_t first = tile.begin; first < tile.end; first += lanes) {
        const PlaneTable<const T> table(a, reinterpret_cast<const T*>(a.input), a.input_strides, a.depth.input, a.height.input,
                                        a.width.input, first, tile.end, lanes);
        Acc sums(d);
        for (int64_t row = 0; row < table.rows; ++row) add_row(table, table.row_offset(row), sums);
        E results[lanes];
        sums.store(d, by, results);
        const PlaneTable<E> out(a, reinterpret_cast<E*>(a.output), a.output_strides, 1, 1, 1, first, tile.end, lanes);
        for (int64_t p = 0; p < HWY_MIN(lanes, tile.end - first); ++p) *out.planes[p] = results[p];
      }
    }

    static Fit fits(const Problem& p) {
      if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
      if (const Fit fit = fits_whole_planes(p.geometry); !fit.ok()) return fit;
      return {p.geometry.input_plane() < block ? "planes are smaller than a block" : nullptr};
    }
    static int64_t scratch_bytes(const Problem&) { return 0; }
    static int64_t grain(const Problem&) { return lanes; }
  };
};

// Backward: every cell of a plane is the same share of its one gradient.
template <class E>
struct FillPlanes {
  using S = Sum<E>;
  using Stored = Lane16<E>;

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const hn::ScalableTag<Stored> d;
    const int64_t divisor = divisor_of(a, a.depth.window(0), a.height.window(0), a.width.window(0));
    const Strides5 &in = a.input_strides, &out = a.output_strides;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const int64_t n = u / a.channels, c = u % a.channels;
      const S grad = static_cast<S>(reinterpret_cast<const E*>(a.input)[n * in[dim_n] + c * in[dim_c]]);
      const E share = E(divisor == 0 ? S(0) : S(0) + grad / static_cast<S>(divisor));
      Stored bits;
      hwy::CopyBytes<sizeof bits>(&share, &bits);
      const auto filled = hn::Set(d, bits);
      const PlaneTable<Stored> plane(a, reinterpret_cast<Stored*>(a.output), out, a.depth.input, a.height.input, a.width.input, u, u + 1,
                                     1);
      for (int64_t row = 0; row < plane.rows; ++row)
        fill(d, filled, plane.planes[0] + plane.row_offset(row), plane.row_cells, plane.cell_step);
    }
  }

  template <class D>
  static HWY_INLINE void fill(D d, hn::Vec<D> v, Stored* to, int64_t count, int64_t step) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    if (step == 1 && count >= lanes) {
      for (int64_t i = 0; i < count; i += lanes) hn::StoreU(v, d, to + HWY_MIN(i, count - lanes));
    } else {
      for (int64_t i = 0; i < count; ++i) to[i * step] = hn::GetLane(v);
    }
  }

  static Fit fits(const Problem& p) { return GlobalAverage<E>::Traversal::fits(p); }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};
#endif  // one lane has nothing to transpose

#if HWY_TARGET == HWY_SCALAR
template <class E>
struct WholeAverage : SimpleKernel {
  static Fit fits(const Problem& p) { return {has_folded_sums(p) ? nullptr : "planes are small, or not one window"}; }
  static void run(const KernelArgs& a, const Tile& tile) noexcept { FoldedSums<E>::run(a, tile); }
};
using WholeTypes = FloatTypes;
#else
// The size of planes decides how they are added up: of floats, for all layouts and instruction sets; of bytes, in lanes of 16 or 32 bits.
template <class E>
struct WholeAverage : AverageBy<typename GlobalAverage<E>::Traversal, true> {
  using Base = AverageBy<typename GlobalAverage<E>::Traversal, true>;
  static Fit fits(const Problem& p) { return has_folded_sums(p) ? Fit{} : Base::fits(p); }
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    if constexpr (is_float<E>)
      if (a.input_plane() >= least_folded_cells) return FoldedSums<E>::run(a, tile);
    if constexpr (sizeof(E) == 1)
      if (a.depth.kernel * a.height.kernel * a.width.kernel > most_byte_taps) return GlobalAverage<E, true>::Traversal::run(a, tile);
    Base::run(a, tile);
  }
};
using WholeTypes = NumberTypes;
#endif

std::span<const KernelEntry> avg_global_table() {
  constexpr EntryForm form{.name = "global",
                           .ops = {Op::avg, Op::sum},
                           .passes = {Pass::forward, Pass::double_backward},
                           .split = Split::planes,
                           .target = HWY_TARGET};
#if HWY_TARGET == HWY_SCALAR
  static constexpr auto table = entries<WholeAverage>(form, WholeTypes());
#else
  static constexpr auto table =
      join(entries<WholeAverage>(form, WholeTypes()), gather_entries<FillPlanes>("global", Split::planes, {Op::avg, Op::sum}));
#endif
  return table;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_global_table);
std::span<const KernelEntry> avg_pool_global_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_global_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
