// The exact check of indices, which finds the first wrong one for the message. It runs only after the fast checks have failed.
#include "plan/check_indices.h"

#include "core/walk.h"
#include "plan/check_window_taps.h"
#include "plan/fast_index_check.h"

namespace tidepool::inline v0_1::detail {
namespace {

Error outside(const CallerName& caller, int64_t index, const std::string& of_what) {
  return caller.error(ErrorCode::out_of_range, "index " + std::to_string(index) + " is outside " + of_what);
}

// One row of plane or tensor indices. `origin` is the offset of the plane from which they count.
template <class T>
Status check_row(const CallerName& caller, const KernelArgs& a, bool may_be_none, const T* row, int64_t step, int64_t origin,
                 int64_t plane) {
  for (int64_t i = 0; i < a.width.output; ++i) {
    const int64_t index = row[i * step];
    if (may_be_none && index == a.no_index) continue;
    if (index >= origin && index - origin < plane) continue;
    if (origin == 0) return outside(caller, index, "the plane of " + std::to_string(plane) + " cells");
    return outside(caller, index,
                   "its plane, cells " + std::to_string(origin) + " to " + std::to_string(origin + plane - 1) + " of the tensor");
  }
  return Ok{};
}

// One row of window indices.
template <class T>
Status check_window_row(const CallerName& caller, const KernelArgs& a, const RowPosition& p, bool may_be_none, const T* row, int64_t step) {
  // For fractional windows too, whose taps are all inside the input wherever they start.
  const Window wd = a.depth.window(p.od), wh = a.height.window(p.oh);
  for (int64_t ow = 0; ow < a.width.output; ++ow) {
    const Window ww = a.width.window(ow);
    // Kernels know empty windows by no_index. Only when all 256 values of a byte are taps, they look at the geometry instead.
    if (may_be_none && a.no_index < -1 && (wd.count == 0 || wh.count == 0 || ww.count == 0)) continue;
    const int64_t index = row[ow * step];
    if (may_be_none && index == a.no_index) continue;
    const int64_t rows = index / a.width.kernel;
    if (index < 0 || !is_inside(ww, index % a.width.kernel) || !is_inside(wh, rows % a.height.kernel) ||
        !is_inside(wd, rows / a.height.kernel))
      return outside(caller, index, "the window of output column " + std::to_string(ow));
  }
  return Ok{};
}

}  // namespace

Status check_indices(const CallerName& caller, const Problem& problem, const KernelArgs& a, const TensorView& indices, Executor& executor) {
  Status status = Ok{};
  const int64_t plane = a.input_plane();
  const bool may_be_none = problem.op != Op::unpool;  // unpooling needs a position for every value
  int64_t row_number = 0;                             // of (n, c, od, oh) in row-major order, the order of walk_rows
  dispatch(indices.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if constexpr (sizeof(T) <= 2) {
        using U = std::make_unsigned_t<T>;
        const Strides5 strides = to_ncdhw_strides(indices.strides, problem.geometry);
        const U* taps = reinterpret_cast<const U*>(indices.data_as<T>());
        if (a.index_base == IndexBase::window && all_window_taps_valid(a, taps, strides, may_be_none, executor)) return;
      }
      if (FastIndexCheck<T>(problem, a, indices).all_valid(executor)) return;
      walk_rows<1>(indices.shape, {indices.strides}, [&](const std::array<int64_t, 1>& at) {
        if (!status) return;
        const T* row = indices.data_as<T>() + at[0];
        const int64_t step = row_stride(indices.strides);
        RowPosition p = RowPosition::of_row(a, row_number++);
        if (a.index_base == IndexBase::window) {
          status = check_window_row(caller, a, p, may_be_none, row, step);
        } else {
          const int64_t origin = a.index_base == IndexBase::tensor ? (p.n * a.channels + p.c) * plane : 0;
          status = check_row(caller, a, may_be_none, row, step, origin, plane);
        }
      });
    }
  });
  return status;
}

}  // namespace tidepool::inline v0_1::detail
