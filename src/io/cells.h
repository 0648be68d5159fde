// Cells as files hold them: row by row, without gaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::io {

// The cells of any array in row-major order; copies only when they lie otherwise.
class PackedCells {
 public:
  explicit PackedCells(TensorView array) : view_(array) {
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

// A byte other than 0 or 1 read as bool is undefined behaviour later on.
inline void make_booleans(TensorSpan contiguous) {
  auto* cells = contiguous.data_as<uint8_t>();
  std::transform(cells, cells + contiguous.numel(), cells, [](uint8_t cell) { return static_cast<uint8_t>(cell != 0); });
}

// Text from a file, safe to print: no control characters, not endless.
inline std::string printable(std::string_view text) {
  std::string safe;
  for (char c : text.substr(0, 40)) safe += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? safe + "..." : safe;
}

}  // namespace tidepool::io
