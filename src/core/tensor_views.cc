// The views of a tensor, without recording: transpose, slice, select, reshape and as_strided.
#include <string>
#include <utility>

#include "core/checked.h"
#include "core/dim.h"
#include "core/layout.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {
namespace {

std::string in_dim(int dim) { return " (dim " + std::to_string(dim) + ")"; }

// The number of elements of a slice, as in Python except that negative positions do not count from the end: stop = -1 is needed for the
// position before the first element.
int64_t slice_count(int dim, int64_t size, int64_t start, int64_t stop, int64_t step) {
  if (step == 0) throw Error(ErrorCode::invalid_argument, "slice: step must not be 0, got 0" + in_dim(dim));
  const int64_t lowest_stop = step > 0 ? 0 : -1;
  const int64_t highest_start = step > 0 ? size : size - 1;
  const int64_t highest_stop = step > 0 ? size : size - 1;
  if (start < 0 || start > highest_start) {
    throw Error(ErrorCode::out_of_range,
                "slice: start must be in [0, " + std::to_string(highest_start) + "], got " + std::to_string(start) + in_dim(dim));
  }
  if (stop < lowest_stop || stop > highest_stop) {
    throw Error(ErrorCode::out_of_range, "slice: stop must be in [" + std::to_string(lowest_stop) + ", " + std::to_string(highest_stop) +
                                             "], got " + std::to_string(stop) + in_dim(dim));
  }
  const int64_t distance = step > 0 ? stop - start : start - stop;
  if (distance <= 0) return 0;
  // Unsigned, because the most negative step has no positive counterpart.
  const uint64_t magnitude = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / magnitude) + 1;
}

// Replaces a size of -1 by the one that gives `numel` elements. If there is none, -1 stays and reshape reports it.
Dims infer_size(const Dims& shape, int64_t numel) {
  Dims result = shape;
  int unknown = -1;
  int64_t known = 1;
  for (int d = 0; d < shape.rank; ++d) {
    if (shape[d] == -1 && unknown < 0)
      unknown = d;
    else if (!detail::checked_mul(known, shape[d], &known))
      return result;
  }
  if (unknown >= 0 && known > 0 && numel % known == 0) result[unknown] = numel / known;
  return result;
}

}  // namespace

Tensor Tensor::restrided(const Dims& shape, const Dims& strides) const {
  detail::check_defined("as_strided", "tensor", span_);
  Tensor result = detach();
  result.span_.shape = shape;
  result.span_.strides = strides;
  return result;
}

Tensor Tensor::transposed(int dim0, int dim1) const {
  detail::check_defined("transpose", "tensor", span_);
  const int a = detail::checked_dim("transpose", dim0, rank());
  const int b = detail::checked_dim("transpose", dim1, rank());
  Tensor result = detach();
  std::swap(result.span_.shape[a], result.span_.shape[b]);
  std::swap(result.span_.strides[a], result.span_.strides[b]);
  return result;
}

Tensor Tensor::sliced(int dim, int64_t start, int64_t stop, int64_t step) const {
  const int d = detail::checked_dim("slice", dim, rank());
  detail::check_layout("slice", span_).value();
  const int64_t count = slice_count(d, size(d), start, stop, step);
  Tensor result = detach();
  result.span_.shape[d] = count;
  // The stride of a dim with one element is not used, and its product with a large step could overflow.
  if (count > 1) result.span_.strides[d] *= step;
  if (result.numel() > 0) result.span_.data += start * span_.stride(d) * dtype_size(dtype());
  return result;
}

Tensor Tensor::reshaped(const Dims& shape) const {
  detail::check_layout("reshape", span_).value();
  const Dims inferred = infer_size(shape, numel());
  const int64_t count = detail::count_elements("reshape", inferred).value();
  if (count != numel()) {
    throw Error(ErrorCode::shape_mismatch, "reshape: number of elements must stay " + std::to_string(numel()) + ", got " +
                                               std::to_string(count) + " (shape " + to_string(inferred) + ")");
  }
  if (!is_contiguous()) {
    throw Error(ErrorCode::invalid_argument,
                "reshape: tensor must be contiguous, got strides " + to_string(strides()) + " (shape " + to_string(this->shape()) + ")");
  }
  Tensor result = detach();
  result.span_.shape = inferred;
  result.span_.strides = contiguous_strides(inferred);
  return result;
}

Tensor Tensor::selected(int dim, int64_t index) const {
  detail::check_defined("select", "tensor", span_);
  const int d = detail::checked_dim("select", dim, rank());
  if (index < -size(d) || index >= size(d)) {
    throw Error(ErrorCode::out_of_range, "select: index must be in [" + std::to_string(-size(d)) + ", " + std::to_string(size(d)) +
                                             "), got " + std::to_string(index) + in_dim(d));
  }
  const int64_t at = index < 0 ? index + size(d) : index;
  Tensor result = sliced(d, at, at + 1, 1);
  Dims shape, strides;
  for (int i = 0; i < rank(); ++i) {
    if (i == d) continue;
    shape.push_back(result.shape()[i]);
    strides.push_back(result.strides()[i]);
  }
  result.span_.shape = shape;
  result.span_.strides = strides;
  return result;
}

}  // namespace tidepool::inline v0_1
