// The .npy format, read from a file or from an entry of an .npz archive.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

struct NpyHeader {
  DType dtype = DType::f32;
  bool big_endian = false;
  bool fortran_order = false;
  Dims shape;
  int64_t data_offset = 0;
  int64_t data_bytes = 0;
};

// Parses the header at the start of a file of `file_size` bytes. The header is not trusted: the array must fill the rest of the file
// exactly. Throws Error(parse) with messages that start with `name`.
NpyHeader parse_npy_header(std::string_view start, int64_t file_size, const std::string& name);

// The longest header that is accepted, and so the number of bytes that parse_npy_header needs.
inline constexpr int64_t npy_header_limit = int64_t{1} << 20;

// Copies `bytes` bytes at `offset` of the file or archive entry.
using ReadAt = std::function<void(void* to, int64_t bytes, int64_t offset)>;
Tensor read_npy(const ReadAt& read, int64_t size, const std::string& name);

// The magic string, version and header that precede the data.
std::string npy_preamble(TensorView array);

}  // namespace tidepool::inline v0_1::io
