// A file that appears whole or not at all: written aside in the same folder, then renamed.
#pragma once

#include <cstddef>
#include <string>

namespace tidepool::io {

class AtomicFile {
 public:
  // Creates the side file. Throws IoError when that fails or when `path` is there and is no regular file.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();  // removes the side file unless commit() was called
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, size_t bytes);
  // Flushes to the disk and takes the final name.
  void commit();

 private:
  void discard() noexcept;

  std::string shown_;  // as the user typed it, for messages
  std::string path_;   // behind symbolic links
  std::string side_;
  int fd_ = -1;
  int slot_ = -1;
};

// For signal handlers: removes the side files of all AtomicFiles that were not committed.
void remove_unfinished_files() noexcept;

}  // namespace tidepool::io
