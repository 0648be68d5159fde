// Two arrays, cell by cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tidepool/tensor.h"

namespace tidepool::cli {

struct Mismatch {
  int64_t count = 0;  // cells that differ
  Dims at;            // the first of them in row-major order
  std::string got;
  std::string expected;
};

// Nothing when every cell has the same bits. Strides may differ; shapes and dtypes that differ throw Error.
std::optional<Mismatch> compare_bits(TensorView got, TensorView expected);
// Nothing when every cell lies no farther off than its cell of `tolerance`. An empty one allows nothing.
std::optional<Mismatch> compare(TensorView got, TensorView expected, const Tensor& tolerance);

// One cell with all its digits.
std::string show_cell(TensorView array, const Dims& at);
double cell_value(TensorView array, const Dims& at);

}  // namespace tidepool::cli
