// The bytes that the readers of this folder read: a regular file, or a block of memory with a name.
#pragma once

#include <cstdint>
#include <string>

#include "tidepool/export.h"

namespace tidepool::inline v0_1::io {

class TIDEPOOL_API InputFile {
 public:
  // Throws IoError if the file cannot be opened or is not a regular file.
  explicit InputFile(const std::string& path);
  // Bytes that are in memory already, such as those of a pipe. Messages call them `name`.
  InputFile(std::string name, std::string bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const noexcept { return path_; }  // or the name
  int64_t size() const noexcept { return size_; }

  // Reads exactly `bytes` bytes or throws IoError. Threads may call it at the same time.
  void read(void* to, int64_t bytes, int64_t offset) const;
  // Reads `bytes` bytes, or fewer at the end of the file.
  std::string text(int64_t bytes, int64_t offset) const;

 private:
  std::string path_;
  std::string memory_;
  intptr_t file_ = -1;  // negative: the bytes are in memory_
  int64_t size_ = 0;
};

}  // namespace tidepool::inline v0_1::io
