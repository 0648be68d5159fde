// Which averages and sums are put together from shared parts. A question of the windows alone: the order of additions, and with it the
// bits, may not depend on layout, instruction set or threads.
#pragma once

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

inline constexpr const char* large_sums_refusal = "sums of large windows are put together from parts";

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

}  // namespace tidepool::inline v0_1::detail
