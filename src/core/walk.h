// Visits the rows of strided arrays in row-major order.
#pragma once

#include <array>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

inline int64_t row_length(const Dims& shape) noexcept { return shape.rank > 0 ? shape[shape.rank - 1] : 1; }
inline int64_t row_stride(const Dims& strides) noexcept { return strides.rank > 0 ? strides[strides.rank - 1] : 0; }

// Calls row(offsets) for every row, that is every run along the last dimension. `offsets` holds, for each of N arrays of this shape, the
// offset in elements of the row's first element.
template <size_t N, class RowFn>
void walk_rows(const Dims& shape, const std::array<Dims, N>& strides, RowFn&& row) {
  for (int64_t size : shape.span())
    if (size == 0) return;
  std::array<int64_t, N> at{};
  Dims index = shape;
  index.values.fill(0);
  for (;;) {
    row(at);
    int d = shape.rank - 2;
    for (; d >= 0; --d) {
      if (++index[d] < shape[d]) {
        for (size_t k = 0; k < N; ++k) at[k] += strides[k][d];
        break;
      }
      index[d] = 0;
      for (size_t k = 0; k < N; ++k) at[k] -= strides[k][d] * (shape[d] - 1);
    }
    if (d < 0) return;
  }
}

}  // namespace tidepool::inline v0_1::detail
