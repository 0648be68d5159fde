// Where the writers of this folder write to: AtomicFile, or a class of the caller's own.
#pragma once

#include <cstddef>

#include "tidepool/export.h"

namespace tidepool::inline v0_1::io {

class TIDEPOOL_API Sink {
 public:
  virtual ~Sink() = default;
  // Appends the bytes, or throws IoError.
  virtual void write(const void* data, size_t bytes) = 0;
};

}  // namespace tidepool::inline v0_1::io
