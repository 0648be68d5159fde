// Where the writers of this folder write to: AtomicFile, or a class of the caller's own.
#pragma once

#include <cstddef>

namespace tidepool::io {

class Sink {
 public:
  virtual ~Sink() = default;
  // Appends the bytes, or throws IoError.
  virtual void write(const void* data, size_t bytes) = 0;
};

}  // namespace tidepool::io
