// Counts that the costs of backward kernels are made of.
#pragma once

#include <algorithm>

#include "tidepool/geometry.h"

namespace tidepool::inline v0_1::detail {

// Per-input-cell counts, used by the cost models of backward passes.
struct CellCounts {
  double windows, outputs, rows, planes;

  explicit CellCounts(const Geometry& g) noexcept : windows(1), planes(1 / number(std::max<int64_t>(g.input_plane(), 1))) {
    outputs = number(g.output_plane()) * planes;
    rows = outputs / number(std::max<int64_t>(g.width().output(), 1));
    for (int i = 0; i < 3; ++i) {
      const Axis& x = g.axis(i);
      const double cells = number(x.output()) * number(x.kernel()) - number(x.pad_before()) - number(x.pad_after());
      windows *= std::max(cells, 0.0) / number(std::max<int64_t>(x.input(), 1));
    }
  }

 private:
  static double number(int64_t n) noexcept { return static_cast<double>(n); }
};

}  // namespace tidepool::inline v0_1::detail
