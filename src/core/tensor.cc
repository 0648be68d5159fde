#include "tidepool/tensor.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/checked.h"
#include "core/convert.h"
#include "core/layout.h"
#include "core/storage.h"
#include "core/walk.h"

namespace tidepool {

void detail::throw_rank(size_t rank) {
  throw Error(ErrorCode::invalid_argument, "tensor: rank must be at most 8, got " + std::to_string(rank));
}

void detail::throw_dim(int dim, int rank) {
  throw Error(ErrorCode::out_of_range,
              "tensor: dim must be in [" + std::to_string(-rank) + ", " + std::to_string(rank) + "), got " + std::to_string(dim));
}

void detail::throw_element_type(DType asked, DType dtype) {
  throw Error(ErrorCode::dtype_mismatch,
              "data: element type must be that of " + std::string(dtype_name(dtype)) + ", got " + std::string(dtype_name(asked)));
}

namespace {

// No processor of today addresses more in one program; allocators answer such a wish in various ways, some by ending the program.
constexpr int64_t max_bytes = int64_t{1} << 47;

std::shared_ptr<detail::Storage> allocate(int64_t bytes, const Dims& shape, DType dtype) {
  if (bytes <= max_bytes) {
    try {
      auto storage = std::make_shared<detail::Storage>();
      storage->allocate(static_cast<size_t>(bytes));
      return storage;
    } catch (const std::bad_alloc&) {  // NOLINT: reported below, like the wish that is never tried
    }
  }
  throw Error(ErrorCode::out_of_memory, "tensor: memory must suffice, got none for " + std::to_string(bytes) + " bytes (" +
                                            to_string(shape) + " " + std::string(dtype_name(dtype)) + ")");
}

std::string place(int dim) { return " (dim " + std::to_string(dim) + ")"; }

int checked_dim(const char* op, int dim, int rank) {
  if (dim < -rank || dim >= rank) {
    throw Error(ErrorCode::invalid_argument, std::string(op) + ": dim must be in [" + std::to_string(-rank) + ", " + std::to_string(rank) +
                                                 "), got " + std::to_string(dim));
  }
  return dim < 0 ? dim + rank : dim;
}

// Python's rules without its negative indices: they would leave no way to name the place before the first element.
int64_t slice_count(int dim, int64_t size, int64_t start, int64_t stop, int64_t step) {
  if (step == 0) throw Error(ErrorCode::invalid_argument, "slice: step must not be 0, got 0" + place(dim));
  const int64_t lowest_stop = step > 0 ? 0 : -1;
  const int64_t highest_start = step > 0 ? size : size - 1;
  const int64_t highest_stop = step > 0 ? size : size - 1;
  if (start < 0 || start > highest_start) {
    throw Error(ErrorCode::out_of_range,
                "slice: start must be in [0, " + std::to_string(highest_start) + "], got " + std::to_string(start) + place(dim));
  }
  if (stop < lowest_stop || stop > highest_stop) {
    throw Error(ErrorCode::out_of_range, "slice: stop must be in [" + std::to_string(lowest_stop) + ", " + std::to_string(highest_stop) +
                                             "], got " + std::to_string(stop) + place(dim));
  }
  const int64_t distance = step > 0 ? stop - start : start - stop;
  if (distance <= 0) return 0;
  // Unsigned, because the most negative step has no positive counterpart.
  const uint64_t pace = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / pace) + 1;
}

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

// For arrays that do not share memory.
void copy_apart(TensorView src, TensorSpan dst) {
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

Tensor::Tensor(const Dims& shape, DType dtype, MemoryFormat format) {
  const int64_t element = dtype_size(dtype);
  if (element == 0)
    throw Error(ErrorCode::dtype_mismatch, "tensor: dtype must be known, got code " + std::to_string(static_cast<int>(dtype)));
  const int64_t count = checked_numel(shape).value();
  int64_t bytes = 0;
  if (!detail::checked_mul(count, element, &bytes)) {
    throw Error(ErrorCode::overflow,
                "tensor: number of bytes must be below 2^63, got shape " + to_string(shape) + " of " + std::string(dtype_name(dtype)));
  }
  storage_ = allocate(bytes, shape, dtype);
  const Dims strides = format == MemoryFormat::channels_last ? channels_last_strides(shape) : contiguous_strides(shape);
  span_ = {{static_cast<std::byte*>(storage_->memory), dtype, shape, strides}};
}

Tensor::Tensor(std::shared_ptr<void> owner, TensorSpan memory) : storage_(std::make_shared<detail::Storage>()), span_(memory) {
  storage_->owner = std::move(owner);
}

Tensor Tensor::detach() const {
  Tensor result = *this;
  result.grad_state_ = nullptr;
  return result;
}

Tensor Tensor::restrided(const Dims& shape, const Dims& strides) const {
  Tensor result = detach();
  result.span_.shape = shape;
  result.span_.strides = strides;
  return result;
}

uint64_t Tensor::version() const noexcept { return storage_ ? storage_->version.load(std::memory_order_relaxed) : 0; }

void Tensor::mark_changed() noexcept {
  if (storage_) storage_->version.fetch_add(1, std::memory_order_relaxed);
}

bool Tensor::shares_memory() const noexcept { return storage_.use_count() > 1; }

Tensor Tensor::copy_of(DType dtype, const Dims& shape, const void* values, int64_t count) {
  const int64_t wanted = checked_numel(shape).value();
  if (wanted != count) {
    throw Error(ErrorCode::shape_mismatch,
                "tensor: values must be " + std::to_string(wanted) + " for shape " + to_string(shape) + ", got " + std::to_string(count));
  }
  Tensor result(shape, dtype);
  if (count > 0) std::memcpy(result.span_.data, values, static_cast<size_t>(count * dtype_size(dtype)));
  return result;
}

bool Tensor::is_contiguous() const noexcept { return detail::is_row_major(span_.shape, span_.strides); }

Tensor Tensor::transposed(int dim0, int dim1) const {
  const int a = checked_dim("transpose", dim0, rank());
  const int b = checked_dim("transpose", dim1, rank());
  Tensor result = detach();
  std::swap(result.span_.shape[a], result.span_.shape[b]);
  std::swap(result.span_.strides[a], result.span_.strides[b]);
  return result;
}

Tensor Tensor::sliced(int dim, int64_t start, int64_t stop, int64_t step) const {
  const int d = checked_dim("slice", dim, rank());
  detail::check_layout("slice", span_).value();
  const int64_t count = slice_count(d, size(d), start, stop, step);
  Tensor result = detach();
  result.span_.shape[d] = count;
  // A stride that is never taken may be anything, and the product with a long step might not fit.
  if (count > 1) result.span_.strides[d] *= step;
  if (result.numel() > 0) result.span_.data += start * span_.stride(d) * dtype_size(dtype());
  return result;
}

Tensor Tensor::reshaped(const Dims& shape) const {
  detail::check_layout("reshape", span_).value();
  const int64_t count = detail::count_elements("reshape", shape).value();
  if (count != numel()) {
    throw Error(ErrorCode::shape_mismatch, "reshape: number of elements must stay " + std::to_string(numel()) + ", got " +
                                               std::to_string(count) + " (shape " + to_string(shape) + ")");
  }
  if (!is_contiguous()) {
    throw Error(ErrorCode::invalid_argument,
                "reshape: tensor must be contiguous, got strides " + to_string(strides()) + " (shape " + to_string(this->shape()) + ")");
  }
  Tensor result = detach();
  result.span_.shape = shape;
  result.span_.strides = contiguous_strides(shape);
  return result;
}

Tensor Tensor::cloned(MemoryFormat format) const {
  detail::check_layout("clone", span_).value();
  Tensor result(shape(), dtype(), format);
  copy_apart(span_, result.span_);
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

Tensor Tensor::selected(int dim, int64_t index) const {
  const int d = checked_dim("select", dim, rank());
  if (index < -size(d) || index >= size(d)) {
    throw Error(ErrorCode::out_of_range, "select: index must be in [" + std::to_string(-size(d)) + ", " + std::to_string(size(d)) +
                                             "), got " + std::to_string(index) + place(d));
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

void Tensor::check_flat() const {
  detail::check_layout("flat", span_).value();
  if (is_contiguous()) return;
  throw Error(ErrorCode::invalid_argument,
              "flat: tensor must be contiguous, got strides " + to_string(strides()) + " (shape " + to_string(shape()) + ")");
}

void Tensor::check_one_element() const {
  if (numel() != 1)
    throw Error(ErrorCode::invalid_argument,
                "item: tensor must have 1 element, got " + std::to_string(numel()) + " (shape " + to_string(shape()) + ")");
}

double Tensor::item(std::initializer_list<Size> index) const {
  detail::check_layout("item", span_).value();
  if (index.size() != static_cast<size_t>(rank())) {
    throw Error(ErrorCode::invalid_argument,
                "item: index must have " + std::to_string(rank()) + " entries, got " + std::to_string(index.size()));
  }
  int64_t offset = 0;
  for (int d = 0; d < rank(); ++d) {
    const int64_t i = index.begin()[d];
    if (i < 0 || i >= size(d)) {
      throw Error(ErrorCode::out_of_range,
                  "item: index must be in [0, " + std::to_string(size(d)) + "), got " + std::to_string(i) + place(d));
    }
    offset += i * strides()[d];
  }
  const std::byte* at = span_.data + offset * dtype_size(dtype());
  return dispatch(dtype(), [&]<class T>(TypeTag<T>) { return detail::convert<double>(detail::load_element<T>(at)); });
}

double Tensor::item() const {
  check_one_element();
  return dispatch(dtype(), [&]<class T>(TypeTag<T>) { return detail::convert<double>(detail::load_element<T>(span_.data)); });
}

void detail::copy_values(const TensorView& src, TensorSpan dst) {
  if (src.shape != dst.shape) {
    throw Error(ErrorCode::shape_mismatch, "copy: shapes must be equal, got " + to_string(src.shape) + " and " + to_string(dst.shape));
  }
  if (src.dtype != dst.dtype) {
    throw Error(ErrorCode::dtype_mismatch,
                "copy: dtypes must be equal, got " + std::string(dtype_name(src.dtype)) + " and " + std::string(dtype_name(dst.dtype)));
  }
  const Footprint from = check_layout("copy", src).value();
  const Footprint to = check_layout("copy", dst).value();
  if (!overlap(src, from, dst, to)) return copy_apart(src, dst);
  if (src.data == dst.data && src.strides == dst.strides) return;
  // Shared memory, such as a flip in place: writing would change what is still to be read.
  Tensor aside(src.shape, src.dtype);
  copy_apart(src, aside.span());
  copy_apart(aside, dst);
}

}  // namespace tidepool
