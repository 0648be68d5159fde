// Which averages and sums are put together from parts, those of overlapping windows (ADR 9) and those of whole planes (ADR 17). A question
// of the windows alone: the order of additions, and with it the bits, may not depend on layout, instruction set or threads.
#pragma once

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

inline bool has_large_sums(const Problem& p) noexcept {
  const Geometry& g = p.geometry;
  const Axis &w = g.width(), &h = g.height(), &d = g.depth();
  if (w.is_adaptive() || h.is_adaptive() || w.dilation() != 1 || h.dilation() != 1) return false;
  if (d.kernel() != 1 || d.output() != d.input() || d.pad_before() != 0) return false;
  // Bounds first: what follows multiplies.
  constexpr int64_t most = 1 << 20;
  if (w.kernel() > most || h.kernel() > most || w.stride() > most || h.stride() > most || w.output() > most || h.output() > most)
    return false;
  if (w.input() > most || h.input() > most) return false;
  const int64_t taps = w.kernel() * h.kernel();
  if (taps < 64 || taps < 4 * w.stride() * h.stride()) return false;
  // Kernels far larger than the input are cheaper cell by cell, and scratch has its limits.
  if (w.kernel() > 2 * w.input() || h.kernel() > 2 * h.input()) return false;
  return h.output() * h.stride() + h.kernel() <= (int64_t{1} << 20) / w.output();
}

// Whether each plane is one window.
inline Fit fits_whole_planes(const Geometry& g) {
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (x.output() != 1 || x.is_fractional()) return {"planes have more outputs than one"};
    const Window w = x.window(0);
    if (w.begin != 0 || w.count != x.input() || x.dilation() != 1) return {"windows do not hold the whole plane"};
  }
  return {};
}

// Whether whole planes are added up in parts (reduce/folded_sums-inl.h). The sums of smaller planes are cheap in the order of the
// definition.
inline constexpr int64_t least_folded_cells = 256;
inline bool has_folded_sums(const Problem& p) noexcept {
  return is_floating(p.dtype) && p.geometry.input_plane() >= least_folded_cells && !has_large_sums(p) && fits_whole_planes(p.geometry).ok();
}

// What kernels say that add in the order of the definition.
inline Fit fits_order(const Problem& p) {
  if (has_large_sums(p)) return {"sums of large windows are put together from parts"};
  return {has_folded_sums(p) ? "sums of whole planes are put together from parts" : nullptr};
}

}  // namespace tidepool::inline v0_1::detail
