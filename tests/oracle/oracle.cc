#include "oracle/oracle.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "oracle/average.h"
#include "oracle/grid.h"
#include "oracle/norm.h"

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

// Where the taps of a plane's windows lie: by the axis' definition, or from the starts that the run brought along.
struct Taps {
  const Geometry& g;
  TensorView starts;

  int64_t at(int dhw, int64_t n, int64_t c, int64_t o, int64_t t) const {
    const Axis& axis = g.axis(dhw);
    if (!axis.is_fractional()) return position(axis, o, t);
    int64_t column = o, row_length = 0;
    for (int i = 0; i < 3; ++i) {
      if (!g.axis(i).is_fractional()) continue;
      if (i < dhw) column += g.axis(i).output();
      row_length += g.axis(i).output();
    }
    return starts.data_as<int64_t>()[(n * g.channels() + c) * row_length + column] + t;
  }
};

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
Expected forward(const Problem& p, TensorView input, const Taps& taps) {
  using S = typename Stored<T>::type;
  const Geometry& g = p.geometry;
  const Axis &D = g.depth(), &H = g.height(), &W = g.width();
  const Grid x(input, g);
  Expected out{Tensor(g.output_shape(), p.dtype), {}, {}};
  if (p.indices) out.indices = Tensor(g.output_shape(), index_dtype(*p.indices, g, p.nan));
  S* values = reinterpret_cast<S*>(out.values.span().data);

  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    S best = identity<T>(p.op);
    Where where;
    int64_t tap = -1;
    for (int64_t td = 0; td < D.kernel(); ++td)
      for (int64_t th = 0; th < H.kernel(); ++th)
        for (int64_t tw = 0; tw < W.kernel(); ++tw) {
          const int64_t d = taps.at(0, n, c, od, td), h = taps.at(1, n, c, oh, th), w = taps.at(2, n, c, ow, tw);
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
Where decode(const Problem& p, const Taps& taps, int64_t index, int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow) {
  const Geometry& g = p.geometry;
  const Axis &D = g.depth(), &H = g.height(), &W = g.width();
  if (index < 0) return {};
  if (*p.indices == IndexBase::window) {
    if (index >= g.window_taps()) return {};
    const Where cell{taps.at(0, n, c, od, index / W.kernel() / H.kernel()), taps.at(1, n, c, oh, index / W.kernel() % H.kernel()),
                     taps.at(2, n, c, ow, index % W.kernel())};
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
Expected add_at_indices(const Problem& p, TensorView grad, TensorView indices, const Taps& taps) {
  using Sum = decltype(number(T{}));
  const Geometry& g = p.geometry;
  const Grid dy(grad, g), where(indices, g);
  std::vector<Sum> sums(static_cast<size_t>(g.input_numel()), Sum(0));
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t) {
    const Where cell = decode(p, taps, load_index(where, indices.dtype, n, c, od, oh, ow), n, c, od, oh, ow);
    if (cell.d < 0) return;
    const int64_t plane = (cell.d * g.height().input() + cell.h) * g.width().input() + cell.w;
    sums[static_cast<size_t>((n * g.channels() + c) * g.input_plane() + plane)] += number(dy.at<T>(n, c, od, oh, ow));
  });
  Expected out{Tensor(g.input_shape(), p.dtype), {}, {}};
  std::transform(sums.begin(), sums.end(), out.values.data<T>(), [](Sum s) { return T(s); });
  return out;
}

template <class T>
Expected fetch_from_indices(const Problem& p, TensorView gg, TensorView indices, const Taps& taps) {
  const Geometry& g = p.geometry;
  const Grid ddx(gg, g), where(indices, g);
  Expected out{Tensor(g.output_shape(), p.dtype), {}, {}};
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    const Where cell = decode(p, taps, load_index(where, indices.dtype, n, c, od, oh, ow), n, c, od, oh, ow);
    out.values.data<T>()[o] = cell.d < 0 ? T(0) : ddx.at<T>(n, c, cell.d, cell.h, cell.w);
  });
  return out;
}

// Unpooling: zeros, and every value at its index; a later one overwrites.
template <class T>
Expected place_at_indices(const Problem& p, TensorView pooled, TensorView indices, const Taps& taps) {
  using S = typename Stored<T>::type;
  const Geometry& g = p.geometry;
  const Grid y(pooled, g), where(indices, g);
  Expected out{Tensor(g.input_shape(), p.dtype), {}, {}};
  S* values = reinterpret_cast<S*>(out.values.span().data);
  std::fill_n(values, g.input_numel(), S{});
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t) {
    const Where cell = decode(p, taps, load_index(where, indices.dtype, n, c, od, oh, ow), n, c, od, oh, ow);
    const int64_t plane = (cell.d * g.height().input() + cell.h) * g.width().input() + cell.w;
    values[(n * g.channels() + c) * g.input_plane() + plane] = y.at<S>(n, c, od, oh, ow);
  });
  return out;
}

}  // namespace

Expected run(const Problem& problem, const RunArrays& arrays) {
  if (problem.op == Op::avg || problem.op == Op::sum) return average(problem, arrays.input);
  if (problem.op == Op::lp) return norm(problem, arrays);
  const Taps taps{problem.geometry, arrays.starts};
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if (problem.pass == Pass::forward)
      return problem.op == Op::unpool ? place_at_indices<T>(problem, arrays.input, arrays.indices_in, taps)
                                      : forward<T>(problem, arrays.input, taps);
    if constexpr (!std::is_integral_v<T>)
      return enlarges(problem) ? add_at_indices<T>(problem, arrays.input, arrays.indices_in, taps)
                               : fetch_from_indices<T>(problem, arrays.input, arrays.indices_in, taps);
    return {};
  });
}

}  // namespace tidepool::oracle
