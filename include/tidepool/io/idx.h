// IDX, the format of MNIST: big-endian arrays, plain or gzipped.
#pragma once

#include <string>

#include "tidepool/tensor.h"

namespace tidepool::io {

// Throws Error(parse) when the sizes do not fit the file exactly, and IoError.
Tensor read_idx(const std::string& path);

}  // namespace tidepool::io
