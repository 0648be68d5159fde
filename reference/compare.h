// Comparison of two arrays, element by element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tidepool/tensor.h"

namespace tidepool::reference {

struct Mismatch {
  int64_t count = 0;  // cells that differ
  Dims at;            // the first of them in row-major order
  std::string got;
  std::string expected;
};

// Returns nothing when every cell has the same bits. Strides may differ. Throws Error when shapes or dtypes differ.
std::optional<Mismatch> compare_bits(const TensorArg& got, const TensorArg& expected);
// Returns nothing when every cell has the same bits, or differs from the expected value by at most its cell of `tolerance` (f64). Two NaNs
// are equal. With an empty tolerance the same as compare_bits.
std::optional<Mismatch> compare(const TensorArg& got, const TensorArg& expected, const TensorArg& tolerance);

// The value of one cell, whatever its dtype. i64 beyond 53 bits is rounded.
double cell_value(const TensorArg& array, const Dims& at);
// The bits of one cell, in the low bits of the result.
uint64_t cell_bits(const TensorArg& array, const Dims& at);
// The value of one cell as text, with enough digits to tell it from its neighbours.
std::string show_cell(const TensorArg& array, const Dims& at);

}  // namespace tidepool::reference
