// Which windows cover an input cell, along one axis.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

inline constexpr int64_t most_gather_scratch = 1 << 26;
inline constexpr int64_t most_rows_covering = 64;

// The windows of an axis that cover a cell lie in this range; with dilation not all of it do.
inline Range windows_covering(const AxisTable& x, int64_t cell) noexcept {
  // Bin o covers the cell if floor(o L / O) <= cell < ceil((o + 1) L / O).
  if (!x.regular) return {cell * x.output / x.input, ((cell + 1) * x.output + x.input - 1) / x.input};
  const int64_t behind = cell + x.pad_before - (x.kernel - 1) * x.dilation;
  return {behind <= 0 ? 0 : (behind + x.stride - 1) / x.stride, std::min((cell + x.pad_before) / x.stride + 1, x.output)};
}

// The most windows that can cover one cell, and the widest range of them.
inline int64_t most_windows_covering(const Axis& x) noexcept {
  return std::min(x.output(),
                  x.is_even() ? (x.kernel() - 1) * x.dilation() / x.stride() + 1 : x.output() / std::max<int64_t>(x.input(), 1) + 2);
}

// A window that covers a cell, and the number of the cell among the taps of that axis.
struct Covering {
  int32_t window;
  int32_t tap;
};

// All windows that cover each cell of an axis, listed once per run: divisions take longer than a row of a small plane.
class CoveringList {
 public:
  CoveringList() = default;
  // Takes bytes_for(axis) of scratch, and moves the pointer behind them.
  CoveringList(const AxisTable& x, std::byte*& scratch) noexcept
      : first_(reinterpret_cast<int32_t*>(scratch)), list_(reinterpret_cast<Covering*>(first_ + x.input + 1)) {
    scratch += bytes_for(*x.axis);
    int32_t count = 0;
    for (int64_t cell = 0; cell < x.input; ++cell) {
      first_[cell] = count;
      const Range range = windows_covering(x, cell);
      for (int64_t o = range.begin; o < range.end; ++o) {
        const int64_t ahead = cell - x.start(o);
        if (x.dilation == 1)
          list_[count++] = {static_cast<int32_t>(o), static_cast<int32_t>(ahead)};
        else if (ahead % x.dilation == 0)
          list_[count++] = {static_cast<int32_t>(o), static_cast<int32_t>(ahead / x.dilation)};
      }
    }
    first_[x.input] = count;
  }
  std::span<const Covering> operator[](int64_t cell) const noexcept {
    return {list_ + first_[cell], static_cast<size_t>(first_[cell + 1] - first_[cell])};
  }
  // Whether the same windows cover both cells. Windows over a cell are equally far apart.
  bool same(int64_t a, int64_t b) const noexcept {
    const auto x = (*this)[a], y = (*this)[b];
    return x.size() == y.size() && (x.empty() || (x.front().window == y.front().window && x.back().window == y.back().window));
  }

  static int64_t bytes_for(const Axis& x) noexcept {
    const int64_t bytes = (x.input() + 1) * static_cast<int64_t>(sizeof(int32_t)) +
                          x.input() * most_windows_covering(x) * static_cast<int64_t>(sizeof(Covering));
    return (bytes + 63) / 64 * 64;
  }

 private:
  int32_t* first_ = nullptr;
  Covering* list_ = nullptr;
};

// Rows of outputs that a gather keeps in scratch: a ring of slices, and in each slice a ring of rows, large enough for the rows that cover
// one row of the input and `ahead` rows more. With several slices all rows of a slice are kept, because the next slice of the input needs
// them again. Sizes are powers of two, because divisions take longer than a short row.
struct RowRing {
  int64_t ahead, slices, rows;

  RowRing(const Axis& depth, const Axis& height, int64_t rows_ahead) noexcept
      : ahead(rows_ahead),
        slices(power_of_two(most_windows_covering(depth))),
        rows(power_of_two(depth.output() > 1 || depth.kernel() > 1 ? height.output() : most_windows_covering(height) + rows_ahead)) {}
  int64_t count() const noexcept { return slices * rows; }
  int64_t slot(int64_t od, int64_t oh) const noexcept { return (od & (slices - 1)) * rows + (oh & (rows - 1)); }

 private:
  static int64_t power_of_two(int64_t least) noexcept {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(least, 1))));
  }
};

// What all gathers need: few enough windows over one cell, and numbers that can be multiplied.
inline Fit fits_gather(const Problem& p) {
  const Geometry& g = p.geometry;
  if (g.width().is_fractional()) return {"every plane has windows of its own"};
  for (int i = 0; i < 3; ++i)
    if (g.axis(i).is_adaptive() && (g.axis(i).input() > 1 << 30 || g.axis(i).output() > 1 << 30)) return {"too many bins to count"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (most_windows_covering(g.depth()) > most_rows_covering || most_windows_covering(g.height()) > most_rows_covering ||
      most_windows_covering(g.depth()) * most_windows_covering(g.height()) > most_rows_covering)
    return {"more than 64 rows of windows cover a cell"};
  return {};
}

}  // namespace tidepool::inline v0_1::detail
