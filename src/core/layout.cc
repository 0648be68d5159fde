#include "core/layout.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "core/checked.h"

namespace tidepool::inline v0_1 {

void detail::throw_rank(size_t rank) {
  throw Error(ErrorCode::invalid_argument, "tensor: rank must be at most 8, got " + std::to_string(rank));
}

void detail::throw_dim(int dim, int rank) {
  throw Error(ErrorCode::out_of_range,
              "tensor: dim must be in [" + std::to_string(-rank) + ", " + std::to_string(rank) + "), got " + std::to_string(dim));
}

namespace {

// Strides saturate instead of overflowing. Shapes that large fail in count_elements before their strides are used.
int64_t saturating_mul(int64_t a, int64_t b) noexcept {
  int64_t product;
  return detail::checked_mul(a, b, &product) ? product : std::numeric_limits<int64_t>::max();
}

Error error(ErrorCode code, std::string_view op, const std::string& rule) { return {code, std::string(op) + ": " + rule}; }

}  // namespace

std::string to_string(const Dims& dims) {
  if (dims.rank == 0) return "scalar";
  std::string text;
  for (int64_t size : dims.span()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(size);
  }
  return text;
}

Result<int64_t> checked_numel(const Dims& shape) { return detail::count_elements("tensor", shape); }

Dims contiguous_strides(const Dims& shape) {
  Dims strides = shape;
  int64_t stride = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    strides[d] = stride;
    stride = saturating_mul(stride, std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

Dims channels_last_strides(const Dims& shape) {
  if (shape.rank < 2) return contiguous_strides(shape);
  Dims strides = shape;
  strides[1] = 1;
  int64_t stride = std::max<int64_t>(shape[1], 1);
  for (int d = shape.rank - 1; d >= 0; --d) {
    if (d == 1) continue;
    strides[d] = stride;
    stride = saturating_mul(stride, std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

namespace detail {

Result<int64_t> count_elements(std::string_view op, const Dims& shape) {
  int64_t product = 1;
  bool empty = false;
  for (int d = 0; d < shape.rank; ++d) {
    if (shape[d] < 0) {
      return error(ErrorCode::invalid_argument, op,
                   "size must be at least 0, got " + std::to_string(shape[d]) + " (dim " + std::to_string(d) + ")");
    }
    empty |= shape[d] == 0;
    // Zeros count as 1, so that the strides of an empty tensor cannot overflow either.
    if (!checked_mul(product, std::max<int64_t>(shape[d], 1), &product)) {
      return error(ErrorCode::overflow, op, "number of elements must be below 2^63, got shape " + to_string(shape));
    }
  }
  return empty ? 0 : product;
}

bool is_undefined(const TensorView& tensor) noexcept {
  return tensor.data == nullptr && tensor.strides.rank == 0 && tensor.shape == Dims{0};
}

static Error undefined_error(std::string_view op, std::string_view name) {
  return error(ErrorCode::invalid_argument, op,
               std::string(name) + " must be defined, got one without memory (never assigned, or moved from)");
}

void check_defined(std::string_view op, std::string_view name, const TensorView& tensor) {
  if (is_undefined(tensor)) throw undefined_error(op, name);
}

void throw_undefined(const char* function) { throw undefined_error(function, "tensor"); }

Result<Footprint> check_layout(std::string_view op, const TensorView& tensor) {
  if (is_undefined(tensor)) return undefined_error(op, "tensor");
  const int64_t element = dtype_size(tensor.dtype);
  if (element == 0) {
    return error(ErrorCode::dtype_mismatch, op, "dtype must be known, got code " + std::to_string(static_cast<int>(tensor.dtype)));
  }
  const Result<int64_t> count = count_elements(op, tensor.shape);
  if (!count.ok()) return count.error();
  if (tensor.strides.rank != tensor.shape.rank) {
    return error(
        ErrorCode::invalid_argument, op,
        "strides must be one for each of " + std::to_string(tensor.shape.rank) + " dims, got " + std::to_string(tensor.strides.rank));
  }
  if (*count == 0) return Footprint{};
  if (tensor.data == nullptr) return error(ErrorCode::invalid_argument, op, "data must not be null, got shape " + to_string(tensor.shape));

  Footprint bytes;
  bool fits = true;
  for (int d = 0; d < tensor.rank() && fits; ++d) {
    int64_t reach = 0;
    fits = checked_mul(tensor.stride(d), element, &reach) && checked_mul(reach, tensor.size(d) - 1, &reach);
    int64_t& side = reach < 0 ? bytes.begin : bytes.end;
    fits = fits && checked_add(side, reach, &side);
  }
  fits = fits && checked_add(bytes.end, element, &bytes.end);
  int64_t length = 0;
  if (!fits || !checked_sub(bytes.end, bytes.begin, &length)) {
    return error(
        ErrorCode::overflow, op,
        "memory must span less than 2^63 bytes, got shape " + to_string(tensor.shape) + " with strides " + to_string(tensor.strides));
  }
  if (length > PTRDIFF_MAX) {
    return error(ErrorCode::overflow, op,
                 "memory must span at most " + std::to_string(PTRDIFF_MAX) + " bytes on this platform, got " + std::to_string(length));
  }
  return bytes;
}

bool is_row_major(const Dims& shape, const Dims& strides) noexcept {
  for (int64_t size : shape.span())
    if (size == 0) return true;
  int64_t expected = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    if (shape[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected = saturating_mul(expected, shape[d]);
  }
  return true;
}

}  // namespace detail
}  // namespace tidepool::inline v0_1
