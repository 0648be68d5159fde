#include "tidepool/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tidepool/io/io_error.h"

namespace tidepool::inline v0_1::io {

// O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
InputFile::InputFile(const std::string& path) : path_(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0) throw io_error("open", path);
  struct stat info{};
  const bool regular = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  if (!regular) close(fd_);
  if (!regular) throw IoError("cannot read " + path + ": it is not a regular file");
  size_ = info.st_size;
}

InputFile::InputFile(std::string name, std::string bytes)
    : path_(std::move(name)), memory_(std::move(bytes)), size_(static_cast<int64_t>(memory_.size())) {}

InputFile::~InputFile() {
  if (fd_ >= 0) close(fd_);
}

void InputFile::read(void* to, int64_t bytes, int64_t offset) const {
  char* at = static_cast<char*>(to);
  if (fd_ < 0 && bytes > 0) {
    if (offset < 0 || offset > size_ || bytes > size_ - offset) throw IoError("cannot read " + path_ + ": it ends too early");
    std::copy_n(memory_.data() + offset, bytes, at);
    return;
  }
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

std::string InputFile::text(int64_t bytes, int64_t offset) const {
  std::string text(static_cast<size_t>(std::clamp<int64_t>(size_ - offset, 0, bytes)), '\0');
  read(text.data(), static_cast<int64_t>(text.size()), offset);
  return text;
}

}  // namespace tidepool::inline v0_1::io
