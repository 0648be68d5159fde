#include "npy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "app.h"
#include "npy_dtypes.h"

namespace tidepool::cli {

namespace {

class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) throw io_error("open", path);
    struct stat info{};
    const bool regular = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    if (!regular) close(fd_);
    if (!regular) throw IoError("cannot read " + path + ": it is not a regular file");
    size_ = info.st_size;
  }
  ~InputFile() { close(fd_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  int64_t size() const noexcept { return size_; }

  void read(void* to, int64_t bytes, int64_t offset) const {
    char* at = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = pread(fd_, at, static_cast<size_t>(bytes), offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw io_error("read", path_);
      if (got == 0) throw IoError("cannot read " + path_ + ": it became shorter meanwhile");
      at += got;
      offset += got;
      bytes -= got;
    }
  }

 private:
  std::string path_;
  int fd_;
  int64_t size_ = 0;
};

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
    if (entry.dtype == dtype) return (dtype_size(dtype) == 1 ? "|" : "<") + std::string(entry.name);
  throw Error(ErrorCode::unsupported, ".npy files cannot hold " + std::string(dtype_name(dtype)));
}

}  // namespace

Tensor read_npy(const std::string& path) {
  const InputFile file(path);
  std::string start(static_cast<size_t>(std::min(file.size(), npy_header_limit + 12)), '\0');
  file.read(start.data(), static_cast<int64_t>(start.size()), 0);
  const NpyHeader header = parse_npy_header(start, file.size(), path);

  Dims shape = header.shape;
  if (header.fortran_order) std::reverse(shape.values.begin(), shape.values.begin() + shape.rank);
  Tensor memory(shape, header.dtype);
  file.read(memory.data<char>(), header.data_bytes, header.data_offset);
  if (header.dtype == DType::boolean) {
    // A byte other than 0 or 1 read as bool is undefined behaviour later on.
    auto* cells = memory.data<uint8_t>();
    std::transform(cells, cells + header.data_bytes, cells, [](uint8_t cell) { return static_cast<uint8_t>(cell != 0); });
  }
  if (!header.fortran_order) return memory;
  TensorSpan as_stored = memory.span();
  as_stored.shape = header.shape;
  as_stored.strides = fortran_strides(header.shape);
  return Tensor(std::make_shared<Tensor>(std::move(memory)), as_stored);
}

void write_npy(AtomicFile& file, TensorView array) {
  std::string shape;
  for (int64_t size : array.shape.span()) shape += std::to_string(size) + ", ";
  if (array.rank() > 0) shape.erase(shape.size() - (array.rank() == 1 ? 1 : 2));  // one dim keeps its comma: (3,)
  std::string header = "{'descr': '" + descr_of(array.dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Data begins at a multiple of 64, so that readers may map it.
  const size_t preamble = 10;
  header.append(63 - (preamble + header.size()) % 64, ' ').push_back('\n');
  std::string start("\x93NUMPY\x01\x00", 8);
  start.push_back(static_cast<char>(header.size() & 0xff));
  start.push_back(static_cast<char>(header.size() >> 8));
  file.write(start.data(), start.size());
  file.write(header.data(), header.size());

  if (array.strides == contiguous_strides(array.shape)) {
    file.write(array.data, static_cast<size_t>(array.numel() * dtype_size(array.dtype)));
  } else {
    Tensor packed(array.shape, array.dtype);
    copy(array, packed.span());
    file.write(packed.data<char>(), static_cast<size_t>(packed.numel() * dtype_size(array.dtype)));
  }
}

}  // namespace tidepool::cli
