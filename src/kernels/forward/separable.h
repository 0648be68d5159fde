// The separable kernels: pooling at a cost that does not grow with the window, along each row, then down the rows, then in depth. The
// traversal is plain C++ and compiled once (separable.cc). What touches every element are a few loops per instruction set and type, which
// it calls through pointers (separable_lines-inl.h).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// A line of scratch: values, and where the kernel stores indices also positions, numbers of as many bytes that stand for the cells that the
// values came from. Every line has room for a vector behind its last element, so that loops need no remainders.
struct SeparableLine {
  std::byte* values = nullptr;
  std::byte* positions = nullptr;
};

// Lines that are joined element by element, from first to last. There are one, two or four.
struct SeparableParts {
  SeparableLine lines[4];
  int count = 0;

  // The place of the function in SeparableCode::join.
  size_t join(bool with_head) const noexcept { return static_cast<size_t>(count / 2) + (with_head ? 3 : 0); }
};

// What load() has seen.
inline constexpr unsigned saw_nan = 1, saw_positive_zero = 2, saw_negative_zero = 4;

struct SeparableCode {
  int64_t bytes;         // of a line's element
  int64_t memory_bytes;  // of an array's element
  bool has_positions;
  bool is_sum;  // windows may not overlap, and are divided by a number

  // to[i] = what all parts give together, with `base` added to the positions. Functions with a head also do head[i] = before[i] and that
  // together. `to` may be the first part. One function for each number of parts, without and with a head; and all that once more, exact
  // about NaN and zeros.
  using Join = void (*)(const SeparableParts& parts, const SeparableLine& to, const SeparableLine& before, const SeparableLine& head,
                        int64_t count, int64_t base);
  using Joins = std::array<Join, 6>;
  Joins join[2];
  // Sets values to that of a window without cells.
  void (*clear)(std::byte* values, int64_t count);
  // Converts cells of `count` adjacent elements, `step` bytes apart in memory and adjacent in the line. Prefetches what is `ahead` bytes
  // from them. May write up to a vector more.
  unsigned (*load)(const KernelArgs& a, const std::byte* from, int64_t step, int64_t cells, int64_t count, int64_t ahead, std::byte* to);
  // The same to the output, from the values that one or two lines give together, divided by `divisor`. Writes the cells alone.
  void (*store)(const KernelArgs& a, const std::byte* first, const std::byte* second, int64_t divisor, int64_t ahead, std::byte* to,
                int64_t step, int64_t cells, int64_t count);
  // store_positions()
  void (*store_indices)(const KernelArgs& a, const std::byte* positions, const std::byte* origins, int64_t start, int64_t count, int64_t at,
                        int64_t at_step, int64_t base, int64_t next);
};

void run_separable(const SeparableCode& code, const KernelArgs& a, const Tile& tile) noexcept;
int64_t separable_scratch(const SeparableCode& code, const Problem& p) noexcept;

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

  static SeparableSizes of(const Axis& depth, const Axis& height, const Axis& width, int64_t pitch, int64_t element_bytes) noexcept {
    SeparableSizes z{};
    z.pitch = pitch;
    // Behind each line is room for a vector, and each begins with a cache line: both are 64 bytes of values, beside which may be positions.
    const int64_t vector = 128 / element_bytes;
    const auto round_up = [&](int64_t elements) { return (elements + 2 * vector - 1) / vector * vector; };
    const int64_t kept = kept_bytes / element_bytes, row = std::max<int64_t>(height.kernel() * pitch, 1);
    // Neighbouring strips read the columns of a window twice: strips of several windows make that a small share.
    const int64_t least = 3 * width.kernel() * width.dilation() / width.stride() + std::max<int64_t>(vector / pitch, 1);
    z.columns = equal_parts(width.output(), std::max(kept / row, least));
    z.padded = (z.columns - 1) * width.stride() + (width.kernel() - 1) * width.dilation() + 1;
    z.line = round_up(z.padded * pitch);
    z.out_line = round_up(z.columns * pitch);
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

// Whether the positions of cells fit in 31 bits.
inline bool has_short_positions(const Problem& p) noexcept {
  const Geometry& g = p.geometry;
  const bool in_window = p.indices == IndexBase::window;
  const auto scale = [&](const Axis& x) { return static_cast<double>(in_window ? x.kernel() : x.input()); };
  return (reach(g.depth()) * scale(g.height()) + reach(g.height())) * scale(g.width()) + reach(g.width()) < 0x7fffffff;
}

// What maxima ask. Scratch grows with the kernel, which padding lets exceed any input; in floating point where numbers may exceed 64 bits.
inline Fit fits_separable(const Problem& p, int64_t element_bytes, bool short_positions) noexcept {
  const Geometry& g = p.geometry;
  if (g.width().is_fractional()) return {"every plane has windows of its own"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  double kept = static_cast<double>(g.depth().kernel());
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (!x.is_even()) return {"windows differ in size"};
    if (reach(x) > 1 << 24) return {"windows reach far beyond the input"};
    if (x.dilation() > 1 && x.dilation() * (x.kernel() - 1) >= x.input()) return {"windows with dilation reach beyond the input"};
    if (p.indices && x.has_empty_window()) return {"some windows have no cell that an index could name"};
    kept *= reach(x);
  }
  const int64_t together = separable_channels(p.layout, p.dtype, g.channels());
  if (kept * static_cast<double>(together) > 1e15) return {"windows are too many and too large"};
  const SeparableSizes z = SeparableSizes::of(g.depth(), g.height(), g.width(), together, element_bytes);
  if (z.elements > (1 << 27) / element_bytes) return {"its rows of scratch would take more than 128 MiB"};
  if (p.indices && short_positions && !has_short_positions(p)) return {"positions take more than 32 bits"};
  return {};
}

// A piece starts with kernel - 1 rows that its neighbour has too: pieces several kernels tall make that a small share. Two halves are worth
// it all the same. Of volumes, a piece has all rows of several depths.
inline int64_t separable_grain(const Problem& p) noexcept {
  const Axis &h = p.geometry.height(), &d = p.geometry.depth();
  const auto several = [](const Axis& x) { return std::max<int64_t>(std::min(x.output() / 2, 4 * x.kernel() / x.stride() + 1), 1); };
  return d.kernel() > 1 ? several(d) * h.output() : several(h);
}

}  // namespace tidepool::inline v0_1::detail
