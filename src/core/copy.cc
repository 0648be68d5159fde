// Copies of arrays: copy, clone and conversion to another dtype.
#include <cstring>
#include <string>

#include "core/convert.h"
#include "core/layout.h"
#include "core/walk.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {
namespace {

template <size_t Size>
void copy_elements(TensorView src, TensorSpan dst) {
  const int64_t length = detail::row_length(src.shape);
  const int64_t from = detail::row_stride(src.strides);
  const int64_t to = detail::row_stride(dst.strides);
  constexpr int64_t size = Size;
  detail::walk_rows<2>(src.shape, {src.strides, dst.strides}, [&](const std::array<int64_t, 2>& at) {
    const std::byte* in = src.data + at[0] * size;
    std::byte* out = dst.data + at[1] * size;
    if (from == 1 && to == 1) {
      std::memcpy(out, in, static_cast<size_t>(length * size));
    } else {
      for (int64_t i = 0; i < length; ++i) std::memcpy(out + i * to * size, in + i * from * size, Size);
    }
  });
}

// For arrays that do not overlap.
void copy_disjoint(TensorView src, TensorSpan dst) {
  if (detail::is_row_major(src.shape, src.strides) && detail::is_row_major(dst.shape, dst.strides)) {
    const int64_t bytes = src.numel() * dtype_size(src.dtype);
    if (bytes > 0) std::memcpy(dst.data, src.data, static_cast<size_t>(bytes));
    return;
  }
  dispatch(src.dtype, [&]<class T>(TypeTag<T>) { copy_elements<sizeof(T)>(src, dst); });
}

bool overlap(TensorView a, detail::Footprint of_a, TensorView b, detail::Footprint of_b) {
  const auto address = [](const std::byte* data, int64_t offset) {
    return reinterpret_cast<uintptr_t>(data) + static_cast<uintptr_t>(offset);
  };
  return address(a.data, of_a.begin) < address(b.data, of_b.end) && address(b.data, of_b.begin) < address(a.data, of_a.end);
}

}  // namespace

Tensor Tensor::cloned(MemoryFormat format) const {
  detail::check_layout("clone", span_).value();
  Tensor result(shape(), dtype(), format);
  copy_disjoint(span_, result.span_);
  return result;
}

Tensor Tensor::converted(DType target) const {
  detail::check_layout("to", span_).value();
  const bool channels_last = !is_contiguous() && strides() == channels_last_strides(shape());
  Tensor result(shape(), target, channels_last ? MemoryFormat::channels_last : MemoryFormat::contiguous);
  const int64_t length = detail::row_length(shape());
  const auto convert_all = [&]<class From, class To>(TypeTag<From>, TypeTag<To>) {
    constexpr int64_t from_size = sizeof(From);
    constexpr int64_t to_size = sizeof(To);
    const int64_t from = detail::row_stride(strides()) * from_size;
    const int64_t to = detail::row_stride(result.strides()) * to_size;
    detail::walk_rows<2>(shape(), {strides(), result.strides()}, [&](const std::array<int64_t, 2>& at) {
      const std::byte* in = span_.data + at[0] * from_size;
      std::byte* out = result.span_.data + at[1] * to_size;
      for (int64_t i = 0; i < length; ++i)
        detail::store_element(out + i * to, detail::convert<To>(detail::load_element<From>(in + i * from)));
    });
  };
  dispatch(dtype(), [&](auto from) { dispatch(target, [&](auto to) { convert_all(from, to); }); });
  return result;
}

void detail::copy_values(const TensorView& src, TensorSpan dst) {
  check_defined("copy", "src", src);
  check_defined("copy", "dst", dst);
  if (src.shape != dst.shape) {
    throw Error(ErrorCode::shape_mismatch, "copy: shapes must be equal, got " + to_string(src.shape) + " and " + to_string(dst.shape));
  }
  if (src.dtype != dst.dtype) {
    throw Error(ErrorCode::dtype_mismatch,
                "copy: dtypes must be equal, got " + std::string(dtype_name(src.dtype)) + " and " + std::string(dtype_name(dst.dtype)));
  }
  const Footprint from = check_layout("copy", src).value();
  const Footprint to = check_layout("copy", dst).value();
  if (!overlap(src, from, dst, to)) return copy_disjoint(src, dst);
  if (src.data == dst.data && src.strides == dst.strides) return;
  // The arrays overlap, for example when a tensor is flipped in place: copying directly would overwrite elements before they are read.
  Tensor temporary(src.shape, src.dtype);
  copy_disjoint(src, temporary.span());
  copy_disjoint(temporary, dst);
}

}  // namespace tidepool::inline v0_1
