#include "tidepool/dlpack.h"

#include <limits>
#include <string>

#include "core/layout.h"

namespace tidepool::inline v0_1 {

namespace {

// kDLBool, which old versions of dlpack.h do not define.
constexpr uint8_t dl_bool = 6;

DLDataType to_dl(DType dtype) {
  DLDataType result{};
  result.bits = static_cast<uint8_t>(8 * dtype_size(dtype));
  result.lanes = 1;
  switch (dtype_kind(dtype)) {
    case DTypeKind::floating:
      result.code = dtype == DType::bf16 ? kDLBfloat : kDLFloat;
      break;
    case DTypeKind::signed_int:
      result.code = kDLInt;
      break;
    case DTypeKind::unsigned_int:
      result.code = kDLUInt;
      break;
    case DTypeKind::logical:
      result.code = dl_bool;
      break;
  }
  return result;
}

[[noreturn]] void refuse(ErrorCode code, const std::string& rule) { throw Error(code, "from_dlpack: " + rule); }

DType from_dl(DLDataType type) {
  if (type.lanes != 1) refuse(ErrorCode::dtype_mismatch, "lanes must be 1, got " + std::to_string(type.lanes));
  for (DType dtype : all_dtypes) {
    const DLDataType candidate = to_dl(dtype);
    if (candidate.code == type.code && candidate.bits == type.bits) return dtype;
  }
  refuse(ErrorCode::dtype_mismatch, "dtype must be one that tidepool supports, got code " + std::to_string(type.code) + " with " +
                                        std::to_string(type.bits) + " bits");
}

// Checks everything except that the pointer is valid.
TensorSpan span_of(const DLTensor& tensor) {
  if (tensor.device.device_type != kDLCPU) {
    refuse(ErrorCode::unsupported,
           "device must be the CPU, got device type " + std::to_string(static_cast<int>(tensor.device.device_type)));
  }
  TensorSpan result;
  result.dtype = from_dl(tensor.dtype);
  if (tensor.ndim < 0 || tensor.ndim > max_rank)
    refuse(ErrorCode::invalid_argument, "rank must be in [0, 8], got " + std::to_string(tensor.ndim));
  const size_t rank = static_cast<size_t>(tensor.ndim);
  if (rank > 0 && tensor.shape == nullptr) refuse(ErrorCode::invalid_argument, "shape must not be null, got rank " + std::to_string(rank));
  result.shape = Dims(std::span<const int64_t>(tensor.shape, rank));
  const int64_t count = detail::count_elements("from_dlpack", result.shape).value();
  result.strides = tensor.strides != nullptr ? Dims(std::span<const int64_t>(tensor.strides, rank)) : contiguous_strides(result.shape);
  result.data = static_cast<std::byte*>(tensor.data);
  detail::check_layout("from_dlpack", result).value();
  if (count == 0) return result;

  if (tensor.byte_offset > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    refuse(ErrorCode::overflow, "byte_offset must be below 2^63, got " + std::to_string(tensor.byte_offset));
  }
  result.data += tensor.byte_offset;
  if (reinterpret_cast<uintptr_t>(result.data) % static_cast<uintptr_t>(dtype_size(result.dtype)) != 0) {
    refuse(ErrorCode::invalid_argument, "data must be aligned to its element of " + std::to_string(dtype_size(result.dtype)) +
                                            " bytes, got byte_offset " + std::to_string(tensor.byte_offset));
  }
  return result;
}

// Owns a tensor of another library and calls its deleter.
struct Imported {
  DLManagedTensor* managed = nullptr;

  Imported() = default;
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;
  ~Imported() {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
  }
};

// A tensor handed to another library, with the arrays that its DLTensor points to.
struct Exported {
  Tensor tensor;
  Dims shape;
  Dims strides;
  DLManagedTensor managed{};  // with byte_offset 0
};

}  // namespace

TensorView view_from_dlpack(const DLTensor& tensor) { return span_of(tensor); }

Tensor from_dlpack(DLManagedTensor* managed) {
  if (managed == nullptr) refuse(ErrorCode::invalid_argument, "tensor must not be null, got null");
  const TensorSpan memory = span_of(managed->dl_tensor);
  // Ownership is taken last, so that the caller still owns the tensor if anything above throws.
  auto owner = std::make_shared<Imported>();
  owner->managed = managed;
  return Tensor(std::move(owner), memory);
}

DLManagedTensor* to_dlpack(const Tensor& tensor) {
  detail::check_defined("to_dlpack", "tensor", tensor);
  if (tensor.requires_grad())
    throw Error(ErrorCode::invalid_argument,
                "to_dlpack: tensor must not require gradients, got one that does (shape " + to_string(tensor.shape()) + "; use detach)");
  auto exported = std::make_unique<Exported>();
  exported->tensor = tensor;
  exported->shape = tensor.shape();
  exported->strides = tensor.strides();
  DLTensor& out = exported->managed.dl_tensor;
  out.data = exported->tensor.data<std::byte>();
  out.device = {kDLCPU, 0};
  out.ndim = tensor.rank();
  out.dtype = to_dl(tensor.dtype());
  out.shape = exported->shape.values.data();
  out.strides = exported->strides.values.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](DLManagedTensor* self) { delete static_cast<Exported*>(self->manager_ctx); };
  return &exported.release()->managed;
}

}  // namespace tidepool::inline v0_1
