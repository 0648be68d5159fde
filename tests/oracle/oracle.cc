#include "oracle/oracle.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "oracle/average.h"
#include "oracle/grid.h"

namespace tidepool::oracle {
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

struct Where {
  int64_t d = -1, h = -1, w = -1;
};

void store_index(Tensor& indices, int64_t o, int64_t value) {
  dispatch(indices.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) indices.data<T>()[o] = static_cast<T>(value);
  });
}

template <class T>
Expected forward(const Problem& p, TensorView input) {
  using S = typename Stored<T>::type;
  const Geometry& g = p.geometry;
  const Axis &D = g.depth(), &H = g.height(), &W = g.width();
  const Grid x(input, g);
  Expected out{Tensor(g.output_shape(), p.dtype), {}};
  if (p.indices) out.indices = Tensor(g.output_shape(), index_dtype(*p.indices, g, p.nan));
  S* values = reinterpret_cast<S*>(out.values.span().data);

  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    S best = identity<T>(p.op);
    Where where;
    int64_t tap = -1;
    for (int64_t td = 0; td < D.kernel(); ++td)
      for (int64_t th = 0; th < H.kernel(); ++th)
        for (int64_t tw = 0; tw < W.kernel(); ++tw) {
          const int64_t d = position(D, od, td), h = position(H, oh, th), w = position(W, ow, tw);
          if (!inside(D, d) || !inside(H, h) || !inside(W, w)) continue;
          const S v = x.at<S>(n, c, d, h, w);
          if (p.nan == NanPolicy::ignore && is_nan(v)) continue;
          const bool first = tap < 0;
          const bool wins = is_nan(v) || (p.op == Op::max ? number(v) > number(best) : number(v) < number(best));
          if (wins) best = v;
          if (wins || first) {
            where = {d, h, w};
            tap = (td * H.kernel() + th) * W.kernel() + tw;
          }
        }
    values[o] = best;
    if (!p.indices) return;
    int64_t index = -1;
    if (tap >= 0) {
      const int64_t plane = (where.d * H.input() + where.h) * W.input() + where.w;
      if (*p.indices == IndexBase::plane) index = plane;
      if (*p.indices == IndexBase::tensor) index = (n * g.channels() + c) * g.input_plane() + plane;
      if (*p.indices == IndexBase::window) index = tap;
    }
    store_index(out.indices, o, index);
  });
  return out;
}

// The cell an index of output (n, c, od, oh, ow) names, or d = -1 for none.
Where decode(const Problem& p, int64_t index, int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow) {
  const Geometry& g = p.geometry;
  const Axis &D = g.depth(), &H = g.height(), &W = g.width();
  if (index < 0) return {};
  if (*p.indices == IndexBase::window) {
    if (index >= g.window_taps()) return {};
    const Where cell{position(D, od, index / W.kernel() / H.kernel()), position(H, oh, index / W.kernel() % H.kernel()),
                     position(W, ow, index % W.kernel())};
    return inside(D, cell.d) && inside(H, cell.h) && inside(W, cell.w) ? cell : Where{};
  }
  if (*p.indices == IndexBase::tensor) index -= (n * g.channels() + c) * g.input_plane();
  return {index / W.input() / H.input(), index / W.input() % H.input(), index % W.input()};
}

int64_t load_index(const Grid& indices, DType dtype, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  return dispatch(dtype, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<int64_t>(indices.at<T>(n, c, d, h, w));
    return -1;
  });
}

template <class T>
Expected backward(const Problem& p, TensorView grad, TensorView indices) {
  using Sum = decltype(number(T{}));
  const Geometry& g = p.geometry;
  const Grid dy(grad, g), where(indices, g);
  std::vector<Sum> sums(static_cast<size_t>(g.input_numel()), Sum(0));
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t) {
    const Where cell = decode(p, load_index(where, indices.dtype, n, c, od, oh, ow), n, c, od, oh, ow);
    if (cell.d < 0) return;
    const int64_t plane = (cell.d * g.height().input() + cell.h) * g.width().input() + cell.w;
    sums[static_cast<size_t>((n * g.channels() + c) * g.input_plane() + plane)] += number(dy.at<T>(n, c, od, oh, ow));
  });
  Expected out{Tensor(g.input_shape(), p.dtype), {}};
  std::transform(sums.begin(), sums.end(), out.values.data<T>(), [](Sum s) { return T(s); });
  return out;
}

template <class T>
Expected double_backward(const Problem& p, TensorView gg, TensorView indices) {
  const Geometry& g = p.geometry;
  const Grid ddx(gg, g), where(indices, g);
  Expected out{Tensor(g.output_shape(), p.dtype), {}};
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    const Where cell = decode(p, load_index(where, indices.dtype, n, c, od, oh, ow), n, c, od, oh, ow);
    out.values.data<T>()[o] = cell.d < 0 ? T(0) : ddx.at<T>(n, c, cell.d, cell.h, cell.w);
  });
  return out;
}

}  // namespace

Expected run(const Problem& problem, TensorView input, TensorView indices) {
  if (problem.op == Op::avg || problem.op == Op::sum) return average(problem, input);
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if (problem.pass == Pass::forward) return forward<T>(problem, input);
    if constexpr (!std::is_integral_v<T>) {
      return problem.pass == Pass::backward ? backward<T>(problem, input, indices) : double_backward<T>(problem, input, indices);
    }
    return {};
  });
}

}  // namespace tidepool::oracle
