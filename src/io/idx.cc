#include "tidepool/io/idx.h"

#include <algorithm>
#include <cstring>

#include "io/elements.h"
#include "io/inflate.h"
#include "tidepool/error.h"
#include "tidepool/io/input_file.h"

namespace tidepool::inline v0_1::io {

namespace {

// Limits the memory that a malicious gzip file can claim. The largest file of MNIST has 47 MB.
constexpr int64_t inflated_limit = int64_t{1} << 32;

DType dtype_of_code(uint8_t code, const std::string& path) {
  switch (code) {
    case 0x08:
      return DType::u8;
    case 0x09:
      return DType::i8;
    case 0x0B:
      return DType::i16;
    case 0x0C:
      return DType::i32;
    case 0x0D:
      return DType::f32;
    case 0x0E:
      return DType::f64;
    default:
      throw Error(ErrorCode::parse, path + ": bad IDX header: no type has the code " + std::to_string(code));
  }
}

}  // namespace

Tensor read_idx(const std::string& path) {
  const InputFile file(path);
  const std::string bytes = gunzip(file.text(file.size(), 0), std::min(inflated_limit, file.size() * max_inflate_ratio), path);
  const auto fail = [&](const std::string& why) { throw Error(ErrorCode::parse, path + ": bad IDX header: " + why); };
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(bytes[at]); };
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0) throw Error(ErrorCode::parse, path + ": not an IDX file");
  const DType dtype = dtype_of_code(byte(2), path);
  const size_t rank = byte(3);
  if (rank > max_rank) fail("more than 8 dimensions");
  if (bytes.size() < 4 + 4 * rank) fail("the file ends inside it");
  Dims shape;
  for (size_t i = 0; i < rank; ++i) {
    const size_t at = 4 + 4 * i;
    shape.push_back(int64_t{byte(at)} << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3));
  }
  const auto needed = checked_bytes(shape, dtype);
  if (!needed) fail("shape " + to_string(shape) + " overflows");
  const int64_t need = needed.value_or(0);
  const char* elements = bytes.data() + 4 + 4 * rank;
  const auto present = static_cast<int64_t>(bytes.size() - 4 - 4 * rank);
  if (need != present)
    fail("shape " + to_string(shape) + " of " + std::string(dtype_name(dtype)) + " needs " + std::to_string(need) +
         " bytes, the file has " + std::to_string(present));

  Tensor tensor(shape, dtype);
  std::memcpy(tensor.data<std::byte>(), elements, static_cast<size_t>(need));
  reverse_bytes(tensor.span());  // the file is big endian
  return tensor;
}

}  // namespace tidepool::inline v0_1::io
