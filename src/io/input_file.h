// A regular file, read at any place.
#pragma once

#include <cstdint>
#include <string>

namespace tidepool::io {

class InputFile {
 public:
  // Throws IoError when it cannot be opened or is no regular file.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  int64_t size() const noexcept { return size_; }

  // All of the bytes, or IoError. Safe from several threads.
  void read(void* to, int64_t bytes, int64_t offset) const;
  // At most `bytes`, fewer at the end of the file.
  std::string text(int64_t bytes, int64_t offset) const;

 private:
  std::string path_;
  int fd_;
  int64_t size_ = 0;
};

}  // namespace tidepool::io
