// The elements of an array as files store them: in row-major order, without gaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/checked.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

// Row-major elements of an array with any strides, for writing. Copies only if the array is not contiguous.
class ContiguousElements {
 public:
  explicit ContiguousElements(TensorView array) : view_(array) {
    if (array.strides == contiguous_strides(array.shape)) return;
    copy_ = Tensor(array.shape, array.dtype);
    copy(array, copy_.span());
    view_ = copy_;
  }
  const std::byte* data() const noexcept { return view_.data; }
  size_t bytes() const noexcept { return static_cast<size_t>(view_.numel() * dtype_size(view_.dtype)); }

 private:
  Tensor copy_;
  TensorView view_;
};

// The size of such an array in bytes, or nothing if it does not fit in 64 bits. Shapes from files must be checked before allocating.
inline std::optional<int64_t> checked_bytes(const Dims& shape, DType dtype) {
  const auto count = checked_numel(shape);
  int64_t bytes = 0;
  if (!count || !detail::checked_mul(*count, dtype_size(dtype), &bytes)) return std::nullopt;
  return bytes;
}

// Reverses the bytes of every element: big endian to little endian, or back.
inline void reverse_bytes(TensorSpan contiguous) {
  const int64_t width = dtype_size(contiguous.dtype), bytes = contiguous.numel() * width;
  if (width == 1) return;
  auto* data = contiguous.data_as<std::byte>();
  for (int64_t at = 0; at < bytes; at += width) std::reverse(data + at, data + at + width);
}

// Replaces every byte other than 0 by 1. A bool object with any other value is undefined behaviour, and a file can hold any byte.
inline void normalize_booleans(TensorSpan contiguous) {
  auto* elements = contiguous.data_as<std::byte>();
  std::transform(elements, elements + contiguous.numel(), elements, [](std::byte byte) { return std::byte{byte != std::byte{0}}; });
}

}  // namespace tidepool::inline v0_1::io
