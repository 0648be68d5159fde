// A regular file with reads at any offset.
#pragma once

#include <cstdint>
#include <string>

namespace tidepool::inline v0_1::io {

class InputFile {
 public:
  // Throws IoError if the file cannot be opened or is not a regular file.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  int64_t size() const noexcept { return size_; }

  // Reads exactly `bytes` bytes or throws IoError. Threads may call it at the same time.
  void read(void* to, int64_t bytes, int64_t offset) const;
  // Reads `bytes` bytes, or fewer at the end of the file.
  std::string text(int64_t bytes, int64_t offset) const;

 private:
  std::string path_;
  int fd_;
  int64_t size_ = 0;
};

}  // namespace tidepool::inline v0_1::io
