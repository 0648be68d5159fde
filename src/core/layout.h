// The memory that a shape, strides and a dtype describe. Everything is checked for overflow.
#pragma once

#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// The bytes [begin, end) of an array, relative to its data pointer. begin is negative when strides are.
struct Footprint {
  int64_t begin = 0;
  int64_t end = 0;
};

// The number of elements. Error messages start with `op`.
Result<int64_t> count_elements(std::string_view op, const Dims& shape);

// Fails for a view that cannot be valid: unknown dtype, negative sizes, a wrong number of strides, more than 2^63 bytes, null data.
Result<Footprint> check_layout(std::string_view op, const TensorView& tensor);

// What copy does to arrays outside the graph of gradients.
void copy_values(const TensorView& src, TensorSpan dst);

bool is_row_major(const Dims& shape, const Dims& strides) noexcept;

}  // namespace tidepool::inline v0_1::detail
