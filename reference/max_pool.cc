#include <limits>

#include "reference/elements.h"
#include "reference/ops.h"
#include "reference/windows.h"

namespace tidepool::reference {
namespace {

template <class T>
bool is_nan(T v) {
  return number(v) != number(v);
}

// The value of a window without cells.
template <class T>
typename Stored<T>::type identity(Op op) {
  const bool lowest = op == Op::max;
  if constexpr (std::is_same_v<T, bool>) {
    return lowest ? 0 : 1;
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    const float inf = std::numeric_limits<float>::infinity();
    return T(lowest ? -inf : inf);
  } else if constexpr (std::is_floating_point_v<T>) {
    const T inf = std::numeric_limits<T>::infinity();
    return lowest ? -inf : inf;
  } else {
    return lowest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
}

void store_index(Tensor& indices, int64_t offset, int64_t value) {
  dispatch(indices.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) indices.data<T>()[offset] = static_cast<T>(value);
  });
}

int64_t index_of(const Windows& windows, IndexBase base, const Output& output, const Cell& cell, int64_t tap) {
  if (tap < 0) return -1;  // the window has no cells
  if (base == IndexBase::window) return tap;
  return base == IndexBase::plane ? windows.plane_offset(cell) : windows.input_offset(output, cell);
}

template <class T>
Expected forward(const Problem& p, const RunArrays& arrays, std::atomic<int64_t>* done) {
  using S = typename Stored<T>::type;
  const Windows windows(p.geometry, arrays.starts, done);
  const NcdhwView x(arrays.input, p.geometry);
  Expected out{Tensor(p.geometry.output_shape(), p.dtype), {}, {}};
  if (p.indices) out.indices = Tensor(p.geometry.output_shape(), index_dtype(*p.indices, p.geometry, p.nan));
  S* values = reinterpret_cast<S*>(out.values.span().data);

  for_each_output(windows, [&](const Output& o) {
    S best = identity<T>(p.op);
    Cell best_cell;
    int64_t best_tap = -1;
    for_each_cell(windows, o, [&](const Cell& cell, int64_t tap) {
      const S v = x.at<S>(o.n, o.c, cell.d, cell.h, cell.w);
      if (p.nan == NanPolicy::ignore && is_nan(v)) return;
      // Of equal values the first is chosen, of several NaNs the last.
      const bool wins = is_nan(v) || (p.op == Op::max ? number(v) > number(best) : number(v) < number(best));
      if (wins) best = v;
      // The first cell has an index even if it equals the identity.
      if (wins || best_tap < 0) best_cell = cell, best_tap = tap;
    });
    values[o.offset] = best;
    if (p.indices) store_index(out.indices, o.offset, index_of(windows, *p.indices, o, best_cell, best_tap));
  });
  return out;
}

}  // namespace

Expected max_pool(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done) {
  return dispatch(problem.dtype, [&](auto tag) { return forward<typename decltype(tag)::type>(problem, arrays, done); });
}

}  // namespace tidepool::reference
