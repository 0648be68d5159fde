#include <algorithm>
#include <vector>

#include "reference/elements.h"
#include "reference/ops.h"
#include "reference/windows.h"

namespace tidepool::reference {
namespace {

int64_t load_index(const NcdhwView& indices, DType dtype, const Output& o) {
  return dispatch(dtype, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<int64_t>(indices.at<T>(o.n, o.c, o.d, o.h, o.w));
    return -1;
  });
}

// The cell that an output's index names, or d = -1 for none.
Cell decode(const Windows& windows, IndexBase base, const Output& o, int64_t index) {
  if (index < 0) return {};
  if (base == IndexBase::window) {
    // The value for "no cell" of an unsigned index type is larger than any tap.
    if (index >= windows.taps()) return {};
    const int64_t rows = windows.height.kernel, columns = windows.width.kernel;
    return windows.cell(o, index / columns / rows, index / columns % rows, index % columns);
  }
  if (base == IndexBase::tensor) index -= (o.n * windows.channels + o.c) * windows.input_plane();
  const int64_t rows = windows.height.input, columns = windows.width.input;
  return {index / columns / rows, index / columns % rows, index % columns};
}

// Calls f(output, cell) for every output, with d = -1 where the index names no cell.
template <class F>
void for_each_index(const Problem& p, const RunArrays& arrays, const Windows& windows, F f) {
  const NcdhwView indices(arrays.indices_in, p.geometry);
  for_each_output(windows, [&](const Output& o) { f(o, decode(windows, *p.indices, o, load_index(indices, arrays.indices_in.dtype, o))); });
}

// Adds every gradient to the cell that its index names.
template <class T>
Expected add_at_indices(const Problem& p, const RunArrays& arrays, const Windows& windows) {
  using Sum = decltype(number(T{}));
  const NcdhwView gradients(arrays.input, p.geometry);
  std::vector<Sum> sums(static_cast<size_t>(p.geometry.input_numel()), Sum(0));
  for_each_index(p, arrays, windows, [&](const Output& o, const Cell& cell) {
    if (cell.d < 0) return;
    sums[static_cast<size_t>(windows.input_offset(o, cell))] += number(gradients.at<T>(o.n, o.c, o.d, o.h, o.w));
  });
  Expected out{Tensor(p.geometry.input_shape(), p.dtype), {}, {}};
  std::transform(sums.begin(), sums.end(), out.values.data<T>(), [](Sum s) { return T(s); });
  return out;
}

// Reads for every output the cell that its index names.
template <class T>
Expected read_at_indices(const Problem& p, const RunArrays& arrays, const Windows& windows) {
  const NcdhwView input(arrays.input, p.geometry);
  Expected out{Tensor(p.geometry.output_shape(), p.dtype), {}, {}};
  for_each_index(p, arrays, windows, [&](const Output& o, const Cell& cell) {
    out.values.data<T>()[o.offset] = cell.d < 0 ? T(0) : input.at<T>(o.n, o.c, cell.d, cell.h, cell.w);
  });
  return out;
}

// Unpooling: zeros, then every value is written at its index. Later values overwrite earlier ones.
template <class T>
Expected write_at_indices(const Problem& p, const RunArrays& arrays, const Windows& windows) {
  using S = typename Stored<T>::type;
  const NcdhwView pooled(arrays.input, p.geometry);
  Expected out{Tensor(p.geometry.input_shape(), p.dtype), {}, {}};
  S* values = reinterpret_cast<S*>(out.values.span().data);
  std::fill_n(values, p.geometry.input_numel(), S{});
  for_each_index(p, arrays, windows,
                 [&](const Output& o, const Cell& cell) { values[windows.input_offset(o, cell)] = pooled.at<S>(o.n, o.c, o.d, o.h, o.w); });
  return out;
}

}  // namespace

Expected indexed(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done) {
  const Windows windows(problem.geometry, arrays.starts, done);
  // The gradient of unpooling reads at the indices, as the double backward pass of max does.
  const bool adds = (problem.op == Op::unpool) == (problem.pass == Pass::double_backward);
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if (problem.op == Op::unpool && problem.pass == Pass::forward) return write_at_indices<T>(problem, arrays, windows);
    if constexpr (!std::is_integral_v<T>)
      return adds ? add_at_indices<T>(problem, arrays, windows) : read_at_indices<T>(problem, arrays, windows);
    return {};
  });
}

}  // namespace tidepool::reference
