// Max and min pooling of whole planes, one output each: the greatest cell is found first, and then, where somebody asks or where it is a
// zero, which may have either sign, the first cell that equals it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_global.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/transpose-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"
#include "kernels/reduce/large_sums.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E>
struct GlobalMax {
  using R = Extremum<E, false>;
  using T = Lane<E>;
  using D = hn::ScalableTag<T>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D()));
  static constexpr EnumSet<Indices> indices = {Indices::absent, Indices::present};
  static constexpr int at_once = 4;  // so that comparisons need not wait for each other

  // The greatest cell, as an element. Nothing if there is doubt about NaN.
  static HWY_NOINLINE bool find_greatest(const PlaneTable<const T>& plane, T mirrored_bits, T* greatest) {
    const D d;
    const auto mirrored = hn::Set(d, mirrored_bits);
    Held<D> best[at_once], sum[at_once];
    unrolled<at_once>([&](auto v) HWY_ATTR { best[v] = start(d), sum[v] = hn::Zero(d); });
    const auto take = [&](auto v, const T* from) HWY_ATTR {
      const auto cell = hn::Xor(hn::LoadU(d, from), mirrored);
      if constexpr (is_half<E>) {
        best[v] = hn::Max(vector_of(d, best[v]), R::key16(d, cell));
        sum[v] = hn::Max(vector_of(d, sum[v]), hn::And(cell, hn::Set(d, int16_t{0x7fff})));
      } else {
        best[v] = R::combine_ordered(d, vector_of(d, best[v]), cell);
        if constexpr (R::checks_nan) sum[v] = hn::Add(vector_of(d, sum[v]), cell);
      }
    };
    for (int64_t row = 0; row < plane.rows; ++row) {
      const T* cells = plane.planes[0] + plane.row_offset(row);
      int64_t i = 0;
      for (; i + at_once * lanes <= plane.row_cells; i += at_once * lanes)
        unrolled<at_once>([&](auto v) HWY_ATTR { take(v, cells + i + v * lanes); });
      for (; i < plane.row_cells; i += lanes) take(std::integral_constant<int, 0>(), cells + HWY_MIN(i, plane.row_cells - lanes));
    }
    T ends[lanes];
    bool doubt = false;
    *greatest = hn::GetLane(start(d));
    unrolled<at_once>([&](auto v) HWY_ATTR {
      const auto of_lane = vector_of(d, sum[v]);
      if constexpr (is_half<E>) doubt |= !hn::AllFalse(d, hn::Gt(of_lane, hn::Set(d, R::infinity16)));
      if constexpr (R::checks_nan) doubt |= !hn::AllFalse(d, hn::IsNaN(of_lane));
      hn::StoreU(vector_of(d, best[v]), d, ends);
      for (const T end : ends) *greatest = end > *greatest ? end : *greatest;
    });
    return !doubt;
  }
  static HWY_INLINE hn::Vec<D> start(D d) {
    if constexpr (is_half<E>) return R::key16(d, R::identity(d));
    return R::identity(d);
  }

  // The first cell that equals the greatest one, counted row by row.
  static HWY_NOINLINE int64_t find_first(const PlaneTable<const T>& plane, T mirrored_bits, T greatest) {
    const D d;
    const auto mirrored = hn::Set(d, mirrored_bits);
    const bool zero = is_zero(greatest);
    const auto wanted = hn::Set(d, zero ? T{0} : greatest);
    for (int64_t row = 0; row < plane.rows; ++row) {
      const T* cells = plane.planes[0] + plane.row_offset(row);
      for (int64_t i = 0; i < plane.row_cells; i += lanes) {
        const int64_t at = HWY_MIN(i, plane.row_cells - lanes);
        auto cell = hn::Xor(hn::LoadU(d, cells + at), mirrored);
        if constexpr (is_half<E>) cell = zero ? hn::And(cell, hn::Set(d, int16_t{0x7fff})) : R::key16(d, cell);
        if (const auto equal = hn::Eq(cell, wanted); !hn::AllFalse(d, equal))
          return row * plane.row_cells + at + hn::FindFirstTrue(d, equal);
      }
    }
    return 0;  // not reached: one of the cells is the greatest
  }

  // Of floats. Zeros of both signs are equal, and the first one is the result.
  static bool is_zero(T greatest) noexcept {
    if constexpr (is_half<E>) return greatest == 0 || greatest == -1;
    return R::checks_nan && greatest == T(0);
  }
  static T element_of(T greatest, T mirrored_bits) noexcept {
    const D d;
    auto cell = hn::Set(d, greatest);
    if constexpr (is_half<E>) cell = R::key16(d, cell);
    return hn::GetLane(hn::Xor(cell, hn::Set(d, mirrored_bits)));
  }

  static void store(const KernelArgs& a, const RowPosition& p, int64_t cell) noexcept {
    const int64_t w = cell % a.width.input, rows = cell / a.width.input, h = rows % a.height.input, d = rows / a.height.input;
    reinterpret_cast<T*>(a.output)[p.offset(a.output_strides)] =
        reinterpret_cast<const T*>(a.input)[p.offset(a.input_strides) + d * a.input_strides[dim_d] + h * a.input_strides[dim_h] + w];
    if (a.index == nullptr) return;
    const auto tap = [](const AxisTable& axis, int64_t at) { return axis.window(0).first_tap + at; };
    const int64_t index = a.index_base == IndexBase::window
                              ? (tap(a.depth, d) * a.height.kernel + tap(a.height, h)) * a.width.kernel + tap(a.width, w)
                              : index_origin(a, p.n, p.c) + cell;
    store_index(a, p.offset(a.index_strides), index);
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const T mirrored = hn::GetLane(mirror(D(), a));
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const RowPosition p = RowPosition::of_row(a, u);
      const PlaneTable<const T> plane(a, reinterpret_cast<const T*>(a.input), a.input_strides, a.depth.input, a.height.input, a.width.input,
                                      u, u + 1, 1);
      T greatest;
      if (plane.cell_step != 1 || plane.row_cells < lanes || !find_greatest(plane, mirrored, &greatest))
        max_cells(a, p, 0, 1);
      else if (a.index != nullptr || is_zero(greatest))
        store(a, p, find_first(plane, mirrored, greatest));
      else
        reinterpret_cast<T*>(a.output)[p.offset(a.output_strides)] = element_of(greatest, mirrored);
    }
  }

  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
    if (const Fit fit = fits_whole_planes(p.geometry); !fit.ok()) return fit;
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    return {p.geometry.input_plane() < lanes ? "planes are smaller than a vector" : nullptr};
  }
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};
#endif  // one lane: the reference serves that target

std::span<const KernelEntry> max_global_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = mirrored_entries<GlobalMax>("global", Split::planes);
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_global_table);
std::span<const KernelEntry> max_pool_global_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_global_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
