#include "elementwise/elementwise.h"

#include "core/layout.h"

namespace tidepool::inline v0_1::detail {

bool is_dense(const TensorView& x) noexcept { return is_row_major(x.shape, x.strides) || is_channels_last(x); }

Tensor empty_like(const TensorView& x, const Dims& shape, DType dtype) {
  const bool last = x.shape == shape && !is_row_major(x.shape, x.strides) && is_channels_last(x);
  return Tensor(shape, dtype, last ? MemoryFormat::channels_last : MemoryFormat::contiguous);
}

Dims broadcast_shape(const char* op, const Dims& a, const Dims& b) {
  Dims shape = a.rank >= b.rank ? a : b;
  const Dims& small = a.rank >= b.rank ? b : a;
  const int shift = shape.rank - small.rank;
  for (int d = 0; d < small.rank; ++d) {
    int64_t& size = shape[d + shift];
    if (size == small[d] || small[d] == 1) continue;
    if (size != 1)
      throw Error(ErrorCode::shape_mismatch, std::string(op) + ": sizes must be equal or 1, got " + to_string(a) + " and " + to_string(b) +
                                                 " (dim " + std::to_string(d + shift) + ")");
    size = small[d];
  }
  return shape;
}

Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to) noexcept {
  Dims result;
  const int shift = to.rank - from.rank;
  for (int d = 0; d < to.rank; ++d) result.push_back(d < shift || (from[d - shift] == 1 && to[d] != 1) ? 0 : strides[d - shift]);
  return result;
}

void check_same_dtype(const char* op, DType a, DType b) {
  if (a == b) return;
  throw Error(ErrorCode::dtype_mismatch,
              std::string(op) + ": dtypes must be equal, got " + std::string(dtype_name(a)) + " and " + std::string(dtype_name(b)));
}

}  // namespace tidepool::inline v0_1::detail
