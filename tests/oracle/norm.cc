#include "oracle/norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/grid.h"

namespace tidepool::oracle {
namespace {

using Real = long double;

struct Cell {
  int64_t d, h, w;
  Real x;
};

// One window: its cells, its norm and the derivatives of that, from the textbook formulas.
struct Norm {
  std::vector<Cell> cells;
  Real p, scale = 1, sum = 0, y = 0;
  Real condition = 1;  // how much larger the error of the sum is than that of its terms: signed powers cancel
  bool signed_power;
  size_t winner = 0;  // p infinite: the cell that is the norm

  Norm(const Problem& problem, std::vector<Cell> of, int64_t padded_taps)
      : cells(std::move(of)), p(problem.reduction.norm), signed_power(problem.reduction.signed_power) {
    if (problem.reduction.scale_overhang && padded_taps > 0)
      scale = static_cast<Real>(problem.geometry.window_taps()) / static_cast<Real>(padded_taps);
    if (cells.empty()) return;
    if (std::isinf(p)) {
      for (size_t i = 0; i < cells.size(); ++i) {
        const Real a = std::abs(cells[i].x), best = std::abs(cells[winner].x);
        if (std::isnan(a) || (p > 0 ? a > best : a < best)) winner = i;
      }
      y = std::abs(cells[winner].x);
      return;
    }
    // Magnitudes are measured in units of the largest one, so that no power leaves the range.
    const Real unit = signed_power ? 1 : largest();
    if (unit == 0 || std::isinf(unit)) {
      y = any_nan() ? std::numeric_limits<Real>::quiet_NaN() : unit;
      return;
    }
    Real magnitudes = 0;
    for (const Cell& c : cells) {
      const Real term = std::pow(signed_power ? c.x : std::abs(c.x) / unit, p);
      sum += term;
      magnitudes += std::abs(term);
    }
    if (sum != 0) condition = magnitudes / std::abs(sum);
    sum *= scale;
    y = unit * std::pow(sum, 1 / p);
  }

  Real largest() const {
    Real m = 0;
    for (const Cell& c : cells) m = std::max(m, std::abs(c.x));
    return m;
  }
  bool any_nan() const {
    return std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return std::isnan(c.x); });
  }
  bool flat() const { return cells.empty() || (signed_power && !std::isinf(p) ? sum == 0 : y == 0); }

  // d y / d x_i
  Real slope(size_t i) const {
    const Real x = cells[i].x;
    const Real sign = std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
    if (std::isinf(p)) return i == winner ? sign : 0;
    if (signed_power) return scale * std::pow(x, p - 1) * std::pow(sum, 1 / p - 1);
    return x == 0 ? 0 : sign * scale * std::pow(std::abs(x) / y, p - 1);
  }
  // d² y / d x_i d x_j
  Real bend(size_t i, size_t j) const {
    if (std::isinf(p)) return 0;
    Real both = (1 - p) / y * slope(i) * slope(j);
    if (i != j || p == 1) return both;
    const Real x = cells[i].x;
    if (signed_power) return both + scale * (p - 1) * std::pow(x, p - 2) * std::pow(sum, 1 / p - 1);
    return x == 0 && p < 2 ? both : both + scale * (p - 1) * std::pow(std::abs(x) / y, p - 2) / y;
  }
};

template <class T>
constexpr double smallest() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-24;
  if constexpr (std::is_same_v<T, BFloat16>) return 0x1p-133;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::denorm_min();
  return 0;
}

// Sums of contributions and of their magnitudes, from which value and tolerance follow.
struct Totals {
  std::vector<Real> sum, magnitude;

  explicit Totals(int64_t n) : sum(static_cast<size_t>(n), 0), magnitude(static_cast<size_t>(n), 0) {}
  void add(int64_t at, Real value, Real size) {
    sum[static_cast<size_t>(at)] += value;
    magnitude[static_cast<size_t>(at)] += size;
  }

  template <class T>
  Expected expected(const Dims& shape, const Problem& p) const {
    Expected out{Tensor(shape, p.dtype), {}, Tensor(shape, DType::f64)};
    // A root multiplies the relative error of its argument by 1/p, a power by p.
    const double norm = std::abs(p.reduction.norm);
    const double factor = 8 + 4 / norm + (std::isinf(norm) ? 0 : norm) + static_cast<double>(p.geometry.window_taps());
    for (size_t i = 0; i < sum.size(); ++i) {
      out.values.data<T>()[i] = T(static_cast<decltype(number(T{}))>(sum[i]));
      const double room = factor * epsilon<T>() * static_cast<double>(magnitude[i]) + 4 * smallest<T>();
      // A norm is infinite or not a number for sure; where infinities meet in a gradient, either may come out.
      const double otherwise = p.pass == Pass::forward ? 0 : std::numeric_limits<double>::infinity();
      out.tolerance.data<double>()[i] = std::isfinite(room) ? room : otherwise;
    }
    return out;
  }
};

template <class T>
Expected run(const Problem& p, const RunArrays& arrays) {
  const Geometry& g = p.geometry;
  const Grid x(p.pass == Pass::forward ? arrays.input : arrays.saved, g);
  const Grid in(arrays.input, g);
  const Dims shape = result_shape(p);
  Totals totals(checked_numel(shape).value());
  for_each_output(g, [&](int64_t n, int64_t c, int64_t od, int64_t oh, int64_t ow, int64_t o) {
    std::vector<Cell> cells;
    for_each_cell(g, od, oh, ow,
                  [&](int64_t d, int64_t h, int64_t w) { cells.push_back({d, h, w, static_cast<Real>(number(x.at<T>(n, c, d, h, w)))}); });
    const Norm norm(p, std::move(cells), count_taps(g, Divisor::window_in_padded, od, oh, ow));
    if (p.pass == Pass::forward) return totals.add(o, norm.y, std::abs(norm.y) * norm.condition);
    if (norm.flat()) return;
    const auto value = [&](const Grid& grid, const Cell& at) { return static_cast<Real>(number(grid.at<T>(n, c, at.d, at.h, at.w))); };
    const auto offset = [&](const Cell& at) {
      return (n * g.channels() + c) * g.input_plane() + (at.d * g.height().input() + at.h) * g.width().input() + at.w;
    };
    for (size_t i = 0; i < norm.cells.size(); ++i) {
      if (p.pass == Pass::backward) {
        const Real part = value(in, {od, oh, ow, 0}) * norm.slope(i);
        totals.add(offset(norm.cells[i]), part, std::abs(part) * norm.condition);
      } else if (p.pass == Pass::double_backward) {
        const Real part = value(in, norm.cells[i]) * norm.slope(i);
        totals.add(o, part, std::abs(part) * norm.condition);
      } else {
        const Real grad = value(Grid(arrays.grad, g), {od, oh, ow, 0});
        for (size_t j = 0; j < norm.cells.size(); ++j) {
          const Real gg = value(in, norm.cells[j]);
          // The two parts of a diagonal element may cancel: its error is that of the larger.
          const Real shared = std::isinf(norm.p) ? 0 : (1 - norm.p) / norm.y * norm.slope(i) * norm.slope(j);
          const Real part = grad * gg * norm.bend(i, j);
          totals.add(offset(norm.cells[i]), part, (std::abs(part) + 2 * std::abs(grad * gg * shared)) * norm.condition);
        }
      }
    }
  });
  return totals.template expected<T>(shape, p);
}

}  // namespace

Expected norm(const Problem& problem, const RunArrays& arrays) {
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_integral_v<T>) return run<T>(problem, arrays);
    return {};
  });
}

}  // namespace tidepool::oracle
