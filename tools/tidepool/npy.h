// NumPy's .npy files: versions 1.0, 2.0 and 3.0, little endian, C and Fortran order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "atomic_file.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

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

// Fortran-ordered arrays come back as they lie in memory, with strides that say so.
Tensor read_npy(const std::string& path);

// Writes version 1.0, C order, whatever the strides of the array.
void write_npy(AtomicFile& file, TensorView array);

// How much of a file parse_npy_header wants to see; longer headers are refused.
inline constexpr int64_t npy_header_limit = int64_t{1} << 20;

}  // namespace tidepool::cli
