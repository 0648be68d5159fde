// What a shape, its strides and an element size say about memory, with nothing taken on trust.
#pragma once

#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::detail {

// Bytes that an array touches, relative to its data pointer: [begin, end).
struct Footprint {
  int64_t begin = 0;
  int64_t end = 0;
};

// The number of elements; the message of a refusal starts with `op`.
Result<int64_t> count_elements(std::string_view op, const Dims& shape);

// Refuses an array that cannot exist: unknown dtype, bad sizes, one stride too few, an address range beyond 63 bits, no memory.
Result<Footprint> check_layout(std::string_view op, const TensorView& tensor);

bool is_row_major(const Dims& shape, const Dims& strides) noexcept;

}  // namespace tidepool::detail
