// How the separable kernels divide their work. Plain C++, because the planner counts the units and the kernels of every instruction set
// must agree with it.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// Channels that are pooled together: where they are adjacent, about a cache line of them; more would move rows out of the nearest caches.
inline int64_t separable_channels(Layout layout, DType dtype, int64_t channels) noexcept {
  if (layout != Layout::channels_last) return 1;
  const int64_t line = 64 / dtype_size(dtype);
  const int64_t groups = std::max<int64_t>((channels + line / 2) / line, 1);
  return (channels + groups - 1) / groups;
}

// Sizes of one strip: all rows of a few planes, but only some columns, so that the rows that are kept stay in a cache.
struct SeparableSizes {
  int64_t pitch;     // elements from one column to the next: the channels that are pooled together
  int64_t columns;   // output columns
  int64_t rows;      // output rows; some of them only where planes are kept for windows in depth
  int64_t padded;    // columns that the windows cover, with padding
  int64_t line;      // elements of a line of these
  int64_t out_line;  // elements of a line of outputs
  int64_t elements;  // of scratch: two lines, some rows of outputs, and what windows along height and depth keep

  static constexpr int64_t slack = 64;  // elements behind each line that loops may read and write

  static SeparableSizes of(const Axis& depth, const Axis& height, const Axis& width, int64_t pitch, int64_t element_bytes) noexcept {
    SeparableSizes z{};
    z.pitch = pitch;
    const int64_t kept = kept_bytes / element_bytes, row = std::max<int64_t>(height.kernel() * pitch, 1);
    // Neighbouring strips read the columns of a window twice: strips of several windows make that a small share.
    const int64_t least = 3 * width.kernel() * width.dilation() / width.stride() + std::max<int64_t>(slack / pitch, 1);
    z.columns = equal_parts(width.output(), std::max(kept / row, least));
    z.padded = (z.columns - 1) * width.stride() + (width.kernel() - 1) * width.dilation() + 1;
    z.line = round_up(z.padded * pitch + slack);
    z.out_line = round_up(z.columns * pitch + slack);
    z.rows = height.output();
    z.elements = 2 * z.line + (height.kernel() + 3) * z.out_line;
    if (depth.kernel() == 1) return z;
    const int64_t least_rows = 3 * height.kernel() * height.dilation() / height.stride() + 4;
    z.rows = equal_parts(height.output(), std::max(kept / std::max<int64_t>(depth.kernel() * z.out_line, 1), least_rows));
    z.elements += (depth.kernel() + 1) * z.rows * z.out_line;
    return z;
  }

 private:
  // A part of the second-level cache of any processor of today.
  static constexpr int64_t kept_bytes = 256 * 1024;

  static int64_t round_up(int64_t elements) noexcept { return (elements + 63) / 64 * 64; }
  // The size of equal parts of `count` that are at most `most`.
  static int64_t equal_parts(int64_t count, int64_t most) noexcept {
    const int64_t parts = (std::max<int64_t>(count, 1) + most - 1) / most;
    return (std::max<int64_t>(count, 1) + parts - 1) / parts;
  }
};

inline double reach(const Axis& x) noexcept {
  return static_cast<double>(x.output()) * static_cast<double>(x.stride()) +
         static_cast<double>(x.kernel()) * static_cast<double>(x.dilation());
}

// What maxima ask. Scratch grows with the kernel, which padding lets exceed any input; in floating point where numbers may exceed 64 bits.
inline Fit fits_separable(const Problem& p, int64_t element_bytes) {
  const Geometry& g = p.geometry;
  if (g.width().is_fractional()) return {"every plane has windows of its own"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  double kept = 1;
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (!x.is_even()) return {"windows differ in size"};
    if (reach(x) > 1 << 24) return {"windows reach far beyond the input"};
    if (x.dilation() > 1 && x.dilation() * (x.kernel() - 1) >= x.input()) return {"windows with dilation reach beyond the input"};
    kept *= reach(x);
  }
  const int64_t together = separable_channels(p.layout, p.dtype, g.channels());
  if (kept * static_cast<double>(g.depth().kernel()) * static_cast<double>(together) > 1e15) return {"windows are too many and too large"};
  const SeparableSizes z = SeparableSizes::of(g.depth(), g.height(), g.width(), together, element_bytes);
  if (z.elements > (1 << 27) / element_bytes) return {"its rows of scratch would take more than 128 MiB"};
  return {};
}

// Whether the positions of cells fit in 31 bits.
inline bool has_short_positions(const Problem& p) noexcept {
  const Geometry& g = p.geometry;
  const bool in_window = p.indices == IndexBase::window;
  const auto scale = [&](const Axis& x) { return static_cast<double>(in_window ? x.kernel() : x.input()); };
  return (reach(g.depth()) * scale(g.height()) + reach(g.height())) * scale(g.width()) + reach(g.width()) < 0x7fffffff;
}

// In vector operations per output.
inline double separable_cost(const Problem& p, double lanes) noexcept {
  const Geometry& g = p.geometry;
  const Axis &w = g.width(), &h = g.height(), &d = g.depth();
  double along_row = 5;
  for (int64_t width = 1; width < w.kernel(); width *= 4) along_row += 4;
  const auto steps = [](const Axis& x) { return static_cast<double>(x.stride()); };
  const double row = static_cast<double>(std::max<int64_t>(w.output(), 1) * separable_channels(p.layout, p.dtype, g.channels()));
  const double vectors = std::ceil(row / lanes) / row;
  const double planes = d.kernel() == 1 ? 1 : steps(d), of_row = h.kernel() == 1 ? 4 : 8;
  return ((along_row * steps(w) + of_row) * steps(h) * planes + (d.kernel() == 1 ? 4 : 8 * planes)) * vectors +
         60 * steps(h) * planes / row;
}

// A piece starts with kernel - 1 rows that its neighbour has too: pieces several kernels tall make that a small share. Two halves are worth
// it all the same. Of volumes, a piece has all rows of several depths.
inline int64_t separable_grain(const Problem& p) noexcept {
  const Axis &h = p.geometry.height(), &d = p.geometry.depth();
  const auto several = [](const Axis& x) { return std::max<int64_t>(std::min(x.output() / 2, 4 * x.kernel() / x.stride() + 1), 1); };
  return d.kernel() > 1 ? several(d) * h.output() : several(h);
}

}  // namespace tidepool::inline v0_1::detail
