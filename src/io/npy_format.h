// The bytes of an .npy file, wherever they lie: a file of their own, or an entry of an .npz.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::io {

struct NpyHeader {
  DType dtype = DType::f32;
  bool fortran_order = false;
  Dims shape;
  int64_t data_offset = 0;
  int64_t data_bytes = 0;
};

// Reads the header at the start of a file of `file_size` bytes. Nothing in it is trusted: the sizes must fit the file exactly.
// Throws Error(parse); messages start with `name`.
NpyHeader parse_npy_header(std::string_view start, int64_t file_size, const std::string& name);

// How much of a file parse_npy_header wants to see; longer headers are refused.
inline constexpr int64_t npy_header_limit = int64_t{1} << 20;

// Copies `bytes` from `offset` of whatever holds the array.
using ReadAt = std::function<void(void* to, int64_t bytes, int64_t offset)>;
Tensor read_npy(const ReadAt& read, int64_t size, const std::string& name);

// Everything that stands before the cells.
std::string npy_preamble(TensorView array);

}  // namespace tidepool::io
