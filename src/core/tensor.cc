#include "tidepool/tensor.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/checked.h"
#include "core/convert.h"
#include "core/layout.h"
#include "core/storage.h"

namespace tidepool::inline v0_1 {

void detail::throw_element_type(DType requested, DType dtype) {
  throw Error(ErrorCode::dtype_mismatch,
              "data: element type must be that of " + std::string(dtype_name(dtype)) + ", got " + std::string(dtype_name(requested)));
}

namespace {

std::shared_ptr<detail::Storage> allocate(int64_t bytes, const Dims& shape, DType dtype) {
  try {
    auto storage = std::make_shared<detail::Storage>();
    storage->allocate(detail::to_size(bytes));
    return storage;
  } catch (const std::bad_alloc&) {  // NOLINT: reported below
  }
  throw Error(ErrorCode::out_of_memory, "tensor: not enough memory for " + std::to_string(bytes) + " bytes (" + to_string(shape) + " " +
                                            std::string(dtype_name(dtype)) + ")");
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

void Tensor::check_flat() const {
  detail::check_layout("flat", span_).value();
  if (is_contiguous()) return;
  throw Error(ErrorCode::invalid_argument,
              "flat: tensor must be contiguous, got strides " + to_string(strides()) + " (shape " + to_string(shape()) + ")");
}

void Tensor::check_one_element() const {
  detail::check_defined("item", "tensor", span_);
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
      throw Error(ErrorCode::out_of_range, "item: index must be in [0, " + std::to_string(size(d)) + "), got " + std::to_string(i) +
                                               " (dim " + std::to_string(d) + ")");
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

}  // namespace tidepool::inline v0_1
