// IDX files, the format of the MNIST dataset: big-endian arrays, plain or compressed with gzip.
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

// Throws Error(parse) if the file is not a valid IDX file of exactly the size that its header states, and IoError if it cannot be read.
TIDEPOOL_API Tensor read_idx(const std::string& path);

}  // namespace tidepool::inline v0_1::io
