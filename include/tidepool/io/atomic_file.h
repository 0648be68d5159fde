// A file that is either written completely or not at all: the data goes to a temporary file in the same folder, which is then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tidepool/export.h"
#include "tidepool/io/sink.h"

namespace tidepool::inline v0_1::io {

class TIDEPOOL_API AtomicFile final : public Sink {
 public:
  // Creates the temporary file. Throws IoError if that fails, or if `path` exists and is not a regular file. A symbolic link stays: the
  // file that it points to is replaced. If there is no such file, that is an IoError too.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile() override;  // removes the temporary file unless commit() was called, or the file was begun by the parent of a fork
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, size_t bytes) override;
  // Flushes the data to disk and renames the file to its final name.
  void commit();

 private:
  void discard() noexcept;
  void forget_after_fork() noexcept;

  std::string shown_;  // as given by the caller, for messages
  std::string path_;   // with symbolic links resolved
  std::string temporary_;
  int64_t process_;  // that began the file
  intptr_t file_ = -1;
  int slot_ = -1;  // in the list that remove_unfinished_files() goes through
};

// Removes the temporary files of all AtomicFiles that this process has begun and not committed. Safe to call in a signal handler.
TIDEPOOL_API void remove_unfinished_files() noexcept;

}  // namespace tidepool::inline v0_1::io
