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

// Refusing is fine; anything else that is thrown ends the program.
template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

void read_all_ways(const std::string& path) {
  read_or_refuse([&] {
    for (const auto& [name, tensor] : io::read_safetensors(path).tensors) touch(tensor);
  });
  read_or_refuse([&] {
    for (const auto& [name, tensor] : io::read_npz(path)) touch(tensor);
  });
  read_or_refuse([&] { touch(io::read_npy(path)); });
  read_or_refuse([&] { touch(io::read_idx(path)); });
  read_or_refuse([&] { touch(io::read_png(path).pixels); });
}

}  // namespace
}  // namespace tidepool::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tidepool::fuzz::MemoryFile file(data, size);
  tidepool::fuzz::read_all_ways(file.path());
  return 0;
}
