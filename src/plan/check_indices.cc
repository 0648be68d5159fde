#include "plan/check_indices.h"

#include "core/walk.h"

namespace tidepool::detail {
namespace {

Error outside(const std::string& op, int64_t index, const std::string& of_what) {
  return {ErrorCode::out_of_range, op + ": index " + std::to_string(index) + " is outside " + of_what};
}

// Plane and tensor bases: `origin` is where the plane begins.
template <class T>
Status check_row(const std::string& op, const KernelArgs& a, bool may_be_none, const T* row, int64_t step, int64_t origin, int64_t plane) {
  for (int64_t i = 0; i < a.width.output; ++i) {
    const int64_t index = row[i * step];
    if (may_be_none && index == a.no_index) continue;
    if (index >= origin && index - origin < plane) continue;
    if (origin == 0) return outside(op, index, "the plane of " + std::to_string(plane) + " cells");
    return outside(op, index,
                   "its plane, cells " + std::to_string(origin) + " to " + std::to_string(origin + plane - 1) + " of the tensor");
  }
  return Ok{};
}

bool real_tap(const Window& w, int64_t tap) noexcept { return tap >= w.first_tap && tap < w.first_tap + w.count; }

template <class T>
Status check_window_row(const std::string& op, const KernelArgs& a, const RowPosition& p, bool may_be_none, const T* row, int64_t step) {
  // How many taps a fractional window has does not depend on where it starts.
  const Window wd = a.depth.window(p.od), wh = a.height.window(p.oh);
  for (int64_t ow = 0; ow < a.width.output; ++ow) {
    const Window ww = a.width.window(ow);
    if (may_be_none && (wd.count == 0 || wh.count == 0 || ww.count == 0)) continue;
    const int64_t index = row[ow * step];
    if (may_be_none && index == a.no_index) continue;
    const int64_t rows = index / a.width.kernel;
    if (index < 0 || !real_tap(ww, index % a.width.kernel) || !real_tap(wh, rows % a.height.kernel) ||
        !real_tap(wd, rows / a.height.kernel))
      return outside(op, index, "the window of output column " + std::to_string(ow));
  }
  return Ok{};
}

}  // namespace

Status check_indices(const std::string& op, const Problem& problem, const KernelArgs& a, const TensorView& indices) {
  Status status = Ok{};
  const int64_t plane = a.input_plane();
  const bool may_be_none = problem.op != Op::unpool;  // a value to place must have its place
  int64_t row_number = 0;                             // (n, c, od, oh), row-major: the order in which rows are walked
  dispatch(indices.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      walk_rows<1>(indices.shape, {indices.strides}, [&](const std::array<int64_t, 1>& at) {
        if (!status) return;
        const T* row = indices.data_as<T>() + at[0];
        const int64_t step = row_stride(indices.strides);
        RowPosition p = RowPosition::of_row(a, row_number++);
        if (a.index_base == IndexBase::window) {
          status = check_window_row(op, a, p, may_be_none, row, step);
        } else {
          const int64_t origin = a.index_base == IndexBase::tensor ? (p.n * a.channels + p.c) * plane : 0;
          status = check_row(op, a, may_be_none, row, step, origin, plane);
        }
      });
    }
  });
  return status;
}

}  // namespace tidepool::detail
