#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/elements.h"
#include "reference/ops.h"
#include "reference/windows.h"

namespace tidepool::reference {
namespace {

using Real = long double;

struct Element {
  Cell cell;
  Real x;
};

// One window: its elements, its norm y and the derivatives of y, from the textbook formulas.
struct WindowNorm {
  std::vector<Element> elements;
  Real p, scale = 1, sum = 0, y = 0;
  Real condition = 1;  // relative error of the sum / relative error of its terms: signed powers can cancel
  bool signed_power;
  size_t winner = 0;  // infinite p: the element whose absolute value is the norm

  WindowNorm(const Reduction& reduction, std::vector<Element> of, int64_t taps, int64_t padded_taps)
      : elements(std::move(of)), p(reduction.norm), signed_power(reduction.signed_power) {
    if (reduction.scale_overhang && padded_taps > 0) scale = static_cast<Real>(taps) / static_cast<Real>(padded_taps);
    if (elements.empty()) return;
    if (std::isinf(p)) {
      for (size_t i = 0; i < elements.size(); ++i) {
        const Real a = std::abs(elements[i].x), best = std::abs(elements[winner].x);
        if (std::isnan(a) || (p > 0 ? a > best : a < best)) winner = i;
      }
      y = std::abs(elements[winner].x);
      return;
    }
    // Magnitudes are divided by the largest one before taking powers, so that no power overflows.
    const Real unit = signed_power ? 1 : largest();
    if (unit == 0 || std::isinf(unit)) {
      y = any_nan() ? std::numeric_limits<Real>::quiet_NaN() : unit;
      return;
    }
    Real magnitudes = 0;
    for (const Element& e : elements) {
      const Real term = std::pow(signed_power ? e.x : std::abs(e.x) / unit, p);
      sum += term;
      magnitudes += std::abs(term);
    }
    if (sum != 0) condition = magnitudes / std::abs(sum);
    sum *= scale;
    y = unit * std::pow(sum, 1 / p);
  }

  Real largest() const {
    Real m = 0;
    for (const Element& e : elements) m = std::max(m, std::abs(e.x));
    return m;
  }
  bool any_nan() const {
    return std::any_of(elements.begin(), elements.end(), [](const Element& e) { return std::isnan(e.x); });
  }
  // Windows of zeros have no slope: their gradient is defined as 0.
  bool flat() const { return elements.empty() || (signed_power && !std::isinf(p) ? sum == 0 : y == 0); }

  // d y / d x_i
  Real slope(size_t i) const {
    const Real x = elements[i].x;
    const Real sign = std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
    if (std::isinf(p)) return i == winner ? sign : 0;
    if (signed_power) return scale * std::pow(x, p - 1) * std::pow(sum, 1 / p - 1);
    return x == 0 ? 0 : sign * scale * std::pow(std::abs(x) / y, p - 1);
  }
  // d² y / (d x_i d x_j)
  Real curvature(size_t i, size_t j) const {
    if (std::isinf(p)) return 0;
    Real both = (1 - p) / y * slope(i) * slope(j);
    if (i != j || p == 1) return both;
    const Real x = elements[i].x;
    if (signed_power) return both + scale * (p - 1) * std::pow(x, p - 2) * std::pow(sum, 1 / p - 1);
    return x == 0 && p < 2 ? both : both + scale * (p - 1) * std::pow(std::abs(x) / y, p - 2) / y;
  }
};

template <class T>
constexpr double smallest_denormal() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-24;
  if constexpr (std::is_same_v<T, BFloat16>) return 0x1p-133;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::denorm_min();
  return 0;
}

// Sums of contributions, and sums of their magnitudes for the tolerance.
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
    // The p-th root multiplies the relative error of its argument by 1/p, the p-th power by p.
    const double norm = std::abs(p.reduction.norm);
    const double factor = 8 + 4 / norm + (std::isinf(norm) ? 0 : norm) + static_cast<double>(p.geometry.window_taps());
    for (size_t i = 0; i < sum.size(); ++i) {
      out.values.data<T>()[i] = T(static_cast<decltype(number(T{}))>(sum[i]));
      const double room = factor * epsilon<T>() * static_cast<double>(magnitude[i]) + 4 * smallest_denormal<T>();
      // An infinite or NaN norm must match. In a gradient, infinities of opposite sign can meet, and any result is accepted.
      const double otherwise = p.pass == Pass::forward ? 0 : std::numeric_limits<double>::infinity();
      out.tolerance.data<double>()[i] = std::isfinite(room) ? room : otherwise;
    }
    return out;
  }
};

template <class T>
Expected run(const Problem& p, const RunArrays& arrays, std::atomic<int64_t>* done) {
  const Windows windows(p.geometry, {}, done);
  const NcdhwView x(p.pass == Pass::forward ? arrays.input : arrays.saved, p.geometry);
  const NcdhwView in(arrays.input, p.geometry);
  const Dims shape = result_shape(p);
  Totals totals(checked_numel(shape).value());
  for_each_output(windows, [&](const Output& o) {
    const auto value = [&](const NcdhwView& view, int64_t d, int64_t h, int64_t w) {
      return static_cast<Real>(number(view.at<T>(o.n, o.c, d, h, w)));
    };
    std::vector<Element> elements;
    for_each_cell(windows, o, [&](const Cell& at, int64_t) { elements.push_back({at, value(x, at.d, at.h, at.w)}); });
    const WindowNorm norm(p.reduction, std::move(elements), windows.taps(), count_taps(windows, Divisor::window_in_padded, o));
    if (p.pass == Pass::forward) return totals.add(o.offset, norm.y, std::abs(norm.y) * norm.condition);
    if (norm.flat()) return;
    for (size_t i = 0; i < norm.elements.size(); ++i) {
      const Cell& at = norm.elements[i].cell;
      if (p.pass == Pass::backward) {
        const Real part = value(in, o.d, o.h, o.w) * norm.slope(i);
        totals.add(windows.input_offset(o, at), part, std::abs(part) * norm.condition);
      } else if (p.pass == Pass::double_backward) {
        const Real part = value(in, at.d, at.h, at.w) * norm.slope(i);
        totals.add(o.offset, part, std::abs(part) * norm.condition);
      } else {
        const Real grad = value(NcdhwView(arrays.grad, p.geometry), o.d, o.h, o.w);
        for (size_t j = 0; j < norm.elements.size(); ++j) {
          const Cell& other = norm.elements[j].cell;
          const Real gg = value(in, other.d, other.h, other.w);
          // The two terms of a diagonal element can cancel, so the error is relative to the larger term.
          const Real shared = std::isinf(norm.p) ? 0 : (1 - norm.p) / norm.y * norm.slope(i) * norm.slope(j);
          const Real part = grad * gg * norm.curvature(i, j);
          totals.add(windows.input_offset(o, at), part, (std::abs(part) + 2 * std::abs(grad * gg * shared)) * norm.condition);
        }
      }
    }
  });
  return totals.template expected<T>(shape, p);
}

}  // namespace

Expected lp_pool(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done) {
  return dispatch(problem.dtype, [&](auto tag) -> Expected {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_integral_v<T>) return run<T>(problem, arrays, done);
    return {};
  });
}

}  // namespace tidepool::reference
