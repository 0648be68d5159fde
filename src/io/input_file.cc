#include "tidepool/io/input_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "io/portable_files.h"
#include "tidepool/io/io_error.h"

namespace tidepool::inline v0_1::io {

InputFile::InputFile(const std::string& path) : path_(path) {
  file_ = open_file(path.c_str(), &size_);
  if (file_ == no_file && errno == 0) throw IoError("cannot read " + path + ": it is not a regular file");
  if (file_ == no_file) throw io_error("open", path);
}

InputFile::InputFile(std::string name, std::string bytes)
    : path_(std::move(name)), memory_(std::move(bytes)), size_(static_cast<int64_t>(memory_.size())) {}

InputFile::~InputFile() {
  if (file_ != no_file) (void)close_file(file_);
}

void InputFile::read(void* to, int64_t bytes, int64_t offset) const {
  char* at = static_cast<char*>(to);
  if (file_ == no_file && bytes > 0) {
    if (offset < 0 || offset > size_ || bytes > size_ - offset) throw IoError("cannot read " + path_ + ": it ends too early");
    std::copy_n(memory_.data() + offset, bytes, at);
    return;
  }
  while (bytes > 0) {
    const int64_t got = read_file(file_, at, bytes, offset);
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
