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

// Whether this is the view of an undefined tensor: Tensor(), or one that was moved from.
bool is_undefined(const TensorView& tensor) noexcept;
// Throws Error for such a view. `op` is the function that was called, `name` that of the argument.
void check_defined(std::string_view op, std::string_view name, const TensorView& tensor);

// The number of elements. Error messages start with `op`.
Result<int64_t> count_elements(std::string_view op, const Dims& shape);

// Fails for a view that cannot be valid: undefined, unknown dtype, negative sizes, a wrong number of strides, more than 2^63 bytes, null
// data.
Result<Footprint> check_layout(std::string_view op, const TensorView& tensor);

// What copy does to arrays outside the graph of gradients.
void copy_values(const TensorView& src, TensorSpan dst);

bool is_row_major(const Dims& shape, const Dims& strides) noexcept;

}  // namespace tidepool::inline v0_1::detail
