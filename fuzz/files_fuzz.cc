// Any bytes as a file: weights, arrays and pictures are read or refused, never more than that.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tidepool/error.h"
#include "tidepool/io/idx.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::fuzz {
namespace {

// A file without a disk.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (fd_ < 0 || write(fd_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// Every cell is read once, so that the sanitizers see what lies outside.
void touch(const Tensor& tensor) {
  if (to_string(tensor).empty()) std::abort();
}

void read_as(int kind, const std::string& path) {
  switch (kind) {
    case 0:
      for (const auto& [name, tensor] : io::read_safetensors(path).tensors) touch(tensor);
      return;
    case 1:
      for (const auto& [name, tensor] : io::read_npz(path)) touch(tensor);
      return;
    case 2:
      return touch(io::read_npy(path));
    case 3:
      return touch(io::read_idx(path));
    default:
      return touch(io::read_png(path).pixels);
  }
}

}  // namespace
}  // namespace tidepool::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const tidepool::fuzz::MemoryFile file(data + 1, size - 1);
  try {
    tidepool::fuzz::read_as(data[0] % 5, file.path());
  } catch (const tidepool::Error&) {
  }
  return 0;
}
