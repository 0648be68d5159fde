// The p-norm of one window and its derivatives, by the book. In double for every element type: there the squares of floats cannot
// overflow, and what can is divided by the largest magnitude first.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/element.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

struct Cell3 {
  int64_t d, h, w;
  friend bool operator==(const Cell3&, const Cell3&) = default;
};

struct Windows3 {
  Window d, h, w;

  static Windows3 of(const KernelArgs& a, int64_t od, int64_t oh, int64_t ow) noexcept {
    return {a.depth.window(od), a.height.window(oh), a.width.window(ow)};
  }
  // What a sum is scaled by where PyTorch counts a window that hangs over as if it were whole.
  double overhang_scale(const KernelArgs& a) const noexcept {
    const double taps = static_cast<double>(a.depth.kernel * a.height.kernel * a.width.kernel);
    const double counted = static_cast<double>(d.padded_count * h.padded_count * w.padded_count);
    return a.reduction.scale_overhang && counted > 0 ? taps / counted : 1;
  }
  // visit(cell) for every real cell, row-major.
  template <class Visit>
  void for_each(const KernelArgs& a, Visit visit) const noexcept {
    for (int64_t td = 0; td < d.count; ++td)
      for (int64_t th = 0; th < h.count; ++th)
        for (int64_t tw = 0; tw < w.count; ++tw)
          visit(Cell3{d.begin + td * a.depth.dilation, h.begin + th * a.height.dilation, w.begin + tw * a.width.dilation});
  }
};

inline double power(double x, double p) noexcept { return p == 1 ? x : p == 2 ? x * x : std::pow(x, p); }
inline double root(double x, double p) noexcept { return p == 1 ? x : p == 2 ? std::sqrt(x) : std::pow(x, 1 / p); }

// x is the plane of the forward pass's input; strides s.
template <class E>
class LpWindow {
 public:
  LpWindow(const KernelArgs& a, const E* plane, const Strides5& s, const Windows3& windows) noexcept
      : a_(a), plane_(plane), s_(s), p_(a.reduction.norm) {
    scale_ = windows.overhang_scale(a);
    if (std::isinf(p_))
      find_extreme(windows);
    else if (a.reduction.signed_power)
      sum_signed(windows);
    else
      sum_magnitudes(windows);
  }

  double norm() const noexcept { return norm_; }
  double at(const Cell3& c) const noexcept {
    const E value = plane_[c.d * s_[dim_d] + c.h * s_[dim_h] + c.w * s_[dim_w]];
    if constexpr (is_half<E>)
      return static_cast<double>(static_cast<float>(value));
    else
      return static_cast<double>(value);
  }
  // A window of zeros, or one that cancels under signed_power, lets no gradient through.
  bool flat() const noexcept { return a_.reduction.signed_power && !std::isinf(p_) ? total_ == 0 : norm_ == 0; }

  // d norm / d x
  double slope(const Cell3& cell) const noexcept {
    const double x = at(cell);
    if (std::isinf(p_)) return cell == extreme_ ? sign(x) : 0;
    if (a_.reduction.signed_power) return scale_ * power(x, p_ - 1) * std::pow(total_, 1 / p_ - 1);
    return x == 0 ? 0 : scale_ * sign(x) * power(std::abs(x) / norm_, p_ - 1);
  }
  // The part of d² norm / dx² that a cell has alone. What pairs of cells share is (1 - p) / norm * slope * slope.
  double curvature(const Cell3& cell) const noexcept {
    const double x = at(cell);
    if (std::isinf(p_) || p_ == 1) return 0;
    if (a_.reduction.signed_power) return scale_ * (p_ - 1) * power(x, p_ - 2) * std::pow(total_, 1 / p_ - 1);
    return x == 0 && p_ < 2 ? 0 : scale_ * (p_ - 1) * power(std::abs(x) / norm_, p_ - 2) / norm_;
  }
  double shared_curvature() const noexcept { return std::isinf(p_) ? 0 : (1 - p_) / norm_; }

 private:
  static double sign(double x) noexcept { return std::isnan(x) ? x : static_cast<double>(x > 0) - static_cast<double>(x < 0); }

  void find_extreme(const Windows3& windows) noexcept {
    bool first = true;
    windows.for_each(a_, [&](const Cell3& c) {
      const double v = std::abs(at(c));
      if (first || std::isnan(v) || (p_ > 0 ? v > norm_ : v < norm_)) norm_ = v, extreme_ = c;
      first = false;
    });
    if (std::isnan(norm_)) norm_ = std::numeric_limits<double>::quiet_NaN();
  }

  void sum_signed(const Windows3& windows) noexcept {
    double sum = 0;
    windows.for_each(a_, [&](const Cell3& c) { sum += power(at(c), p_); });
    total_ = sum * scale_;
    set_norm(windows.d.count * windows.h.count * windows.w.count == 0 ? 0 : root(total_, p_));
  }

  void sum_magnitudes(const Windows3& windows) noexcept {
    double sum = 0;
    if (p_ == 1 || p_ == 2) {
      windows.for_each(a_, [&](const Cell3& c) { sum += power(std::abs(at(c)), p_); });
      if (!std::is_same_v<E, double> || p_ == 1 || (sum > 1e-280 && sum < 1e280)) return set_norm(root(sum * scale_, p_));
    }
    double largest = 0;
    bool nan = false;
    windows.for_each(a_, [&](const Cell3& c) {
      largest = std::max(largest, std::abs(at(c)));
      nan = nan || std::isnan(at(c));
    });
    if (nan) return set_norm(std::numeric_limits<double>::quiet_NaN());
    if (largest == 0 || std::isinf(largest)) return set_norm(largest);
    sum = 0;
    windows.for_each(a_, [&](const Cell3& c) { sum += power(std::abs(at(c)) / largest, p_); });
    set_norm(largest * root(sum * scale_, p_));
  }

  // NaN is always the same one.
  void set_norm(double norm) noexcept { norm_ = std::isnan(norm) ? std::numeric_limits<double>::quiet_NaN() : norm; }

  const KernelArgs& a_;
  const E* plane_;
  const Strides5& s_;
  double p_;
  double scale_ = 1;
  double norm_ = 0;
  double total_ = 0;  // signed_power: the scaled sum whose root the norm is
  Cell3 extreme_{-1, -1, -1};
};

// The plane of a row's channel.
template <class E>
const E* plane_of(const std::byte* data, const Strides5& s, const RowPosition& p) noexcept {
  return reinterpret_cast<const E*>(data) + p.n * s[dim_n] + p.c * s[dim_c];
}

// The norms of outputs [begin, end) of a row. Not inlined: for vector kernels it serves borders.
template <class E>
[[gnu::noinline]] void lp_cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept {
  E* out = reinterpret_cast<E*>(a.output) + p.offset(a.output_strides);
  for (int64_t ow = begin; ow < end; ++ow)
    out[ow * a.output_strides[dim_w]] =
        to_element<E>(LpWindow<E>(a, plane_of<E>(a.input, a.input_strides, p), a.input_strides, Windows3::of(a, p.od, p.oh, ow)).norm());
}

}  // namespace tidepool::inline v0_1::detail
