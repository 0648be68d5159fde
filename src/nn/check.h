// Argument checks that the functions and layers of nn share.
#pragma once

#include <string>

#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn::detail {

inline void check_f32(const char* op, const char* name, const Tensor& x) {
  if (x.dtype() != DType::f32)
    throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": " + name + " must be f32, got " + std::string(dtype_name(x.dtype())));
}

// oneDNN gets no dtype and reads the memory as f32, so every tensor must be checked.
inline void check_f32_vector(const char* op, const char* name, const Tensor& x, int64_t size) {
  check_f32(op, name, x);
  const Dims shape{size};
  if (x.shape() != shape)
    throw Error(ErrorCode::shape_mismatch,
                std::string(op) + ": " + name + " must have shape " + to_string(shape) + ", got " + to_string(x.shape()));
}

inline int64_t check_at_least_1(const char* op, const char* name, int64_t value) {
  if (value < 1)
    throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + name + " must be at least 1, got " + std::to_string(value));
  return value;
}

inline bool channels_last(const Tensor& x) { return !x.is_contiguous() && x.strides() == channels_last_strides(x.shape()); }

inline MemoryFormat format_of(const Tensor& x) { return channels_last(x) ? MemoryFormat::channels_last : MemoryFormat::contiguous; }

// x itself if it is dense in the given order, else a copy: oneDNN does not accept broadcast or negative strides.
inline Tensor dense(const Tensor& x, MemoryFormat format) {
  const Dims strides = format == MemoryFormat::channels_last ? channels_last_strides(x.shape()) : contiguous_strides(x.shape());
  return x.strides() == strides ? x : x.clone(format);
}
inline Tensor dense(const Tensor& x) { return x.is_contiguous() || channels_last(x) ? x : x.clone(); }

}  // namespace tidepool::inline v0_1::nn::detail
