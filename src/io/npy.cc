#include "tidepool/io/npy.h"

#include <algorithm>

#include "io/elements.h"
#include "io/npy_dtypes.h"
#include "io/npy_format.h"
#include "tidepool/io/input_file.h"

namespace tidepool::inline v0_1::io {

namespace {

Dims fortran_strides(const Dims& shape) {
  Dims strides = shape;
  int64_t step = 1;
  for (int i = 0; i < shape.rank; ++i) {
    strides[i] = step;
    step *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

std::string descr_of(DType dtype) {
  for (const NpyDType& entry : npy_dtypes)
    if (entry.dtype == dtype) return std::string(dtype_size(dtype) == 1 ? "|" : "<").append(entry.name);
  throw Error(ErrorCode::unsupported, ".npy files cannot hold " + std::string(dtype_name(dtype)));
}

}  // namespace

Tensor read_npy(const ReadAt& read, int64_t size, const std::string& name) {
  std::string start(static_cast<size_t>(std::min(size, npy_header_limit + 12)), '\0');
  read(start.data(), static_cast<int64_t>(start.size()), 0);
  const NpyHeader header = parse_npy_header(start, size, name);

  Dims shape = header.shape;
  if (header.fortran_order) std::reverse(shape.values.begin(), shape.values.begin() + shape.rank);
  Tensor memory(shape, header.dtype);
  read(memory.data<std::byte>(), header.data_bytes, header.data_offset);
  if (header.big_endian) reverse_bytes(memory.span());
  if (header.dtype == DType::boolean) normalize_booleans(memory.span());
  if (!header.fortran_order) return memory;
  TensorSpan as_stored = memory.span();
  as_stored.shape = header.shape;
  as_stored.strides = fortran_strides(header.shape);
  return Tensor(std::make_shared<Tensor>(std::move(memory)), as_stored);
}

Tensor read_npy(const InputFile& file) {
  return read_npy([&](void* to, int64_t bytes, int64_t offset) { file.read(to, bytes, offset); }, file.size(), file.path());
}

Tensor read_npy(const std::string& path) { return read_npy(InputFile(path)); }

std::string npy_preamble(TensorView array) {
  std::string shape;
  for (int64_t size : array.shape.span()) shape += std::to_string(size) + ", ";
  if (array.rank() > 0) shape.erase(shape.size() - (array.rank() == 1 ? 1 : 2));  // a Python tuple of one keeps its comma: (3,)
  std::string header = "{'descr': '" + descr_of(array.dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Padded, so that the data begins at a multiple of 64 bytes and readers can map it into memory.
  const size_t preamble = 10;
  header.append(63 - (preamble + header.size()) % 64, ' ').push_back('\n');
  std::string start("\x93NUMPY\x01\x00", 8);
  start.push_back(static_cast<char>(header.size() & 0xff));
  start.push_back(static_cast<char>(header.size() >> 8));
  return start + header;
}

void write_npy(Sink& sink, const TensorArg& array_arg) {
  const TensorView& array = array_arg.view();
  const std::string start = npy_preamble(array);
  sink.write(start.data(), start.size());
  const ContiguousElements elements(array);
  sink.write(elements.data(), elements.bytes());
}

}  // namespace tidepool::inline v0_1::io
